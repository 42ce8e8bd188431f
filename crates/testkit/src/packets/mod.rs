//! Packet scripts: what a stack gets, what it sends, and when.
//!
//! A script is a text in the notation of packetdrill, which `README.md` in
//! `tests/packets` describes. It is played in virtual time on a
//! [`Stack`](netjoule_stack::Stack) of raw IP packets, so that a second takes
//! no time and the exact nanosecond of a segment can be expected.

mod bytes;
mod calls;
mod facts;
mod flow;
mod notation;
mod option_bytes;
mod parse;
mod player;
mod script;
mod settings;

/// Plays the script `text` and says where it and the stack part; `name` stands
/// in front of the line's number. Unless it sets them itself, it is played with
/// `header_prediction` and `header_template` on and off, and with sequence
/// numbers of the peer on either side of the stack's.
///
/// # Errors
/// All lines that cannot be read, or the first that does not hold.
pub fn play_packets(name: &str, text: &str) -> Result<(), String> {
    let script = parse::script(text).map_err(|wrong| {
        let wrong: Vec<String> =
            wrong.iter().map(|wrong| format!("{name}:{}: {}", wrong.line, wrong.message)).collect();
        wrong.join("\n")
    })?;
    for way in script.settings.ways() {
        player::play(&script, &way).map_err(|mismatch| {
            let player::Mismatch { line, expected, found } = mismatch;
            format!("{name}:{line}: ({way})\n   expected: {expected}\n      found: {found}")
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

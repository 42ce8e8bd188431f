//! One saturated medium for `benches/peers/wireless.sh`: `air pair|cell SECONDS`
//! simulates it and prints one line of JSON, as the programs of the others do.

#![expect(clippy::print_stdout, reason = "a command")]

use std::process::ExitCode;

use netjoule_benches::dot11::{pair, saturated};
use netjoule_units::Duration;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (cell, seconds) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pair", seconds] => (pair(), seconds.parse()),
        ["cell", seconds] => (saturated(50), seconds.parse()),
        _ => return ExitCode::from(2),
    };
    let (mut cell, Ok(seconds)) = (cell, seconds) else { return ExitCode::from(2) };
    let packets = cell.measure(Duration::from_secs(seconds)).total();
    let goodput = packets as f64 * 12_000.0 / seconds as f64;
    println!(
        "{{\"simulator\": \"netjoule\", \"simulated_time_s\": {seconds}, \
         \"goodput_bit_per_s\": {goodput:.0}}}"
    );
    ExitCode::SUCCESS
}

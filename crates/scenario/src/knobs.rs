//! The options of a connection outside of any scenario, as the command line of
//! the live commands gives them.

use netjoule_transport::tcp::Options;

use crate::Error;
use crate::diagnostics::{Report, Site};
use crate::document::{self, parse_toml_value};
use crate::read::read;

/// `base` with `settings` in place of what it has. A setting is its name for
/// messages (such as `--mss`), its key, and its value as in an
/// [`Override`](crate::Override).
///
/// # Errors
/// Everything that is wrong with the settings, each with its name.
pub fn tcp_options(base: &Options, settings: &[(String, &str, &str)]) -> Result<Options, Error> {
    let mut report = Report::default();
    let text = toml::to_string(base).unwrap_or_default();
    let number = report.add_text("defaults", text.as_str());
    let mut table = document::parse_toml(number, &text, &mut report).unwrap_or_default();
    for (name, key, text) in settings {
        let number = report.add_text(name.as_str(), *text);
        let site = Site::new(number, &(0..text.len()));
        let value =
            parse_toml_value(text).map_or_else(|| (*text).into(), |value| value.placed(site));
        table.set(key, site, value);
    }
    let options: Options = read(&table, "", &mut report);
    if report.is_clean() {
        for (key, expected) in options.validate().err().into_iter().flatten() {
            let found = table.get(key).map_or_else(String::new, |value| value.value.to_string());
            let message = format!("found {found}, expected {expected}");
            report.error(table.site_of(key), key, message);
        }
    }
    if report.is_clean() { Ok(options) } else { Err(report.into_error()) }
}

#[cfg(test)]
mod tests {
    use netjoule_transport::tcp::{InitialWindow, Sack};
    use netjoule_units::Bytes;

    use super::*;

    fn set(key: &'static str, value: &'static str) -> Result<Options, String> {
        let settings = [(format!("--{}", key.replace('_', "-")), key, value)];
        tcp_options(&Options::current(), &settings).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_take_the_place_of_defaults() {
        let changed = |change: fn(&mut Options)| {
            let mut options = Options::current();
            change(&mut options);
            Ok(options)
        };
        assert_eq!(tcp_options(&Options::current(), &[]).unwrap(), Options::current());
        assert_eq!(set("mss", "1000 B"), changed(|options| options.mss = Bytes::new(1000)));
        assert_eq!(set("sack", "off"), changed(|options| options.sack = Sack::Off));
        assert_eq!(set("timestamps", "false"), changed(|options| options.timestamps = false));
        let segments = |options: &mut Options| options.initial_window = InitialWindow::Segments(4);
        assert_eq!(set("initial_window", "4"), changed(segments));
    }

    #[test]
    fn what_is_wrong_is_said_with_the_flag() {
        for (key, value, words) in [
            ("mss", "8", ["--mss:1:1", "with its unit"]),
            ("sack", "perhaps", ["--sack", "expected one of `variant`, `on`, `off`"]),
            ("nagle", "2", ["--nagle", "expected true or false"]),
            ("dupthresh", "0", ["--dupthresh", "found 0, expected at least 1"]),
            ("receive_window", "100 B", ["--receive-window", "at least the mss"]),
        ] {
            let message = set(key, value).unwrap_err();
            for word in words {
                assert!(message.contains(word), "no {word} in\n{message}");
            }
        }
    }
}

mod airs;
mod devices;
mod examples;
mod messages;
mod overriding;
mod properties;
mod rules;

use crate::{Error, Override, Scenario, Source, parse_toml};

/// Two hosts and a wired link between them.
const SMALL: &str = r#"[[node]]
name = "a"
kind = "host"

[[node]]
name = "b"
kind = "host"

[[link]]
name = "wire"
kind = "wired"
between = ["a", "b"]
rate = "1 Mbit/s"
delay = "10 ms"

[[connection]]
from = "a"
to = "b"
transfer = "1 MiB"
"#;

fn toml(text: &str) -> Result<Scenario, Error> {
    parse_toml(&Source::new("test.toml", text), &[])
}

/// [`SMALL`] with `from` replaced by `to`.
fn small_with(from: &str, to: &str) -> Result<Scenario, Error> {
    assert!(SMALL.contains(from), "{from}");
    toml(&SMALL.replacen(from, to, 1))
}

fn overrides(texts: &[&str]) -> Vec<Override> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// "line:column key: message" of each diagnostic.
fn brief(error: &Error) -> Vec<String> {
    error
        .diagnostics()
        .iter()
        .map(|it| {
            let place = it.position.map(|at| format!("{}:{} ", at.line, at.column));
            format!("{}{}: {}", place.unwrap_or_default(), it.key, it.message)
        })
        .collect()
}

/// The one diagnostic of `result`.
fn only(result: Result<Scenario, Error>) -> String {
    let all = brief(&result.unwrap_err());
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().unwrap()
}

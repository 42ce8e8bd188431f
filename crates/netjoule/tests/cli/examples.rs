//! What the program tells its users to type, works.

use std::path::Path;

use super::{SHORT, succeed, workplace};

const COMMANDS: [&str; 8] =
    ["run", "compare", "reproduce", "check", "convert", "cost", "show", "list"];

/// Those that need a network of their own: their examples are followed in
/// `tests/live`.
const LIVE_COMMANDS: [&str; 4] = ["send", "recv", "forward", "netns"];

/// The lines of `text` that start with `netjoule`, as arguments.
fn examples(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("netjoule "))
        // Words follow a command after several spaces.
        .map(|line| line.split_once("   ").map_or(line, |(command, _)| command))
        .map(arguments)
        .collect()
}

/// Splits a line as a shell does that knows nothing but double quotes.
fn arguments(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.trim().chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Runs an example, made short: few runs of little data.
#[track_caller]
fn follow(directory: &Path, example: &[String]) {
    let mut arguments: Vec<&str> = example.iter().map(String::as_str).collect();
    match arguments[0] {
        "run" => arguments.extend(["--set", SHORT]),
        "compare" => {
            if !arguments.contains(&"--runs") {
                arguments.extend(["--runs", "2"]);
            }
            arguments.extend(["--set", SHORT]);
        }
        "reproduce" => {
            // One item of the paper is enough.
            let item = match arguments[1] {
                "agarwal2000" => "idle_lifetime",
                _ => "w4_170ms_simple_time",
            };
            arguments.retain(|argument| !["--quick", "fit"].contains(argument));
            arguments.extend([item, "--runs", "1"]);
        }
        // Counting needs valgrind: see `cost`.
        "cost" => {
            arguments.retain(|argument| *argument != "--count");
            arguments.push("baseline");
        }
        _ => {}
    }
    succeed(directory, &arguments);
}

#[test]
fn every_help_has_examples_that_work() {
    let directory = workplace();
    let path = directory.path();
    let mut helps = vec![succeed(path, &["--help"])];
    helps.extend(COMMANDS.map(|command| succeed(path, &[command, "--help"])));
    for help in helps {
        let (_, after) = help.split_once("Examples:").unwrap_or_else(|| panic!("none in\n{help}"));
        let examples = examples(after);
        assert!(!examples.is_empty(), "none in\n{help}");
        for example in &examples {
            follow(path, example);
        }
        fits(&help);
    }
    for command in LIVE_COMMANDS {
        let help = succeed(path, &[command, "--help"]);
        assert!(help.contains("Examples:"), "none in\n{help}");
        fits(&help);
    }
}

/// Help is not wider than 100 columns.
#[track_caller]
fn fits(help: &str) {
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn every_command_is_known_here() {
    let directory = workplace();
    let help = succeed(directory.path(), &["--help"]);
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let names: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(names, [&COMMANDS[..], &LIVE_COMMANDS].concat());
}

#[test]
fn without_a_command_there_is_a_table_and_a_way_on() {
    let directory = workplace();
    let output = succeed(directory.path(), &[]);
    for title in
        ["No loss", "Reno", "Simple ICMP", "Refined ICMP", "improvement over Unmodified, %"]
    {
        assert!(output.contains(title), "no {title} in\n{output}");
    }
    let (_, next) = output.split_once("What to try next:").unwrap();
    let examples = examples(next);
    assert_eq!(examples.len(), 5, "{next}");
    for example in &examples {
        follow(directory.path(), example);
    }
}

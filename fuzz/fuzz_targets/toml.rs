//! Scenario files of any text, in the TOML format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netjoule_testkit::hostile::files;

fuzz_target!(|text: &str| files::toml(text));

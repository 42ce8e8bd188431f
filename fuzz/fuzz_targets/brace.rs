//! Scenario files of any text, in the brace format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netjoule_testkit::hostile::files;

fuzz_target!(|text: &str| files::brace(text));

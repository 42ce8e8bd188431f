//! A connection whose peer, network and application do anything at any time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netjoule_testkit::hostile::engine;

fuzz_target!(|bytes: &[u8]| engine::play(bytes));

//! A host to which anybody sends anything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netjoule_testkit::hostile::host;

fuzz_target!(|bytes: &[u8]| host::play(bytes));

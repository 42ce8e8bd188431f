//! Packets of any bytes, in every format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netjoule_testkit::hostile::packets;

fuzz_target!(|bytes: &[u8]| packets::read(bytes));

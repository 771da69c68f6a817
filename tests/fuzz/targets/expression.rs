//! `cargo +nightly fuzz run --fuzz-dir tests/fuzz expression tests/fuzz/corpus/expression tests/fuzz/inputs/expression`
#![no_main]

#[path = "../bodies.rs"]
#[allow(dead_code, reason = "each target runs one of them")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::expression(data));

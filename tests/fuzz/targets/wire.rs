//! `cargo +nightly fuzz run --fuzz-dir tests/fuzz wire tests/fuzz/corpus/wire tests/fuzz/inputs/wire`
#![no_main]

#[path = "../bodies.rs"]
#[allow(dead_code, reason = "each target runs one of them")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::wire(data));

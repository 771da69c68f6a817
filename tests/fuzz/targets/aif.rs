//! `cargo +nightly fuzz run --fuzz-dir tests/fuzz aif tests/fuzz/corpus/aif tests/fuzz/inputs/aif`
#![no_main]

#[path = "../bodies.rs"]
#[allow(dead_code, reason = "each target runs one of them")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::aif(data));

//! The keys of sessions, and checks that they do not leak.

use super::batch::Place;
use super::hosts::files_in;
use std::fs;

/// The keys of the sessions in a place, on this host and in the directory shared with others.
#[track_caller]
pub fn keys(place: &Place) -> Vec<Vec<u8>> {
    let all = files_in(place.path()).into_iter().filter(|path| path.file_name().is_some_and(|name| name == "key"));
    let found: Vec<Vec<u8>> = all.map(|path| fs::read(path).unwrap()).filter(|key| key.len() == 32).collect();
    assert!(!found.is_empty(), "no session has a key in {}", place.path().display());
    found
}

/// Checks that no process of this machine has one of the keys on its command line or in its environment, raw or in hex
/// digits; returns the number of processes checked.
#[track_caller]
pub fn nobody_shows(keys: &[Vec<u8>]) -> usize {
    let digits = |key: &Vec<u8>, upper: bool| -> Vec<u8> {
        let text: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        if upper { text.to_uppercase().into_bytes() } else { text.into_bytes() }
    };
    let forms: Vec<Vec<u8>> =
        keys.iter().flat_map(|key| [key.clone(), digits(key, false), digits(key, true)]).collect();
    let mut seen = 0;
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        for file in ["cmdline", "environ"] {
            // A process may end meanwhile.
            let Ok(text) = fs::read(entry.path().join(file)) else { continue };
            let shown = forms.iter().any(|form| text.windows(form.len()).any(|part| part == form.as_slice()));
            assert!(!shown, "{} has the key of a session in its {file}", entry.path().display());
            seen += usize::from(file == "cmdline" && !text.is_empty());
        }
    }
    seen
}

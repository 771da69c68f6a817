//! The printers within the program, for libraries that many programs use.

use super::rule::PrinterSource;
use std::sync::LazyLock;

/// Names and texts of the shipped files.
const FILES: &[(&str, &str)] = &[
    ("boost", include_str!("shipped/boost.toml")),
    ("glib", include_str!("shipped/glib.toml")),
    ("kokkos", include_str!("shipped/kokkos.toml")),
    ("libc++", include_str!("shipped/libcxx.toml")),
];

static PARSED: LazyLock<Vec<PrinterSource>> = LazyLock::new(|| {
    // A test parses all of them.
    FILES.iter().filter_map(|(name, text)| PrinterSource::parse(name, text).ok()).collect()
});

/// Returns the printers that come with the program; those of the user, and of the language's library, are tried first.
pub fn shipped_printers() -> &'static [PrinterSource] {
    &PARSED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_file_is_valid() {
        for (name, text) in FILES {
            let file = PrinterSource::parse(name, text).unwrap_or_else(|why| panic!("{why}"));
            assert!(!file.rules.is_empty(), "{name}");
        }
    }
}

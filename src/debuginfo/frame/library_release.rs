//! The release of the C++ library that a program runs with. gdb uses the pretty printers of the mapped library, and
//! their output differs between releases.

use super::view::FrameView;
use std::path::Path;

/// Returns the GCC release of the mapped libstdc++, or that of the compiler if the library is linked statically.
pub(crate) fn release_of_library(view: &FrameView<'_>) -> u32 {
    let mut files = view.images.iter().map(|loaded| &**loaded.image.path());
    let library = files.find(|path| base_name(path).starts_with("libstdc++.so"));
    let release = match library {
        // Like gdb, use the name of the file that the links lead to.
        Some(path) => {
            release_of_name(path).or_else(|| release_of_name(std::fs::canonicalize(Path::new(path)).ok()?.to_str()?))
        }
        None => view.main_unit().and_then(|unit| release_of_compiler(unit.producer)),
    };
    release.unwrap_or(USUAL)
}

/// The release assumed if it cannot be found out.
const USUAL: u32 = 12;

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the GCC release for `libstdc++.so.6.0.33`; the last number counts versions of the library's interface.
fn release_of_name(path: &str) -> Option<u32> {
    let revision: u32 = base_name(path).strip_prefix("libstdc++.so.6.0.")?.parse().ok()?;
    Some(match revision {
        ..=29 => 11,
        30 => 12,
        31 | 32 => 13,
        33 => 14,
        later => later - 19,
    })
}

/// Returns the release from `GNU C++17 14.2.0 -mtune=generic …`.
fn release_of_compiler(producer: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(producer).ok()?.strip_prefix("GNU C++")?;
    text.split(' ').nth(1)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_say_their_release() {
        for (name, release) in [
            ("/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.28", Some(11)),
            ("/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30", Some(12)),
            ("/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.32", Some(13)),
            ("/opt/lib/libstdc++.so.6.0.33", Some(14)),
            ("libstdc++.so.6.0.34", Some(15)),
            ("/lib/x86_64-linux-gnu/libstdc++.so.6", None),
            ("libstdc++.so.6.0.x", None),
        ] {
            assert_eq!(release_of_name(name), release, "{name}");
        }
    }

    #[test]
    fn compilers_say_their_release() {
        assert_eq!(release_of_compiler(b"GNU C++17 14.2.0 -mtune=generic -g"), Some(14));
        assert_eq!(release_of_compiler(b"GNU C++98 12.2.0"), Some(12));
        assert_eq!(release_of_compiler(b"clang version 19.1.7"), None);
        assert_eq!(release_of_compiler(b"GNU C++17"), None);
    }
}

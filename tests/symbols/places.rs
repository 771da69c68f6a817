//! Where breakpoints go.

use crate::built::{build, gdb};
use rankscope::engine::native::symbols::{Image, SymbolStore};
use rankscope::model::LocationSpec;
use std::path::Path;
use std::sync::Arc;

fn open(path: &Path) -> Arc<Image> {
    SymbolStore::new().open(path).unwrap()
}

/// The addresses of the breakpoints that gdb makes of each location, in its order; none where it refuses.
fn gdb_sites(path: &Path, locations: &[String]) -> Vec<Vec<u64>> {
    let mut commands = Vec::new();
    for location in locations {
        commands.extend([
            format!("break {location}"),
            "info breakpoints".into(),
            "delete".into(),
            "echo ====\\n".into(),
        ]);
    }
    let text = gdb(path, &commands);
    let parts: Vec<&str> = text.split("====\n").collect();
    let address = |line: &str| {
        let word = line.split_whitespace().find(|word| word.starts_with("0x0000"))?;
        u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
    };
    parts.iter().take(locations.len()).map(|part| part.lines().filter_map(address).collect()).collect()
}

fn our_sites(image: &Image, location: &str) -> Vec<u64> {
    let location = LocationSpec::parse(location).unwrap();
    image.resolve(&location).iter().map(|site| site.address.0).collect()
}

const WAYS: &[&[&str]] = &[
    &["-g", "-O0"],
    &["-g", "-O0", "-no-pie"],
    &["-g", "-O1"],
    &["-g", "-O2"],
    &["-g", "-O2", "-no-pie"],
    &["-g", "-O3"],
    &["-g", "-Og"],
    &["-gdwarf-4", "-O0"],
    &["-gdwarf-4", "-O2"],
    &["-gdwarf-3", "-O2"],
    &["-gdwarf-2", "-O0"],
    &["-g", "-O0", "-fcf-protection=full"],
    &["-g", "-O2", "-fno-omit-frame-pointer"],
    &["-g", "-O2", "-fno-var-tracking"],
    &["-g", "-O2", "-gz"],
    &["-O0"],
    &["-O2"],
];

#[test]
fn breakpoints_are_where_gdb_puts_them() {
    let functions = ["main", "sum", "twice", "factorial", "empty", "visit", "nothing", "places.c:sum"];
    let lines = 1..75;
    let locations: Vec<String> =
        functions.iter().map(|name| (*name).to_owned()).chain(lines.map(|line| format!("places.c:{line}"))).collect();
    let mut differences = Vec::new();
    for options in WAYS {
        let built = build("places.c", options);
        let image = open(&built.path);
        for (location, expected) in locations.iter().zip(gdb_sites(&built.path, &locations)) {
            let mut expected = expected;
            expected.sort_unstable();
            let ours = our_sites(&image, location);
            if ours != expected {
                differences.push(format!("{options:?} {location}: {ours:x?}, gdb {expected:x?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}\n{}", differences.len(), differences.join("\n"));
}

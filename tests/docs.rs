//! Pages that are made from tables, or that must name what is there, are not stale.

use std::{collections::BTreeSet, fs, path::Path};

fn read(path: &str) -> String {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&full).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let mut used = BTreeSet::new();
    for section in ["dependencies", "dev-dependencies"] {
        used.extend(manifest[section].as_table().unwrap().keys().cloned());
    }
    let page = read("docs/DEPENDENCIES.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let explained: BTreeSet<String> =
        rows.filter(|(name, _)| *name != "crate").map(|(name, _)| name.to_owned()).collect();
    assert_eq!(used, explained);
}

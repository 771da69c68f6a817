//! Checks that pages generated from tables, or naming existing things, are not stale.

use std::{collections::BTreeSet, fs, path::Path};

fn read(path: &str) -> String {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&full).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let mut used = BTreeSet::new();
    used.extend(manifest["workspace"]["dependencies"].as_table().unwrap().keys().cloned());
    let page = read("docs/DEPENDENCIES.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let explained: BTreeSet<String> =
        rows.filter(|(name, _)| *name != "crate").map(|(name, _)| name.to_owned()).collect();
    assert_eq!(used, explained);
}

#[test]
fn the_page_of_commands_is_made_from_the_table() {
    let made = rankscope::controller::command::commands_markdown();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/COMMANDS.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    assert!(read("docs/COMMANDS.md") == made, "docs/COMMANDS.md is stale: UPDATE=1 cargo test --test docs writes it");
}

#[test]
fn the_page_for_users_of_gdb_is_made_from_its_table() {
    let made = rankscope::controller::command::gdb_markdown();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/GDB.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    assert!(read("docs/GDB.md") == made, "docs/GDB.md is stale: UPDATE=1 cargo test --test docs writes it");
}

#[test]
fn the_page_for_users_of_gdb_has_a_word_about_each_command_of_gdb() {
    let output = std::process::Command::new("gdb").args(["-nx", "-batch", "-ex", "help all"]).output().unwrap();
    let help = String::from_utf8_lossy(&output.stdout);
    let lines = help.lines().filter_map(|line| line.split_once(" -- "));
    // The first of several names; `maintenance` is for those who work on gdb.
    let names: BTreeSet<&str> = lines.map(|(names, _)| names.split(", ").next().unwrap_or(names)).collect();
    assert!(names.len() > 500, "{names:?}");
    let has_word = rankscope::controller::command::has_word_about;
    let without: Vec<&&str> = names.iter().filter(|name| !has_word(name)).collect();
    assert!(without.is_empty(), "docs/GDB.md says nothing about {without:?}");
}

#[test]
fn the_keys_of_the_first_page_are_keys() {
    let known: BTreeSet<&str> =
        rankscope::ui::action::ACTIONS.iter().flat_map(|row| row.keys.iter().copied()).collect();
    let page = read("README.md");
    let table = page.lines().skip_while(|line| !line.starts_with("| you want to | key |")).skip(2);
    let cells = table.map_while(|line| line.strip_prefix("| ")?.split(" | ").nth(1));
    let named: Vec<String> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    assert!(named.len() > 5, "{named:?}");
    for key in named {
        let key = if key.chars().count() > 1 { key.to_lowercase() } else { key };
        assert!(known.contains(key.as_str()), "README.md names the key {key}");
    }
}

#[test]
fn manual_pages_are_made_from_the_command_lines() {
    use clap::CommandFactory;
    use rankscope::app::manual;
    use rankscope::tree::{arguments, connect};
    for (name, made) in [
        ("rankscope.1", manual::rankscope()),
        ("rankscope-sdm.1", manual::page(arguments::Arguments::command())),
        ("tvconnect.1", manual::page(connect::Arguments::command())),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &made).unwrap();
        }
        assert!(
            read(&format!("docs/{name}")) == made,
            "docs/{name} is stale: UPDATE=1 cargo test --test docs writes it"
        );
    }
}

#[test]
fn a_shell_reads_its_completions() {
    use rankscope::app::cli::shell::Shell;
    use rankscope::app::manual::completions;
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), completions(Shell::Bash)).unwrap();
    let script = format!(
        "source {} && COMP_WORDS=(rankscope res) COMP_CWORD=1 && _rankscope rankscope res rankscope && echo ${{COMPREPLY[@]}}",
        file.path().display()
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "resume", "{output:?}");
}

#[test]
fn what_the_limits_say_is_missing_is_no_command() {
    let (limits, commands) = (read("docs/KNOWN-LIMITS.md"), read("docs/COMMANDS.md"));
    let (_, missing) = limits.split_once("There are no `").unwrap();
    let missing = missing.split_once("\n\n").map_or(missing, |(sentence, _)| sentence);
    let missing: Vec<&str> = missing.split('`').step_by(2).filter(|name| !name.trim().is_empty()).collect();
    assert!(missing.contains(&"record") && missing.len() > 4, "{missing:?}");
    let named = commands.lines().filter(|line| line.starts_with("### `") || line.starts_with("Also: "));
    let named: Vec<&str> = named.flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
    for name in missing {
        let is_it = |known: &&str| *known == name || known.starts_with(&format!("{name} "));
        assert!(!named.iter().any(is_it), "{name} is a command, and KNOWN-LIMITS.md says that there is none");
    }
}

#[test]
fn the_page_of_commands_says_that_a_stop_may_be_for_one_thread() {
    let commands = read("docs/COMMANDS.md");
    for name in ["break", "tbreak", "barrier", "watch", "rwatch", "awatch", "catch", "trace"] {
        let usage = commands.lines().find(|line| line.starts_with(&format!("### `{name} "))).unwrap();
        assert!(usage.contains("[thread N] [if EXPRESSION]"), "{usage}");
    }
}

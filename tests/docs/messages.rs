//! Keeps `tests/snapshots/messages.txt`, which has every text that the product prints, so that all can be read at once.

use crate::literals::{Literal, literals, product_files};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

const LOG: &[&str] = &["error!", "warn!", "info!", "debug!", "trace!"];

/// Literals that are not printed in a session: code, promises to the compiler, and help that is in `docs/COMMANDS.md`.
const NOT_SAID: &[&str] = &["#[expect]", "#[allow]", "global_asm!", "debug_assert!", "matches!", "entry"];

/// True if a literal reads as a message: three or more words, except lists of names of other programs.
fn reads_as_one(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let words = text.split_whitespace().filter(is_word).count();
    let has_marks = text.contains(|c: char| ",.:;()\"'{}".contains(c));
    words > 2 && (words < 12 || has_marks)
}

fn list(title: &str, all: &[Literal], wanted: impl Fn(&Literal) -> bool) -> String {
    let texts: BTreeSet<String> = all
        .iter()
        .filter(|literal| wanted(literal))
        .map(|literal| literal.text.trim().escape_debug().to_string())
        .collect();
    let lines = texts.into_iter().map(|text| text.replace("\\\"", "\"").replace("\\'", "'") + "\n");
    format!("# {title}\n\n{}\n", lines.collect::<String>())
}

#[test]
fn every_message_is_in_one_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = product_files(&root.join("src"));
    let all: Vec<Literal> = files.iter().flat_map(|file| literals(&fs::read_to_string(file).unwrap())).collect();
    let is_error = |literal: &Literal| literal.inside == "#[error]";
    let is_logged = |literal: &Literal| LOG.contains(&literal.inside.as_str());
    let made = [
        "Made from the sources; `UPDATE=1 cargo test --test docs messages` writes it again.\n\n".to_owned(),
        list("Errors", &all, |literal| is_error(literal) && literal.text.contains(' ')),
        list("The log", &all, |literal| is_logged(literal) && literal.text.contains(' ')),
        list("What is said elsewhere: refusals, hints, reports, labels, and parts of them", &all, |literal| {
            let is_said = !literal.compared && !NOT_SAID.contains(&literal.inside.as_str());
            is_said && !is_error(literal) && !is_logged(literal) && reads_as_one(&literal.text)
        }),
    ];
    let (made, path) = (made.concat(), root.join("tests/snapshots/messages.txt"));
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<&str> = made.lines().filter(|line| !kept.lines().any(|other| other == *line)).collect();
    let hint = "UPDATE=1 cargo test --test docs messages writes it again";
    assert!(
        kept == made,
        "tests/snapshots/messages.txt is stale; {hint}. Texts that it does not have:\n{}",
        changed.join("\n")
    );
}

#[test]
fn literals_are_found_as_the_compiler_reads_them() {
    let source = r##"
        // "not one"
        /* "nor /* "this" */ " */
        fn f<'a>(c: char) -> &'a str {
            let _ = ('"', '\'', b"bytes", r#"raw "text""#);
            g(format!("one \
                two {c}\n"))
        }
        #[cfg(test)]
        mod tests { fn f() { "of a test" } }
        #[error("an error")]
        struct Fault;
        fn kind(word: &str) -> bool { match word { "compared" => true, _ => word == "equalled" } }
    "##;
    let found: Vec<_> = literals(source).into_iter().map(|one| (one.text, one.inside, one.compared)).collect();
    let row = |text: &str, inside: &str, compared| (text.to_owned(), inside.to_owned(), compared);
    let wanted = [
        row("raw \"text\"", "", false),
        row("one two {c}\n", "format!", false),
        row("an error", "#[error]", false),
        row("compared", "", true),
        row("equalled", "", true),
    ];
    assert_eq!(found, wanted);
}

//! A server parses an expression once, however many of its ranks are asked.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::live::Live;
use std::fs;
use std::path::Path;

/// The number of times a text was parsed, according to the logs of a running session.
fn parsed(place: &Place, text: &str) -> usize {
    let session = fs::read_dir(place.path().join("rankscope")).unwrap().next().unwrap().unwrap().path();
    let logs = fs::read_dir(session).unwrap().map(|entry| entry.unwrap().path());
    let logs = logs.filter(|path| path.extension().is_some_and(|extension| extension == "log"));
    let wanted = format!("parsed an expression text={text:?}");
    logs.map(|log| fs::read_to_string(log).unwrap().lines().filter(|line| line.ends_with(&wanted)).count()).sum()
}

#[test]
fn a_server_parses_an_expression_once_for_all_its_ranks() {
    let (place, program) = (Place::new(), build::plain("chained.c"));
    let words = ["run", "-n", "6", program.to_str().unwrap()];
    let mut live = Live::start_with(&place, &[("RANKSCOPE_LOG", Path::new("expr=trace"))], &words);
    live.until_stopped("0-5");
    let values = [
        ("break follow if depth < 40 && at != 0", "depth < 40 && at != 0"),
        ("go", "depth < 40 && at != 0"),
        ("print at->value + depth", "at->value + depth"),
        ("print at->value + depth", "at->value + depth"),
        ("[3] print at->value +", "at->value +"),
        ("print at->value +", "at->value +"),
        ("ptype at->next", "at->next"),
        ("watch -location at->value", "&(at->value)"),
    ];
    for (line, text) in values {
        live.run(line);
        if line == "go" {
            live.run("wait");
        }
        assert_eq!(parsed(&place, text), 1, "{line}");
    }
    live.end();
    place.until_empty();
}

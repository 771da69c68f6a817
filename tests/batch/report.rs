//! `report` writes a page and its data about real ranks.

use crate::support::batch::{Place, json};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::Value;
use std::fs;
use tempfile::tempdir;

#[test]
fn a_report_names_the_crash_with_its_stack_and_variables() {
    let (program, directory) = (build("gcc", "crash.c", &["-g", "-O0"]), tempdir().unwrap());
    let to = directory.path().join("a report");
    let script = format!("go\nwait\nreport \"{}\"\n", to.display());
    let outcome = json(&["-n", "3"], &[program.to_str().unwrap(), "deep"], &script).expect(0);
    let said = outcome.of("report").pop().unwrap();
    assert_eq!((&said["ranks"], &said["html"]), (&"0-2".into(), &to.join("report.html").to_str().unwrap().into()));
    let data = fs::read_to_string(to.join("report.json")).unwrap();
    let data: Value = serde_json::from_str(&data).unwrap();
    let group = &data["groups"]["groups"][0];
    assert_eq!((&group["ranks"], &group["signal"]), (&"0-2".into(), &"SIGBUS".into()), "{data:#}");
    // The variables are those of the user's frame, not of raise in the C library.
    let variables = data["variables"].as_array().unwrap();
    let n = variables.iter().flat_map(|list| list["variables"].as_array().unwrap()).find(|one| one["name"] == "n");
    assert_eq!(n.unwrap()["value"], "0", "{variables:#?}");
    let frames = data["frames"][0]["frames"].as_array().unwrap();
    assert!(frames.iter().any(|frame| frame["line"] == line("crash.c", "bottom")), "{frames:#?}");
    assert!(data["libraries"][0]["libraries"].as_array().unwrap().len() > 1);
    assert!(data["facts"].as_array().unwrap().iter().any(|fact| fact["name"] == "time"));
    // The page has the same data.
    let page = fs::read_to_string(to.join("report.html")).unwrap();
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    let embedded: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(embedded, data);
}

#[test]
fn a_report_of_running_ranks_says_that_they_run() {
    let directory = tempdir().unwrap();
    let script = format!("report {0}\nreport /proc/none\nkill\n", directory.path().display());
    let options =
        ["run", "--keep-going", "--timeout", "80", "--batch", "-", "--stop-at", "none", "-n", "2", "sleep", "100"];
    let outcome = Place::new().run(&options, &script).expect(1);
    assert!(outcome.text.contains("\n  [0-1] running\n"), "{}", outcome.text);
    assert!(outcome.text.contains("error: cannot write the report in /proc/none: "), "{}", outcome.text);
    assert!(directory.path().join("report.html").exists());
}

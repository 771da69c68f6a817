//! The page of a report in a real browser: tables sort, search finds, dark and light, and hostile names stay text.

use crate::support::batch::Place;
use crate::support::browser::browse;
use crate::support::build::plain;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const HOSTILE: &str = "</script><img src=x onerror=\"window.pwned=1\"><b id=pwned>&amp;<!--";

/// Uses the page as a person would, and writes what it sees.
const VISITOR: &str = r##"{
const rows = (part) => [...document.querySelectorAll(`#${part} tbody tr:not(.gone)`)].map((row) => row.cells[0].textContent);
const click = (part, column) => document.querySelectorAll(`#${part} th button`)[column].click();
const seen = { groups: rows("ranks"), background: getComputedStyle(document.body).backgroundColor };
click("ranks", 0);
seen.ascending = rows("ranks");
click("ranks", 0);
seen.descending = rows("ranks");
const field = document.getElementById("search");
const search = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
search("EXITED");
seen.found = [rows("ranks"), document.getElementById("found").textContent];
search("no such text");
seen.nothing = rows("ranks");
search("");
seen.again = rows("ranks");
seen.tree = document.querySelector(".tree").textContent;
seen.limits = [...document.querySelectorAll("#limits tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent));
seen.output = [...document.querySelectorAll("#output tbody tr")].map((row) => row.cells[3].textContent);
seen.pwned = [window.pwned ?? null, document.getElementById("pwned"), document.images.length];
document.body.append(Object.assign(document.createElement("pre"), { id: "seen", textContent: encodeURIComponent(JSON.stringify(seen)) }));
}"##;

/// Opens a page, and returns what the visitor has seen.
#[track_caller]
fn visit(page: &Path, scheme: u8) -> Value {
    let dom = browse(page, &["--dump-dom", &format!("--blink-settings=preferredColorScheme={scheme}")]);
    let seen = dom.split_once("<pre id=\"seen\">").unwrap_or_else(|| panic!("{dom}")).1.split_once('<').unwrap().0;
    serde_json::from_str(&percent_decoded(seen)).unwrap()
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(&after[..2]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_browser_shows_the_report() {
    let directory = tempdir().unwrap();
    let (to, program) = (directory.path().display().to_string(), plain("triaged.c").display().to_string());
    let script = format!(
        "[1] go\n[1] wait exited for 60\n[2-10] next\n[2-10] next\n[2-10] next\n[2-10] next\nreport {to}\nkill\n"
    );
    let options = ["run", "--timeout", "80", "--batch", "-", "-n", "11", &program, "exit", "", HOSTILE];
    Place::new().run(&options, &script).expect(0);
    let page = fs::read_to_string(directory.path().join("report.html")).unwrap();
    let visited = directory.path().join("visited.html");
    fs::write(&visited, page.replace("</body>", &format!("<script>{VISITOR}</script></body>"))).unwrap();
    let light = visit(&visited, 1);
    assert_eq!(light["ascending"], serde_json::json!(["[0]", "[1]", "[2-10]"]), "{light:#}");
    assert_eq!(light["descending"], serde_json::json!(["[2-10]", "[1]", "[0]"]));
    assert_eq!(light["found"], serde_json::json!([["[1]"], "1 found"]));
    assert_eq!((&light["nothing"], light["again"].as_array().unwrap().len()), (&serde_json::json!([]), 3));
    assert!(light["tree"].as_str().unwrap().contains("main at "), "{light:#}");
    let limits = light["limits"].as_array().unwrap();
    assert!(
        limits.iter().any(|row| row[0] == "[0,2-10]" && row[1] == "open files" && row[4] == "files"),
        "{limits:#?}"
    );
    let output = light["output"].as_array().unwrap();
    assert!(output.iter().any(|line| line == HOSTILE), "{output:#?}");
    assert_eq!(light["pwned"], serde_json::json!([null, null, 0]), "names are text");
    let dark = visit(&visited, 0);
    assert_eq!((&light["background"], &dark["background"]), (&"rgb(255, 255, 255)".into(), &"rgb(20, 24, 31)".into()));
}

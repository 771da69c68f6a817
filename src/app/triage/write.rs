//! Writes a report to its directory.

use super::facts::facts;
use super::page::page;
use controller::JobReport;
use model::raw_word;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes `report.html` and `report.json` into a directory, which is created; returns an empty text, since there is
/// nothing to run. Files of an earlier report are replaced.
pub fn write_report(directory: &str, report: JobReport) -> Result<String, String> {
    let facts = facts(!report.knows_limits());
    let data = report.with_facts(facts).json();
    let directory = raw_word(directory);
    let directory = Path::new(&directory);
    let fault = |error: io::Error| format!("cannot write the report in {}: {error}", directory.display());
    fs::create_dir_all(directory).map_err(fault)?;
    for (name, text) in [("report.json", &data), ("report.html", &page(&data))] {
        replace(&directory.join(name), text).map_err(fault)?;
    }
    Ok(String::new())
}

/// Writes a file under another name first: a reader never finds a part of it, and a full disk keeps the old one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = fs::File::create(&new)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

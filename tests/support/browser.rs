//! The browser that opens pages without a screen.

use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::tempdir;

/// Opens a page with further options of the browser; returns what it prints.
#[track_caller]
pub fn browse(page: &Path, options: &[&str]) -> String {
    let profile = tempdir().unwrap();
    let browser = ["chromium-headless-shell", "chromium", "chromium-browser", "headless_shell"];
    let paths = ["/usr/bin", "/usr/lib64/chromium-browser", "/usr/lib/chromium"].map(Path::new);
    let known =
        browser.iter().flat_map(|name| paths.iter().map(move |path| path.join(name))).find(|path| path.exists());
    let mut command = Command::new(known.expect("tests/run installs a Chromium"));
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]).args(options);
    command.arg(format!("--user-data-dir={}", profile.path().display())).arg(format!("file://{}", page.display()));
    String::from_utf8(command.stdin(Stdio::null()).output().unwrap().stdout).unwrap()
}

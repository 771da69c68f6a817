//! Debuggees, compiled once per test binary.

use super::marks::source;
use std::{
    collections::HashMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};
use tempfile::TempDir;

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
    sweep(base);
    tempfile::Builder::new().prefix(&format!("programs-{}-", std::process::id())).tempdir_in(base).unwrap()
});

/// Removes the files of earlier runs: a static is never dropped.
fn sweep(base: &Path) {
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix("programs-")?.split('-').next()?.parse().ok());
        if pid.is_some_and(|pid: u32| !super::process::is_alive(pid)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

static NUMBER: AtomicU32 = AtomicU32::new(0);
type Cell = Arc<Mutex<Option<PathBuf>>>;
static BUILT: LazyLock<Mutex<HashMap<String, Cell>>> = LazyLock::new(Mutex::default);

/// Compiles a program of `tests/programs` with these options; the same options give the same file.
#[track_caller]
pub fn build(compiler: &str, file: &str, options: &[&str]) -> PathBuf {
    let key = format!("{compiler} {file} {}", options.join(" "));
    let cell = BUILT.lock().unwrap().entry(key.clone()).or_default().clone();
    let mut built = cell.lock().unwrap();
    if let Some(path) = &*built {
        return path.clone();
    }
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap();
    // Each has a directory of its own: two compilers may write the same name at the same time.
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = DIRECTORY.path().join(number.to_string());
    std::fs::create_dir_all(&directory).unwrap();
    let shared = options.contains(&"-shared");
    let path = directory.join(if shared { format!("lib{stem}.so") } else { stem.to_owned() });
    let output = Command::new(compiler)
        .arg("-o")
        .arg(&path)
        .arg(source(file))
        .args(options)
        // A Fortran compiler writes its module files into the current directory.
        .current_dir(&directory)
        .output()
        .unwrap_or_else(|error| panic!("{key}: {error}"));
    assert!(output.status.success(), "{key}:\n{}", String::from_utf8_lossy(&output.stderr));
    *built = Some(path.clone());
    path
}

/// With debug information and without optimisation.
#[track_caller]
pub fn plain(file: &str) -> PathBuf {
    build("gcc", file, &["-g", "-O0", "-pthread", "-ldl"])
}

/// Writes an executable shell script.
#[track_caller]
pub fn script(path: &Path, text: &str) {
    executable(path, format!("#!/bin/sh\n{text}\n").as_bytes());
}

/// Writes an executable file. Another process does it, and moves the file to its place: a test that forks meanwhile would
/// keep a file of this process open for writing, and nobody may execute such a file (`ETXTBSY`, execve(2)).
#[track_caller]
pub fn executable(path: &Path, bytes: &[u8]) {
    const WRITE: &str = r#"cat >"$1.$$" && chmod 755 "$1.$$" && mv "$1.$$" "$1""#;
    let mut shell = Command::new("/bin/sh").args(["-c", WRITE, "sh"]).arg(path).stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(bytes).unwrap();
    assert!(shell.wait().unwrap().success(), "{}", path.display());
}

//! P4: time from the start of the debugger until a breakpoint by function name or by line is set in a program with much
//! debug information, beside gdb (and lldb if installed) in the same run; with and without a kept index.
//!
//! `cargo bench --bench first_breakpoint` runs it; a number after `--` chooses how many units the program has.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Every unit includes these headers, and so most of the standard library's types.
const HEADERS: &str = "#include <algorithm>\n#include <functional>\n#include <iostream>\n#include <map>\n#include <memory>\n\
                       #include <regex>\n#include <string>\n#include <unordered_map>\n#include <vector>\n";

/// Time and memory from the start to the breakpoint.
#[derive(Clone, Copy, Debug)]
struct Figures {
    time: Duration,
    memory_kib: u64,
}

fn memory_kib(pid: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    pss.and_then(|rest| rest.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// A program of many units, each with functions of its own over the types of the standard library.
fn build(directory: &Path, units: u32) -> PathBuf {
    let mut compilers: Vec<Child> = Vec::new();
    let mut objects = Vec::new();
    for unit in 0..=units {
        let mut text = HEADERS.to_owned();
        for function in 0..12 {
            write!(
                text,
                "namespace unit{unit} {{ struct Record{function} {{ std::map<std::string, std::vector<int>> table; double weight; }};\n\
                 int function{function}(Record{function} &record, int n) {{ record.table[\"a\"].push_back(n); return n; }} }}\n"
            )
            .unwrap();
        }
        writeln!(
            text,
            "int target{unit}(int n) {{ unit{unit}::Record3 record{{}}; return unit{unit}::function3(record, n); }}"
        )
        .unwrap();
        if unit == units {
            for other in 0..units {
                writeln!(text, "int target{other}(int);").unwrap();
            }
            let calls: Vec<String> = (0..units).map(|other| format!("target{other}({other})")).collect();
            writeln!(text, "int main() {{ return ({}) == 0; }}", calls.join(" + ")).unwrap();
        }
        let source = directory.join(format!("unit{unit}.cpp"));
        std::fs::write(&source, text).unwrap();
        let object = source.with_extension("o");
        let compiler = Command::new("g++")
            .args(["-g", "-O0", "-fno-eliminate-unused-debug-types", "-c", "-o"])
            .arg(&object)
            .arg(&source)
            .spawn()
            .unwrap();
        objects.push(object);
        compilers.push(compiler);
        if compilers.len() == 2 {
            assert!(compilers.drain(..).all(|mut compiler| compiler.wait().unwrap().success()));
        }
    }
    assert!(compilers.drain(..).all(|mut compiler| compiler.wait().unwrap().success()));
    let program = directory.join("big");
    assert!(Command::new("g++").arg("-o").arg(&program).args(objects).status().unwrap().success());
    program
}

/// Starts a debugger, sends it a command and waits for a text; `pids` finds its processes.
fn measure(command: &mut Command, tell: &str, said: &str, pids: impl Fn(u32) -> Vec<u32>) -> Figures {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(tell.as_bytes()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = Vec::new();
    loop {
        line.clear();
        assert!(output.read_until(b'\n', &mut line).unwrap() > 0, "it ended before it said {said}");
        if String::from_utf8_lossy(&line).contains(said) {
            break;
        }
    }
    let time = start.elapsed();
    let memory_kib = pids(child.id()).into_iter().map(memory_kib).sum();
    drop(child.stdin.take());
    std::io::copy(&mut output, &mut std::io::sink()).unwrap();
    let _ = child.wait();
    Figures { time, memory_kib }
}

/// A debugger and the servers below it.
fn with_servers(pid: u32) -> Vec<u32> {
    let named = |entry: std::io::Result<std::fs::DirEntry>| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
        name.starts_with("rankscope-sdm").then_some(pid)
    };
    std::fs::read_dir("/proc").unwrap().filter_map(named).chain([pid]).collect()
}

fn ours(program: &Path, function: &str, cache: &Path) -> Figures {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["run", "--json", "--batch", "-", "-n", "1", "--"]).arg(program).env("XDG_CACHE_HOME", cache);
    measure(&mut command, &format!("break {function}\n"), "\"done\"", with_servers)
}

fn gdb(program: &Path, function: &str) -> Figures {
    let mut command = Command::new("gdb");
    command.args(["-q", "-nx", "--interpreter=mi3"]).arg(program);
    measure(&mut command, &format!("-break-insert {function}\n"), "^done,bkpt", |pid| vec![pid])
}

fn lldb(program: &Path, location: &str) -> Figures {
    let mut command = Command::new("lldb");
    command.args(["-x", "--"]).arg(program);
    let place = location
        .split_once(':')
        .map_or_else(|| format!("-n {location}"), |(file, line)| format!("-f {file} -l {line}"));
    measure(&mut command, &format!("breakpoint set {place}\n"), "Breakpoint 1:", |pid| vec![pid])
}

fn row(what: &str, figures: Figures, peer: Figures) {
    let ratio = peer.time.as_secs_f64() / figures.time.as_secs_f64();
    let memory = figures.memory_kib as f64 / 1024.;
    println!("{what:<32} {:>8.3} s {memory:>9.1} MiB {ratio:>8.1}x", figures.time.as_secs_f64());
}

fn main() {
    let units = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(40);
    let directory = std::env::temp_dir().join(format!("rankscope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let program = build(&directory, units);
    let size = program.metadata().unwrap().len() as f64 / f64::from(1 << 20);
    // The line of that function: after the headers and twelve records and functions of a line each.
    let (function, line) = (format!("target{}", units / 2), format!("unit{}.cpp:34", units / 2));
    println!("P4 first breakpoint, a program of {units} units and {size:.0} MiB      peer's time / ours");
    // Puts the files into the page cache for all debuggers.
    gdb(&program, &function);
    for (what, location) in [("", &function), (", a line", &line)] {
        let peer = gdb(&program, location);
        row(&format!("gdb{what}"), peer, peer);
        if Command::new("lldb").arg("--version").stdout(Stdio::null()).status().is_ok() {
            row(&format!("lldb{what}"), lldb(&program, location), peer);
        }
        let nothing_kept = directory.join(format!("cache{}", what.len()));
        row(&format!("rankscope{what}"), ours(&program, location, &nothing_kept), peer);
        let kept = std::fs::read_dir(nothing_kept.join("rankscope/index")).map_or(0, Iterator::count);
        assert!(kept > 0, "no index was kept");
        row(&format!("rankscope, index kept{what}"), ours(&program, location, &nothing_kept), peer);
    }
    if Command::new("gdb-add-index").arg(&program).status().is_ok_and(|status| status.success()) {
        for (what, location) in [("", &function), (", a line", &line)] {
            let nothing_kept = directory.join(format!("nothing{}", what.len()));
            let peer = gdb(&program, location);
            row(&format!("gdb, .gdb_index{what}"), peer, peer);
            row(&format!("rankscope, .gdb_index{what}"), ours(&program, location, &nothing_kept), peer);
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
}

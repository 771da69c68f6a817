//! The cost of a debugger to one running process: false conditions (P1), libraries loaded and unloaded (P5), a
//! watchpoint that never changes (P9). Beside gdb and, if installed, lldb in the same run.
//! The program's own clock measures, so starting and leaving do not count. `cargo bench --bench one_process` runs it; a
//! number after `--` is the number of repetitions, of which the fastest counts. Nothing here passes or fails by the
//! clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// False arrivals under each debugger: enough for about a second.
const ARRIVALS: u32 = 20_000;
const LOADS: u32 = 1000;
const SPINS: u32 = 200_000_000;

/// True if a complete lldb is installed: one without its Python part prints an error at every command, and is slow.
fn lldb_works() -> bool {
    let asked = Command::new("lldb").args(["-x", "-b", "-o", "script print(6 * 7)"]).stdin(Stdio::null()).output();
    asked.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).lines().any(|line| line == "42"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    Nobody,
    Gdb,
    Lldb,
    /// Rankscope with these options.
    Rankscope(&'static [&'static str]),
}

impl Runner {
    fn name(self) -> &'static str {
        match self {
            Self::Nobody => "undebugged",
            Self::Gdb => "gdb",
            Self::Lldb => "lldb",
            Self::Rankscope(_) => "rankscope",
        }
    }

    fn is_here(self) -> bool {
        self != Self::Lldb || lldb_works()
    }
}

/// The setting made at the stop in `main` before the program continues.
#[derive(Clone, Copy)]
enum Point {
    Nothing,
    Break(&'static str, &'static str),
    Watch(&'static str),
}

impl Point {
    /// The commands for gdb and for us. They follow a `print`, so that debug information is not read while the program
    /// runs.
    fn of_gdb(self) -> Vec<String> {
        let point = match self {
            Self::Nothing => None,
            Self::Break(place, condition) => Some(format!("break {place} if {condition}")),
            Self::Watch(name) => Some(format!("watch {name}")),
        };
        std::iter::once("print guarded".to_owned()).chain(point).collect()
    }

    fn of_lldb(self) -> Vec<String> {
        let point = match self {
            Self::Nothing => None,
            Self::Break(place, condition) => Some(format!("breakpoint set -n {place} -c '{condition}'")),
            Self::Watch(name) => Some(format!("watchpoint set variable {name}")),
        };
        std::iter::once("print guarded".to_owned()).chain(point).collect()
    }
}

/// The program with its directory and its libraries.
struct Program {
    directory: PathBuf,
    path: PathBuf,
    library: PathBuf,
}

impl Program {
    fn build() -> Self {
        let directory = std::env::temp_dir().join(format!("rankscope-bench-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bench");
        let compile = |source: &str, name: &str, options: &[&str]| {
            let target = directory.join(name);
            let mut compiler = Command::new("cc");
            compiler.args(["-g", "-O0"]).arg(sources.join(source)).arg("-o").arg(&target).args(options);
            assert!(compiler.status().is_ok_and(|status| status.success()), "cc cannot build {source}");
            target
        };
        let path = compile("timed.c", "timed", &["-ldl"]);
        let library = compile("plug.c", "libplug.so", &["-shared", "-fPIC"]);
        Self { directory, path, library }
    }

    /// The time that the program reports.
    fn run(&self, runner: Runner, point: Point, kind: &str, count: u32) -> Duration {
        let arguments = [kind.to_owned(), count.to_string(), self.library.display().to_string()];
        let mut command = match runner {
            Runner::Nobody => Command::new(&self.path),
            Runner::Gdb => {
                let mut gdb = Command::new("gdb");
                gdb.args(["-q", "-nx", "-batch", "-ex", "break main", "-ex", "run"]);
                for line in point.of_gdb() {
                    gdb.args(["-ex", &line]);
                }
                gdb.args(["-ex", "continue", "--args"]).arg(&self.path);
                gdb
            }
            Runner::Lldb => {
                let mut lldb = Command::new("lldb");
                lldb.args(["-x", "-b", "-o", "breakpoint set -n main", "-o", "run"]);
                for line in point.of_lldb() {
                    lldb.args(["-o", &line]);
                }
                lldb.args(["-o", "continue", "--"]).arg(&self.path);
                lldb
            }
            Runner::Rankscope(options) => {
                let script = self.directory.join("script");
                let lines: Vec<String> =
                    point.of_gdb().into_iter().chain(["continue".to_owned(), "wait exited".to_owned()]).collect();
                std::fs::write(&script, lines.join("\n")).unwrap();
                let mut rankscope = Command::new(env!("CARGO_BIN_EXE_rankscope"));
                rankscope.arg("run").args(options).args(["-n", "1", "--batch"]).arg(&script).arg("--").arg(&self.path);
                rankscope
            }
        };
        let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let said = text.split("elapsed ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        Duration::from_nanos(
            said.unwrap_or_else(|| panic!("{}: {text}{}", runner.name(), { String::from_utf8_lossy(&output.stderr) })),
        )
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Runs all debuggers in turn, so that other load on the machine affects all of them; of each the fastest run counts.
fn compare(
    program: &Program,
    times: u32,
    title: &str,
    (kind, count): (&str, u32),
    point: Point,
    ours: &[(&str, Runner)],
) {
    let peers = [Runner::Nobody, Runner::Gdb, Runner::Lldb].into_iter().filter(|runner| runner.is_here());
    let mut rows: Vec<(&str, Runner, f64)> = peers.map(|peer| (peer.name(), peer, f64::INFINITY)).collect();
    rows.extend(ours.iter().map(|(name, runner)| (*name, *runner, f64::INFINITY)));
    for _ in 0..times {
        for (_, runner, fastest) in &mut rows {
            let round = program.run(*runner, point, kind, count).as_secs_f64() / f64::from(count);
            *fastest = fastest.min(round);
        }
    }
    let of = |wanted| rows.iter().find(|(_, runner, _)| *runner == wanted).map_or(f64::NAN, |row| row.2);
    let (bare, gdb) = (of(Runner::Nobody), of(Runner::Gdb));
    println!("\n{title:<44} {:>15} {:>10} {:>13}", "a round", "gdb / it", "it / nobody");
    for (name, _, seconds) in &rows {
        println!("{name:<44} {:>12.3} us {:>9.1}x {:>12.2}x", seconds * 1e6, gdb / seconds, seconds / bare);
    }
}

fn main() {
    let times = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(3);
    let program = Program::build();
    let plain: &[(&str, Runner)] = &[("rankscope", Runner::Rankscope(&[]))];
    let never = Point::Break("work", "round == 999999999");
    compare(&program, times, "P1 a condition that is false", ("calls", ARRIVALS), never, plain);
    let modes: &[(&str, Runner)] = &[
        ("rankscope, slow: each reported", Runner::Rankscope(&["--dlopen-always-recalculate"])),
        (
            "rankscope, medium: none matches",
            Runner::Rankscope(&["--no-dlopen-always-recalculate", "--dlopen-recalculate-on-match", "libother*"]),
        ),
        ("rankscope, fast", Runner::Rankscope(&["--no-dlopen-always-recalculate"])),
        ("rankscope, auto", Runner::Rankscope(&[])),
    ];
    let libraries = "P5 dlopen and dlclose of a small library";
    compare(&program, times, libraries, ("loads", LOADS), Point::Nothing, modes);
    compare(
        &program,
        times,
        "P9 a watchpoint on what does not change",
        ("spins", SPINS),
        Point::Watch("guarded"),
        plain,
    );
    if !Runner::Lldb.is_here() {
        println!(
            "\nThere is no lldb, or it does not find its Python (PYTHONPATH is to name where its package lldb is)."
        );
    }
}

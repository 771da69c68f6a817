//! gdb running on one program: a gdb of its own, or the gdb engine's through a second interface of that gdb.

use crate::mi::{Value, fields, unquoted};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;

/// The beginning of gdb's message about a bug of its own.
const INTERNAL_ERROR: &str = "internal-error: ";

pub struct Judge {
    input: Box<dyn Write>,
    /// Returns gdb's next line; empty at the end.
    line: Box<dyn FnMut() -> Vec<u8>>,
    of: Of,
    /// The frame selected for questions.
    level: u32,
    /// True if gdb selects other frames in between: for the engine, or in Rust printers where functions are inlined.
    pub loses_frames: bool,
    /// Failures of pretty-printers or of gdb itself during the last command; of a value whose printer fails gdb shows
    /// nothing or only the beginning.
    pub mishaps: Vec<String>,
}

/// The owner of the gdb process.
enum Of {
    /// A gdb started for the test.
    Own(Child),
    /// The engine's gdb, which selects other frames in between.
    Engine,
}

/// A terminal for a second interface of a running gdb.
pub struct Terminal {
    master: OwnedFd,
    slave: OwnedFd,
}

impl Terminal {
    pub fn new() -> Self {
        let pair = nix::pty::openpty(None, None).unwrap();
        let mut attributes = tcgetattr(&pair.slave).unwrap();
        cfmakeraw(&mut attributes);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &attributes).unwrap();
        Self { master: pair.master, slave: pair.slave }
    }

    /// The gdb command that opens an interface on the terminal.
    pub fn command(&self) -> String {
        format!("new-ui mi3 {}", nix::unistd::ttyname(&self.slave).unwrap().display())
    }
}

/// The result of a gdb command.
pub struct Said {
    /// The class of the result: `done`, `running`, `error`.
    pub class: String,
    pub record: Value,
    /// Its console output.
    pub console: String,
}

/// The program's state after it was resumed.
#[derive(Debug)]
pub enum Ran {
    Stopped,
    Ended,
}

fn lines(from: impl Read) -> impl FnMut() -> Vec<u8> {
    let mut from = BufReader::new(from);
    move || {
        let mut line = Vec::new();
        // Reading a terminal without another side is an error.
        let _ = from.read_until(b'\n', &mut line);
        line
    }
}

impl Judge {
    /// Loads a program without starting it.
    pub fn new(program: &Path, arguments: &[String]) -> Self {
        let mut command = Command::new("gdb");
        command.args(["-q", "-nx", "-i=mi3", "--args"]).arg(program).args(arguments);
        command
            .env("LC_ALL", "C.UTF-8")
            .env_remove("LINES")
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let line = Box::new(lines(output));
        let mut judge = Self {
            input: Box::new(input),
            line,
            of: Of::Own(child),
            level: 0,
            loses_frames: false,
            mishaps: Vec::new(),
        };
        judge.prompt();
        judge.ask("-interpreter-exec console \"maintenance set internal-error quit no\"");
        judge.ask("-interpreter-exec console \"maintenance set internal-error corefile no\"");
        for setting in [
            "debuginfod enabled off",
            "width 0",
            "height 0",
            "confirm off",
            "startup-with-shell off",
            "inferior-tty /dev/null",
            "breakpoint pending off",
            "print entry-values no",
        ] {
            assert_eq!(judge.ask(&format!("-gdb-set {setting}")).class, "done", "{setting}");
        }
        judge
    }

    /// Makes gdb use the printers of another libstdc++ than the one that the program is linked with.
    pub fn use_printers_in(&mut self, directory: &Path) {
        let line = format!(
            "import sys; sys.path.insert(0, '{}'); import libstdcxx.v6; libstdcxx.v6.register_libstdcxx_printers(None)",
            directory.display()
        );
        let said = self.ask(&format!("-interpreter-exec console \"python {line}\""));
        assert_eq!(said.class, "done", "{}", said.console);
    }

    /// Uses the engine's gdb, which has an interface on this terminal, with the engine's settings.
    pub fn of_engine(terminal: Terminal) -> Self {
        let Terminal { master, slave } = terminal;
        // When gdb ends, nobody else must hold this side open.
        drop(slave);
        let input = File::from(master.try_clone().unwrap());
        let (sender, receiver) = channel();
        // Unread output would block gdb while the engine waits for it.
        std::thread::spawn(move || {
            let mut next = lines(File::from(master));
            loop {
                let line = next();
                if line.is_empty() || sender.send(line).is_err() {
                    return;
                }
            }
        });
        let line = Box::new(move || receiver.recv().unwrap_or_default());
        let mut judge =
            Self { input: Box::new(input), line, of: Of::Engine, level: 0, loses_frames: true, mishaps: Vec::new() };
        judge.prompt();
        judge
    }

    /// Selects the frame for the following questions; returns true if it exists.
    pub fn select(&mut self, level: u32) -> bool {
        self.level = level;
        self.ask(&format!("-stack-select-frame {level}")).class == "done"
    }

    fn prompt(&mut self) -> (Option<(String, Value)>, String, Vec<String>) {
        let (mut result, mut console, mut events) = (None, String::new(), Vec::new());
        loop {
            let line = (self.line)();
            assert!(!line.is_empty(), "gdb has ended");
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            match line.chars().next() {
                _ if line == "(gdb)" => return (result, console, events),
                Some('~') => console.push_str(&unquoted(line.get(1..).unwrap_or_default())),
                Some('^') => {
                    let (class, rest) = line.get(1..).unwrap_or_default().split_once(',').unwrap_or((&line[1..], ""));
                    result = Some((class.to_owned(), fields(rest)));
                }
                Some('*') => events.push(line.to_owned()),
                Some('&') => {
                    let words = unquoted(line.get(1..).unwrap_or_default()).trim_end().to_owned();
                    let mishap = words.starts_with("Python Exception") || words.contains(INTERNAL_ERROR);
                    self.mishaps.extend(mishap.then_some(words));
                }
                _ => {}
            }
        }
    }

    /// Runs a command that does not resume the program.
    pub fn ask(&mut self, command: &str) -> Said {
        writeln!(self.input, "{command}").unwrap();
        self.mishaps.clear();
        loop {
            if let (Some((class, record)), console, _) = self.prompt() {
                return Said { class, record, console };
            }
        }
    }

    /// True if the last command met a bug of gdb.
    pub fn has_erred(&self) -> bool {
        self.mishaps.iter().any(|mishap| mishap.contains(INTERNAL_ERROR))
    }

    /// Runs a CLI command; returns its output, or the error.
    pub fn command(&mut self, command: &str) -> Result<String, String> {
        let (written, refused) = self.output(command);
        refused.map_or(Ok(written), Err)
    }

    /// Runs a CLI command; returns its output, and the error that ended it.
    pub fn output(&mut self, command: &str) -> (String, Option<String>) {
        // gdb loses a selection that is not its latest.
        let context = if !self.loses_frames {
            String::new()
        } else {
            let threads = self.ask("-thread-info").record;
            let thread = threads.text("current-thread-id");
            if thread.is_empty() { String::new() } else { format!("--thread {thread} --frame {} ", self.level) }
        };
        let quoted = command.replace('\\', "\\\\").replace('"', "\\\"");
        let said = self.ask(&format!("-interpreter-exec {context}console \"{quoted}\""));
        let refused = (said.class != "done").then(|| said.record.text("msg").to_owned());
        (said.console.trim_end().to_owned(), refused)
    }

    /// Resumes the program and waits for its stop.
    pub fn run(&mut self, command: &str) -> Ran {
        writeln!(self.input, "{command}").unwrap();
        loop {
            let (result, _, events) = self.prompt();
            let refused = result.is_some_and(|(class, _)| class == "error");
            if refused || events.iter().any(|event| event.contains("reason=\"exited")) {
                return Ran::Ended;
            }
            if events.iter().any(|event| event.starts_with("*stopped")) {
                return Ran::Stopped;
            }
        }
    }

    pub fn pid(&mut self) -> i32 {
        let said = self.ask("-list-thread-groups");
        let groups = said.record.list("groups");
        groups.iter().find_map(|group| group.text("pid").parse().ok()).expect("a process")
    }

    /// The values of all registers by name, in hexadecimal.
    pub fn registers(&mut self) -> Vec<(String, String)> {
        let names = self.ask("-data-list-register-names").record;
        // Fortran has another notation for vectors.
        self.ask("-gdb-set language c");
        let values = self.ask("-data-list-register-values --skip-unavailable x").record;
        self.ask("-gdb-set language auto");
        let names: Vec<String> = names
            .list("register-names")
            .iter()
            .map(|name| if let Value::Text(name) = name { name.clone() } else { String::new() })
            .collect();
        let values = values.list("register-values").iter().filter_map(|value| {
            let number: usize = value.text("number").parse().ok()?;
            Some((names.get(number)?.clone(), value.text("value").to_owned()))
        });
        values.collect()
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        if let Of::Own(child) = &mut self.of {
            let _ = writeln!(self.input, "-interpreter-exec console kill\n-gdb-exit");
            let _ = child.wait();
        }
    }
}

//! A client of the base dialect that works on bytes, and the master that serves it.

use super::process::Guard;
use super::wait::{LIMIT, wait_for};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

/// A master in a runtime directory of its own, and the client's end of the link.
pub struct Bench {
    pub link: TcpStream,
    master: Guard,
    runtime: Arc<tempfile::TempDir>,
    program: PathBuf,
}

impl Bench {
    /// A master for four simulated ranks.
    pub fn new(options: &[&str]) -> Self {
        Self::on(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/point.c")), "fake", options)
    }

    /// A master for four ranks of a program.
    pub fn on(program: &Path, engine: &str, options: &[&str]) -> Self {
        let engine = ["--engine", engine];
        Self::with(program, &[&engine, options].concat())
    }

    pub fn with(program: &Path, options: &[&str]) -> Self {
        let runtime = Arc::new(tempfile::tempdir().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
        command.args(["--master", "--port", "0", "--ranks", "4"]).args(options);
        command.env("XDG_RUNTIME_DIR", runtime.path()).stdout(Stdio::piped()).stdin(Stdio::null());
        let mut master = Guard::spawn(&mut command);
        let mut line = String::new();
        BufReader::new(master.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.rsplit(' ').next().unwrap().trim();
        Self::over(TcpStream::connect(address).unwrap(), master, runtime, program)
    }

    /// With a master that is connected already.
    pub fn over(link: TcpStream, master: Guard, runtime: Arc<tempfile::TempDir>, program: &Path) -> Self {
        link.set_read_timeout(Some(LIMIT)).unwrap();
        Self { link, master, runtime, program: program.to_owned() }
    }

    pub fn say(&mut self, id: u16, tid: u32, arguments: &[&str]) {
        let text = packet(id, tid, arguments);
        self.link.write_all(text.as_bytes()).unwrap();
    }

    /// The next packet as received.
    pub fn hear(&mut self) -> String {
        let mut length = [0; 8];
        self.link.read_exact(&mut length).unwrap();
        let length = String::from_utf8(length.to_vec()).unwrap();
        let mut rest = vec![0; usize::from_str_radix(&length, 16).unwrap()];
        self.link.read_exact(&mut rest).unwrap();
        length + &String::from_utf8(rest).unwrap()
    }

    /// Reads replies to run control until every one of these ranks has reported the event, each after its OK (an
    /// interrupt has none), in however many parts; returns the events, and all other packets.
    pub fn hear_run(&mut self, tid: u32, event: u16, ranks: u8, is_acknowledged: bool) -> (Vec<String>, Vec<String>) {
        let (mut events, mut others) = (Vec::new(), Vec::new());
        let (mut acknowledged, mut reported) = (if is_acknowledged { 0 } else { ranks }, 0);
        while reported != ranks || acknowledged != ranks {
            let text = self.hear();
            let is = |id: u16| text.contains(&format!(" {id:04x}:{tid:08x}:"));
            let set = text.split(" 00000004:4:").nth(1).and_then(|rest| rest.get(..2));
            let set = set.and_then(|set| u8::from_str_radix(set, 16).ok()).unwrap_or_default();
            if is(111) {
                assert_eq!(acknowledged & set, 0, "a second OK: {text}");
                acknowledged |= set;
            } else if is(event) {
                assert_eq!((reported & set, acknowledged & set), (0, set), "twice, or before its OK: {text}");
                reported |= set;
                events.push(text);
            } else {
                others.push(text);
            }
        }
        (events, others)
    }

    pub fn start(&mut self) {
        let directory = self.program.parent().unwrap().display().to_string();
        let name = self.program.file_name().unwrap().to_str().unwrap().to_owned();
        self.say(1, 1, &[&name, &directory, &directory]);
        assert_eq!(self.hear(), "00000025 006f:00000001:00000001 00000004:4:0f");
    }

    pub fn master(&self) -> i32 {
        self.master.0.id() as i32
    }

    /// Ends the master, even with unread packets.
    pub fn ends(mut self) {
        assert!(self.master.wait().success());
    }

    /// Closes the link, and checks that the master ends and nothing is left of the session.
    pub fn end(mut self) {
        let mut rest = Vec::new();
        self.link.read_to_end(&mut rest).unwrap();
        assert_eq!(String::from_utf8_lossy(&rest), "");
        assert!(self.master.wait().success());
        let sessions = self.runtime.path().join("rankscope");
        let left = || std::fs::read_dir(&sessions).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
        wait_for("the session directory to go", || left().is_empty().then_some(()));
    }
}

/// A packet by the rules of the wire, section 1.
pub fn packet(id: u16, tid: u32, arguments: &[&str]) -> String {
    let mut body = format!(" {id:04x}:{tid:08x}:{:08x}", arguments.len());
    for argument in arguments {
        body += &format!(" {:08x}:{argument}", argument.len());
    }
    format!("{:08x}{body}", body.len())
}

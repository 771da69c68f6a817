//! A program on a terminal of its own, driven by keys and checked by its screen.

use super::wait::{wait_for, wait_on};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::{
    ffi::OsStr,
    io::{Read, Write},
    num::NonZeroU16,
    path::Path,
    sync::{Arc, Mutex},
    thread,
};
use tempfile::TempDir;

/// A running program with its terminal. Killed when dropped.
pub struct Terminal {
    parser: Arc<Mutex<vt100::Parser>>,
    written: Arc<Mutex<Vec<u8>>>,
    reader: thread::JoinHandle<()>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    answer: Arc<Mutex<Option<Answer>>>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// Home, configuration and sessions of the program.
    pub home: Arc<TempDir>,
    /// True if its sessions shall outlive it.
    is_hung_up: bool,
}

/// What the terminal itself answers, as often as it is asked.
struct Answer {
    question: String,
    words: String,
    asked: usize,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn at_least_one(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN)
}

impl Terminal {
    /// Starts a program on a terminal of this size, with a home and a session directory of its own.
    #[track_caller]
    pub fn start<S: AsRef<OsStr>>(program: &str, arguments: &[S], (columns, rows): (u16, u16)) -> Self {
        Self::start_at(Arc::new(TempDir::new().unwrap()), program, arguments, (columns, rows))
    }

    /// The same with the home of another terminal.
    #[track_caller]
    pub fn start_at<S: AsRef<OsStr>>(
        home: Arc<TempDir>,
        program: &str,
        arguments: &[S],
        (columns, rows): (u16, u16),
    ) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(home.path());
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("COLORTERM", "truecolor")] {
            command.env(name, value);
        }
        for name in ["HOME", "XDG_RUNTIME_DIR"] {
            command.env(name, home.path());
        }
        for name in ["NO_COLOR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "LC_ALL"] {
            command.env_remove(name);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new(at_least_one(rows), at_least_one(columns), 0);
        let parser = Arc::new(Mutex::new(parser));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let screen = parser.clone();
        let written = Arc::new(Mutex::new(Vec::new()));
        let all = written.clone();
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let answer = Arc::new(Mutex::new(None));
        let (out, answers) = (writer.clone(), answer.clone());
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                screen.lock().unwrap().process(&bytes[..read]);
                let mut all = all.lock().unwrap();
                all.extend_from_slice(&bytes[..read]);
                let mut answers = answers.lock().unwrap();
                let Some(Answer { question, words, asked }) = answers.as_mut() else { continue };
                let times = String::from_utf8_lossy(&all).matches(question.as_str()).count();
                for _ in std::mem::replace(asked, times)..times {
                    let _ = out.lock().unwrap().write_all(words.as_bytes());
                }
            }
        });
        Self { parser, written, reader, writer, answer, master: pair.master, child, home, is_hung_up: false }
    }

    /// Types text; `\r` is enter, `\u{3}` is ctrl-c, `\u{1b}` is escape.
    pub fn send(&mut self, keys: &str) -> &mut Self {
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
        drop(writer);
        self
    }

    /// Answers a question of the program from now on, as the terminal itself.
    pub fn answer(&mut self, question: &str, words: &str) -> &mut Self {
        let (question, words) = (question.to_owned(), words.to_owned());
        *self.answer.lock().unwrap() = Some(Answer { question, words, asked: 0 });
        self
    }

    /// Everything written to the terminal until now.
    pub fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned()
    }

    /// Resizes the terminal.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.parser.lock().unwrap().screen_mut().set_size(at_least_one(rows), at_least_one(columns));
        self.master.resize(size(columns, rows)).unwrap();
        self
    }

    /// The text on the screen.
    pub fn text(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    /// The screen with its colours.
    pub fn screen(&self) -> vt100::Screen {
        self.parser.lock().unwrap().screen().clone()
    }

    /// Waits until the screen is as wanted; panics with its text otherwise.
    #[track_caller]
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> &mut Self {
        let look = |terminal: &mut Self| wanted(&terminal.text()).then_some(());
        wait_on(self, look, |terminal| format!("{what}; the screen:\n{}", terminal.text()));
        self
    }

    /// Waits until all these words are on the screen.
    #[track_caller]
    pub fn see(&mut self, words: &[&str]) -> &mut Self {
        self.until(&format!("{words:?}"), |text| words.iter().all(|word| text.contains(word)))
    }

    /// True if the program uses the whole terminal.
    pub fn is_taken(&self) -> bool {
        self.parser.lock().unwrap().screen().alternate_screen()
    }

    /// Everything written to the terminal; waits until no process has it open.
    #[track_caller]
    pub fn written(&self) -> String {
        wait_for("everybody to close the terminal", || self.reader.is_finished().then_some(()));
        String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned()
    }

    /// Waits until the terminal is restored: its own screen, its cursor.
    #[track_caller]
    pub fn until_given_back(&mut self) -> &mut Self {
        wait_for("the terminal to be given back", || {
            let parser = self.parser.lock().unwrap();
            (!parser.screen().alternate_screen() && !parser.screen().hide_cursor()).then_some(())
        });
        self
    }

    /// True if the program has enabled the mouse or bracketed paste.
    pub fn is_asking_for_the_mouse_or_pastes(&self) -> bool {
        let parser = self.parser.lock().unwrap();
        let screen = parser.screen();
        screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None || screen.bracketed_paste()
    }

    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits for its exit status, within the limit.
    #[track_caller]
    pub fn exit_status(&mut self) -> u32 {
        let words = |terminal: &Self| format!("the end of the program; its screen:\n{}", terminal.text());
        wait_on(self, |terminal| terminal.child.try_wait().unwrap(), words).exit_code()
    }

    /// Ends as when an SSH connection is cut: the terminal's session leader is gone, and the terminal with it
    /// (credentials(7)). Its debug sessions stay.
    pub fn hang_up(mut self) {
        self.is_hung_up = true;
    }

    /// The masters of the sessions started here.
    pub fn masters(&self) -> Vec<u32> {
        let sessions = self.home.path().join("rankscope");
        let entries = std::fs::read_dir(sessions).into_iter().flatten().flatten();
        entries.filter_map(|entry| master_of(&entry.path())).collect()
    }
}

fn master_of(session: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(session.join("session.json")).ok()?;
    let info: serde_json::Value = serde_json::from_str(&text).ok()?;
    u32::try_from(info.get("master")?.as_u64()?).ok().filter(|&pid| pid > 0)
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if self.is_hung_up {
            return;
        }
        for pid in self.masters() {
            if let Ok(pid) = i32::try_from(pid) {
                // An orderly end: the master ends its servers and their ranks.
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGTERM);
            }
        }
    }
}

//! One gdb: its process, its pipes, and commands matched with their answers by token.

use super::activity::{Work, until_next_look};
use super::device_focus::DeviceFocus;
use super::fault::GdbError;
use super::options::GdbOptions;
use crate::gdb::messages::{Input, Order};
use crate::gdb::mi::{Command, Decoder, Kind, Record, Results, StreamKind};
use std::collections::VecDeque;
use std::io::{PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Maximum number of bytes of console output kept per answer.
const MOST_WORDS: usize = 1 << 20;
/// Number of last lines outside GDB/MI to keep: they show why gdb has ended.
const LAST_LINES: usize = 4;

/// gdb's answer to the command in which it had an internal error.
const GIVEN_UP: &str = "Command aborted.";

/// An asynchronous record, or text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) enum News {
    /// `*…` and `=…`.
    Async(Kind, String, Results),
    /// Console, target or log output.
    Words(StreamKind, String),
}

#[derive(Clone, Debug, Default)]
pub(in crate::gdb) struct Answered {
    /// `done` or `running`.
    pub(in crate::gdb) class: String,
    pub(in crate::gdb) results: Results,
    /// Console output before the answer.
    pub(in crate::gdb) words: String,
}

/// Time limit for the last output of a gdb that has ended.
const FAREWELL: Duration = Duration::from_secs(1);

pub(in crate::gdb) struct Link {
    child: Child,
    stdin: ChildStdin,
    inputs: Receiver<Input>,
    token: u64,
    patience: Duration,
    /// News that arrived while a command waited for its answer.
    news: VecDeque<News>,
    orders: VecDeque<Order>,
    last_lines: VecDeque<String>,
    /// The internal error that gdb logged last.
    internal: Option<String>,
    /// The thread of a GPU that has stopped.
    device: Option<DeviceFocus>,
    gone: bool,
    /// True once its output has been read to the end.
    silent: bool,
}

impl Link {
    /// Starts gdb and a thread that reads its output.
    pub(in crate::gdb) fn start(
        options: &GdbOptions,
        inputs: Receiver<Input>,
        tell: Sender<Input>,
    ) -> Result<Self, GdbError> {
        let path = options.path.display().to_string();
        let fault = |why: std::io::Error| {
            GdbError::Gone(format!(
                "cannot start gdb: {path}: {why}. Install gdb, or name another with --gdb PATH, or use --engine native"
            ))
        };
        let started = || -> std::io::Result<(Child, PipeReader)> {
            let (reader, writer) = std::io::pipe()?;
            let mut command = std::process::Command::new(&options.path);
            command.args(["--nx", "--quiet", "--interpreter=mi3"]);
            // gdb starts programs through the shell; the redirections are in the syntax of sh.
            command.env("SHELL", "/bin/sh").stdin(Stdio::piped()).stdout(writer.try_clone()?).stderr(writer);
            // An interrupt on the front end's terminal must not reach gdb.
            Ok((command.process_group(0).spawn()?, reader))
        };
        let (mut child, reader) = started().map_err(fault)?;
        let read = move || read_all(reader, &tell);
        let thread = std::thread::Builder::new().name("gdb-reader".to_owned()).spawn(read);
        match (child.stdin.take(), thread) {
            (Some(stdin), Ok(_)) => Ok(Self {
                child,
                stdin,
                inputs,
                token: 0,
                patience: options.patience,
                news: VecDeque::new(),
                orders: VecDeque::new(),
                last_lines: VecDeque::new(),
                internal: None,
                device: None,
                gone: false,
                silent: false,
            }),
            (_, thread) => {
                let _ = child.kill();
                let _ = child.wait();
                let why = thread.err().unwrap_or_else(|| std::io::Error::other("no pipe to it"));
                Err(fault(why))
            }
        }
    }

    pub(in crate::gdb) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command and waits for the answer. An answer of class `error` becomes [`GdbError::Refused`].
    pub(in crate::gdb) fn ask(&mut self, command: &Command) -> Result<Answered, GdbError> {
        self.ask_for(command, self.patience)
    }

    /// Like [`Self::ask`], with another timeout.
    pub(in crate::gdb) fn ask_for(&mut self, command: &Command, patience: Duration) -> Result<Answered, GdbError> {
        let Some(device) = &mut self.device else { return self.exchange(command, patience) };
        let (before, directed) = device.direct(command);
        for before in before {
            match self.exchange(&before, patience) {
                Ok(_) => {}
                // The thread of the GPU is gone.
                Err(GdbError::Refused(why)) if before.name() == "interpreter-exec" => {
                    tracing::debug!("{before}: {why}");
                    self.device = None;
                    return self.exchange(command, patience);
                }
                Err(error) => return Err(error),
            }
        }
        let answered = self.exchange(&directed, patience)?;
        if let Some(device) = &mut self.device {
            device.heard(&answered.words);
        }
        Ok(answered)
    }

    fn exchange(&mut self, command: &Command, patience: Duration) -> Result<Answered, GdbError> {
        if self.gone {
            return Err(GdbError::Gone("its gdb has ended".to_owned()));
        }
        self.token += 1;
        let token = self.token;
        tracing::trace!(gdb = self.child.id(), "{token}-{command}");
        if self.stdin.write_all(command.line(token).as_bytes()).and_then(|()| self.stdin.flush()).is_err() {
            return Err(self.ended());
        }
        let begun = Instant::now();
        let end = begun + patience;
        let mut words = String::new();
        let mut work = None;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.inputs.recv_timeout(until_next_look(left).min(self.patience)) {
                Ok(Input::Order(order)) => self.orders.push_back(order),
                Ok(Input::Said(Record::Result { token: Some(of), class, results })) if of == token => {
                    tracing::trace!(gdb = self.child.id(), "{token}^{class},{results}");
                    return match class.as_str() {
                        "error" => Err(GdbError::Refused(self.refusal(&results))),
                        _ => Ok(Answered { class, results, words }),
                    };
                }
                Ok(Input::Said(record)) => {
                    if let Record::Stream(StreamKind::Console | StreamKind::Target, text) = &record
                        && words.len() < MOST_WORDS
                    {
                        words.push_str(text);
                    }
                    self.heard(record);
                }
                Ok(Input::Silent) | Err(RecvTimeoutError::Disconnected) => return Err(self.fell_silent()),
                Err(RecvTimeoutError::Timeout) => {
                    // A gdb that is busy may use all its time.
                    let idle = work.get_or_insert_with(|| Work::of(self.child.id())).idle();
                    if Instant::now() < end && idle < self.patience {
                        continue;
                    }
                    let _ = self.child.kill();
                    let what = command.name().to_owned();
                    return Err(GdbError::Gone(format!(
                        "its gdb did not reply to \"-{what}\" for {:.1} seconds and was killed",
                        begun.elapsed().as_secs_f32()
                    )));
                }
            }
        }
    }

    /// Waits for an order or for news, up to a timeout.
    pub(in crate::gdb) fn next(&mut self, patience: Duration) -> Next {
        loop {
            if let Some(news) = self.news.pop_front() {
                return Next::News(news);
            }
            if let Some(order) = self.orders.pop_front() {
                return Next::Order(order);
            }
            if self.gone {
                return Next::Gone(self.ended());
            }
            match self.inputs.recv_timeout(patience) {
                Ok(Input::Order(order)) => self.orders.push_back(order),
                Ok(Input::Said(record)) => self.heard(record),
                Err(RecvTimeoutError::Timeout) => return Next::Quiet,
                Ok(Input::Silent) | Err(RecvTimeoutError::Disconnected) => return Next::Gone(self.fell_silent()),
            }
        }
    }

    /// Waits for news only.
    pub(in crate::gdb) fn next_news_for(&mut self, patience: Duration) -> Result<News, GdbError> {
        let end = Instant::now() + patience;
        loop {
            if let Some(news) = self.news.pop_front() {
                return Ok(news);
            }
            match self.inputs.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Input::Order(order)) => self.orders.push_back(order),
                Ok(Input::Said(record)) => self.heard(record),
                Ok(Input::Silent) | Err(_) => return Err(self.fell_silent()),
            }
        }
    }

    /// Returns the unread news, the oldest first.
    pub(in crate::gdb) fn news(&self) -> impl DoubleEndedIterator<Item = &News> {
        self.news.iter()
    }

    pub(in crate::gdb) fn keep_news(&mut self, keeps: impl FnMut(&mut News) -> bool) {
        self.news.retain_mut(keeps);
    }

    fn heard(&mut self, record: Record) {
        tracing::trace!(gdb = self.child.id(), "{record}");
        if let Record::Stream(StreamKind::Log, text) = &record
            && let Some(line) = text.lines().find(|line| line.contains("internal-error: "))
        {
            self.internal = Some(line.to_owned());
        }
        if let Record::Async { kind: Kind::Exec, class, results, .. } = &record {
            self.device = (class == "stopped").then(|| DeviceFocus::of(results)).flatten();
        }
        match record {
            Record::Async { kind, class, results, .. } => self.news.push_back(News::Async(kind, class, results)),
            Record::Stream(kind, text) => match self.news.back_mut() {
                // gdb prints sentences in pieces.
                Some(News::Words(same, words)) if *same == kind => {
                    if words.len() < MOST_WORDS {
                        words.push_str(&text);
                    }
                }
                _ => self.news.push_back(News::Words(kind, text)),
            },
            // The answer to an abandoned command.
            Record::Result { .. } | Record::Prompt => {}
            Record::Unknown(line) => {
                self.last_lines.push_back(line);
                if self.last_lines.len() > LAST_LINES {
                    self.last_lines.pop_front();
                }
            }
        }
    }

    /// Returns gdb's error message. After an internal error, gdb's answer says only that the command was aborted.
    fn refusal(&mut self, results: &Results) -> String {
        let why = results.text("msg").unwrap_or("no reason given");
        match self.internal.take().filter(|_| why == GIVEN_UP) {
            Some(words) => format!("gdb internal error: {words}"),
            None => why.to_owned(),
        }
    }

    fn fell_silent(&mut self) -> GdbError {
        self.silent = true;
        self.ended()
    }

    fn ended(&mut self) -> GdbError {
        self.gone = true;
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        // Earlier output may still be in the pipe, which a program started by gdb may keep open.
        while !self.silent {
            match self.inputs.recv_timeout(FAREWELL) {
                Ok(Input::Order(order)) => self.orders.push_back(order),
                Ok(Input::Said(record)) => self.heard(record),
                Ok(Input::Silent) | Err(_) => self.silent = true,
            }
        }
        let words: Vec<_> = self.last_lines.iter().map(String::as_str).collect();
        let words = if words.is_empty() { String::new() } else { format!("; its last output: {}", words.join(" / ")) };
        GdbError::Gone(format!("its gdb has ended ({status}){words}"))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(in crate::gdb) enum Next {
    News(News),
    Order(Order),
    /// The timeout has passed.
    Quiet,
    Gone(GdbError),
}

fn read_all(mut reader: PipeReader, tell: &Sender<Input>) {
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let records = decoder.push(buffer.get(..length).unwrap_or_default());
        let rest = if length == 0 { decoder.finish() } else { None };
        for record in records.into_iter().chain(rest) {
            if tell.send(Input::Said(record)).is_err() {
                return;
            }
        }
        if length == 0 {
            // Fails only if the rank's thread is gone.
            let _ = tell.send(Input::Silent);
            return;
        }
    }
}

//! The server's side: starts the process for a queue library, answers its questions about a stopped rank, and ends it.

use super::conversation::{Conversation, Question, Reply, Task};
use super::fault::{LibraryFault, QueueFault};
use debuginfo::types::TypeRef;
use model::{MessageQueues, Rank};
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A library that asks nothing for this time hangs.
const SILENCE: Duration = Duration::from_secs(3);
/// The most time for a rank, whatever the library does.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The interval at which an interrupt is noticed.
const GLANCE: Duration = Duration::from_millis(100);
/// The most bytes read for a rank.
const MOST_BYTES: u64 = 256 << 20;
/// The longest piece that is read at once.
const MOST_AT_ONCE: u32 = 1 << 20;
/// Longer texts of a library are cut.
const LONGEST_TEXT: usize = 500;
const MOST_MISSING: usize = 100;

/// A stopped program, as far as a queue library asks about it.
pub(crate) trait Program {
    /// Returns the address of a variable or function.
    fn symbol(&self, name: &str) -> Option<u64>;
    /// Looks up a type of the MPI.
    fn type_named(&self, name: &str) -> Option<TypeRef>;
    /// Returns the size of a type in bytes.
    fn size(&self, ty: &TypeRef) -> Option<u64>;
    /// Returns the offset of a member.
    fn offset(&self, ty: &TypeRef, member: &str) -> Option<u64>;
    /// Reads memory; false if a part of it cannot be read.
    fn read(&self, address: u64, into: &mut [u8]) -> bool;
}

/// The readers of an engine.
#[derive(Debug)]
pub(crate) struct QueueReaders {
    /// The command line of a process that runs [`serve_queue_library`](super::serve_queue_library).
    words: Arc<[OsString]>,
}

impl QueueReaders {
    pub(crate) fn new(words: Vec<OsString>) -> Self {
        Self { words: words.into() }
    }

    /// Returns a reader for the ranks of one request.
    pub(crate) fn for_request(&self) -> Arc<QueueReader> {
        Arc::new(QueueReader { words: Arc::clone(&self.words), has_hung: Mutex::new(false) })
    }
}

/// Reads the queues of ranks, for one request.
#[derive(Debug)]
pub(crate) struct QueueReader {
    words: Arc<[OsString]>,
    /// True once the library of a rank has hung: it would hang for the others, too.
    has_hung: Mutex<bool>,
}

/// The rank and the files that a library is loaded for.
pub(crate) struct Subject<'a> {
    pub(crate) rank: Rank,
    pub(crate) library: &'a Path,
    /// The file of the MPI that names it.
    pub(crate) module: &'a Path,
}

/// Kills the process of a library.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl QueueReader {
    /// Reads the queues of a rank.
    pub(crate) fn read(
        &self,
        subject: &Subject<'_>,
        program: &dyn Program,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<MessageQueues, QueueFault> {
        let library = subject.library.display().to_string();
        if *self.has_hung.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(QueueFault::HungBefore { library });
        }
        let started = |error: io::Error| QueueFault::NotStarted(library.clone(), error.to_string());
        let (child, conversation) = self.start().map_err(started)?;
        let mut answering = Answering { program, conversation, types: Vec::new(), read: 0, missing: Vec::new() };
        let outcome = answering.converse(subject, is_interrupted);
        let fault = match outcome {
            Ok(Ok(queues)) => return Ok(cleaned(queues, &library)),
            Ok(Err(fault)) => answering.explain(subject, fault),
            Err(End::Closed) => ended(child, library),
            Err(End::Silent) => {
                *self.has_hung.lock().unwrap_or_else(PoisonError::into_inner) = true;
                QueueFault::Hung { library, seconds: SILENCE.as_secs() }
            }
            Err(End::TooMuch) => QueueFault::TooMuch(library, MOST_BYTES >> 20),
            Err(End::Interrupted) => QueueFault::Interrupted,
        };
        Err(fault)
    }

    fn start(&self) -> io::Result<(Killed, Conversation)> {
        let Some((program, words)) = self.words.split_first() else {
            return Err(io::Error::other("this program has no process for it"));
        };
        let (own, other) = UnixStream::pair()?;
        // A process that reads nothing more must not block the server.
        own.set_write_timeout(Some(SILENCE))?;
        let mut command = Command::new(program);
        // The name shown by ps(1).
        command.arg0("rankscope").args(words).current_dir("/").stdin(OwnedFd::from(other));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        Ok((Killed(child), Conversation::new(own)))
    }
}

/// The reason why a conversation ended without an answer.
enum End {
    Closed,
    Silent,
    TooMuch,
    Interrupted,
}

/// Answers the questions of one process.
struct Answering<'a> {
    program: &'a dyn Program,
    conversation: Conversation,
    types: Vec<TypeRef>,
    read: u64,
    /// The types and members that were not found.
    missing: Vec<String>,
}

impl Answering<'_> {
    fn converse(
        &mut self,
        subject: &Subject<'_>,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Result<MessageQueues, LibraryFault>, End> {
        let name = subject.module.display().to_string();
        let task = Task { library: subject.library.to_owned(), rank: subject.rank.0, program: name };
        self.conversation.send(&task).map_err(|_| End::Closed)?;
        let begin = Instant::now();
        let mut last = begin;
        loop {
            if is_interrupted() {
                return Err(End::Interrupted);
            }
            match self.conversation.receive_within(GLANCE) {
                Ok(Some(Question::Done(done))) => return Ok(done.map(|queues| *queues)),
                Ok(Some(question)) => {
                    let reply = self.reply(question)?;
                    self.conversation.send(&reply).map_err(|_| End::Closed)?;
                    last = Instant::now();
                }
                Ok(None) => {}
                Err(_) => return Err(End::Closed),
            }
            if last.elapsed() > SILENCE || begin.elapsed() > MOST_TIME {
                return Err(End::Silent);
            }
        }
    }

    fn reply(&mut self, question: Question) -> Result<Reply, End> {
        Ok(match question {
            Question::Symbol(name) => Reply::Address(self.program.symbol(&name)),
            Question::Type(name) => {
                let found = self.program.type_named(&name);
                let size = found.as_ref().and_then(|ty| self.program.size(ty));
                let size = size.and_then(|size| i32::try_from(size).ok());
                let Some((ty, size)) = found.zip(size) else {
                    self.note(name);
                    return Ok(Reply::Type(None));
                };
                let known = self.types.iter().position(|known| *known == ty);
                let number = known.unwrap_or_else(|| {
                    self.types.push(ty);
                    self.types.len() - 1
                });
                Reply::Type(Some((number as u32, size)))
            }
            Question::Offset(number, member) => {
                let ty = self.types.get(number as usize);
                let offset = ty.and_then(|ty| self.program.offset(ty, &member));
                let offset = offset.and_then(|offset| i32::try_from(offset).ok());
                if offset.is_none() {
                    self.note(format!("member {member}"));
                }
                Reply::Offset(offset)
            }
            Question::Read(address, length) => {
                self.read += u64::from(length);
                if length > MOST_AT_ONCE || self.read > MOST_BYTES {
                    return Err(End::TooMuch);
                }
                let mut bytes = vec![0; length as usize];
                Reply::Bytes(self.program.read(address, &mut bytes).then_some(bytes))
            }
            Question::Done(_) => Reply::Address(None),
        })
    }

    fn note(&mut self, missing: String) {
        if self.missing.len() < MOST_MISSING && !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }

    /// Says what the library has not found: its own words are for the makers of an MPI.
    fn explain(&self, subject: &Subject<'_>, fault: LibraryFault) -> QueueFault {
        let library = subject.library.display().to_string();
        match (&fault, self.missing.first()) {
            (LibraryFault::NoQueues(_) | LibraryFault::Call(..), Some(first)) => {
                let missing = printable(first);
                QueueFault::NoTypes { library, missing, module: subject.module.display().to_string() }
            }
            _ => QueueFault::Library(library, cleaned_fault(fault)),
        }
    }
}

/// Describes the end of a process that has given no answer.
fn ended(mut child: Killed, library: String) -> QueueFault {
    // The socket is closed, so the process has ended or has closed all that it has.
    let _ = child.0.kill();
    match child.0.wait() {
        Ok(status) => match (status.signal(), status.code()) {
            (Some(signal), _) => {
                let name = nix::sys::signal::Signal::try_from(signal).map_or("a signal", |signal| signal.as_str());
                QueueFault::Crashed(library, name.to_owned())
            }
            (None, code) => QueueFault::Exited(library, format!("exit code {}", code.unwrap_or_default())),
        },
        Err(error) => QueueFault::NotStarted(library, error.to_string()),
    }
}

/// Returns a text of a library without control characters.
fn printable(text: &str) -> String {
    let shown = text.chars().take(LONGEST_TEXT);
    shown.map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

fn cleaned_fault(fault: LibraryFault) -> LibraryFault {
    match fault {
        LibraryFault::NotLoaded(text) => LibraryFault::NotLoaded(printable(&text)),
        LibraryFault::NoQueues(text) => LibraryFault::NoQueues(printable(&text)),
        LibraryFault::Call(function, text) => LibraryFault::Call(printable(&function), printable(&text)),
        LibraryFault::NoFunction(name) => LibraryFault::NoFunction(printable(&name)),
        LibraryFault::Version(_) | LibraryFault::Width(_) => fault,
    }
}

fn cleaned(mut queues: MessageQueues, library: &str) -> MessageQueues {
    library.clone_into(&mut queues.library);
    queues.version = printable(&queues.version);
    for communicator in &mut queues.communicators {
        communicator.name = printable(&communicator.name);
        for note in communicator.operations.iter_mut().flat_map(|operation| &mut operation.notes) {
            *note = printable(note);
        }
    }
    queues
}

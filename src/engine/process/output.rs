//! Output of ranks: one thread reads all taps, reports lines, and forwards every byte to the launcher.

use model::{Rank, Stream};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::collections::VecDeque;
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::{Receiver, Sender, channel};

/// An unfinished line is reported after this long, in milliseconds.
const PATIENCE: u16 = 50;
/// Maximum number of bytes per read.
const CHUNK: usize = 64 << 10;
/// Reading pauses while this many bytes wait for a blocked forward.
const MOST_WAITING: usize = 1 << 20;
/// The number of bytes that a writable pipe accepts without blocking (pipe(7), `PIPE_BUF`).
const PIPE_BUF: usize = 4096;
/// Time limit for forwarding the last bytes at the end, in milliseconds.
const LAST_CHANCE: u16 = 500;

/// An output stream of a rank that passes through the engine: read, reported, and forwarded to its original target.
#[derive(Debug)]
pub struct OutputTap {
    /// The end to read from.
    pub source: OwnedFd,
    /// The original target; `None` if the output is only reported.
    pub forward: Option<OwnedFd>,
}

type Done = Box<dyn FnOnce() + Send>;
type Withdrawn = Box<dyn FnOnce(Taps) + Send>;

enum Order {
    Add(Rank, Stream, OutputTap),
    Finish(Rank, Done),
    Withdraw(Rank, Withdrawn),
    Accept(Taps),
    Stay,
}

/// The output thread. Dropping this ends it once its data is forwarded; after [`Self::stay`], once no writer is left.
pub struct OutputReader {
    orders: Sender<Order>,
    bell: PipeWriter,
}

impl OutputReader {
    /// Starts the thread, which calls `report` with whole lines if the program writes whole lines.
    pub fn start(report: impl Fn(Rank, Stream, String) + Send + 'static) -> std::io::Result<Self> {
        let (orders, incoming) = channel();
        let (ear, bell) = std::io::pipe()?;
        fcntl(&ear, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        fcntl(&bell, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let reader = Reader { taps: Vec::new(), finishing: Vec::new(), stays: false, report: Box::new(report) };
        std::thread::Builder::new().name("output".to_owned()).spawn(move || reader.run(&incoming, ear))?;
        Ok(Self { orders, bell })
    }

    /// Adds an output stream.
    pub fn add(&self, rank: Rank, stream: Stream, tap: OutputTap) {
        self.order(Order::Add(rank, stream, tap));
    }

    /// Calls `done` on the output thread when everything the rank has written so far is reported.
    pub fn finish(&self, rank: Rank, done: impl FnOnce() + Send + 'static) {
        self.order(Order::Finish(rank, Box::new(done)));
    }

    /// Stops reading a rank's output; calls `done` on the output thread with the taps, for another reader.
    pub fn withdraw(&self, rank: Rank, done: impl FnOnce(Taps) + Send + 'static) {
        self.order(Order::Withdraw(rank, Box::new(done)));
    }

    /// Continues reading taps of another reader.
    pub fn accept(&self, taps: Taps) {
        self.order(Order::Accept(taps));
    }

    /// Keeps reading after the shutdown: detached ranks would be killed by SIGPIPE if nobody read their output.
    pub fn stay(&self) {
        self.order(Order::Stay);
    }

    fn order(&self, order: Order) {
        // The send fails only after a panic of the thread; a full pipe wakes it anyway.
        let _ = self.orders.send(order);
        let _ = (&self.bell).write(&[0]);
    }
}

/// Taps between two readers, with data read but not yet reported or forwarded.
#[derive(Debug, Default)]
pub struct Taps(Vec<Tap>);

#[derive(Debug)]
struct Tap {
    rank: Rank,
    stream: Stream,
    source: Option<OwnedFd>,
    forward: Option<OwnedFd>,
    line: Vec<u8>,
    waiting: VecDeque<u8>,
}

struct Reader {
    taps: Vec<Tap>,
    finishing: Vec<(Rank, Done)>,
    stays: bool,
    report: Box<dyn Fn(Rank, Stream, String) + Send>,
}

impl Reader {
    fn run(mut self, orders: &Receiver<Order>, mut ear: PipeReader) {
        let mut open = true;
        while open {
            let unfinished = self.taps.iter().any(|tap| !tap.line.is_empty());
            let timeout = if unfinished { PollTimeout::from(PATIENCE) } else { PollTimeout::NONE };
            let (rung, quiet) = self.wait(Some(&ear), timeout);
            if rung {
                open = ear.read(&mut [0; 256]).is_ok_and(|n| n > 0);
            }
            for order in orders.try_iter() {
                match order {
                    Order::Add(rank, stream, tap) => self.add(rank, stream, tap),
                    Order::Finish(rank, done) => self.finishing.push((rank, done)),
                    Order::Withdraw(rank, done) => {
                        let of_rank = |tap: &Tap| tap.rank == rank;
                        let (withdrawn, kept) = std::mem::take(&mut self.taps).into_iter().partition(of_rank);
                        self.taps = kept;
                        done(Taps(withdrawn));
                    }
                    Order::Accept(Taps(taps)) => self.taps.extend(taps),
                    Order::Stay => self.stays = true,
                }
            }
            for (rank, done) in std::mem::take(&mut self.finishing) {
                self.drain(rank);
                done();
            }
            if quiet {
                self.flush();
            }
            self.forget_closed();
        }
        while self.stays && !self.taps.is_empty() {
            self.wait(None, PollTimeout::NONE);
            self.forget_closed();
        }
        self.last_words();
    }

    fn forget_closed(&mut self) {
        self.taps.retain(|tap| tap.source.is_some() || !tap.waiting.is_empty());
    }

    fn add(&mut self, rank: Rank, stream: Stream, tap: OutputTap) {
        // The file description is not shared, so its mode can be changed.
        let _ = fcntl(&tap.source, FcntlArg::F_SETFL(OFlag::O_NONBLOCK));
        let (source, forward) = (Some(tap.source), tap.forward);
        self.taps.push(Tap { rank, stream, source, forward, line: Vec::new(), waiting: VecDeque::new() });
    }

    /// Waits and moves bytes; returns whether the bell rang, and whether the wait timed out.
    fn wait(&mut self, ear: Option<&PipeReader>, timeout: PollTimeout) -> (bool, bool) {
        let mut watched: Vec<_> = ear.iter().map(|ear| PollFd::new(ear.as_fd(), PollFlags::POLLIN)).collect();
        let ears = watched.len();
        let mut meaning = Vec::new();
        for (index, tap) in self.taps.iter().enumerate() {
            if let Some(source) = tap.source.as_ref().filter(|_| tap.waiting.len() < MOST_WAITING) {
                watched.push(PollFd::new(source.as_fd(), PollFlags::POLLIN));
                meaning.push((index, true));
            }
            if let Some(forward) = tap.forward.as_ref().filter(|_| !tap.waiting.is_empty()) {
                watched.push(PollFd::new(forward.as_fd(), PollFlags::POLLOUT));
                meaning.push((index, false));
            }
        }
        let ready = poll(&mut watched, timeout);
        let happened = |fd: &PollFd<'_>| fd.revents().is_some_and(|events| !events.is_empty());
        let rung = watched.iter().take(ears).any(happened);
        let acting: Vec<_> =
            watched.iter().skip(ears).zip(meaning).filter(|(fd, _)| happened(fd)).map(|(_, what)| what).collect();
        for (index, reading) in acting {
            if let Some(tap) = self.taps.get_mut(index) {
                if reading {
                    tap.read(&self.report);
                }
                tap.pass_on();
            }
        }
        (rung, ready == Ok(0))
    }

    /// Reads everything that a rank has written so far.
    fn drain(&mut self, rank: Rank) {
        for tap in self.taps.iter_mut().filter(|tap| tap.rank == rank) {
            while tap.waiting.len() < MOST_WAITING && tap.read(&self.report) {}
            tap.pass_on();
            tap.show_rest(&self.report);
        }
    }

    fn flush(&mut self) {
        for tap in &mut self.taps {
            tap.show_rest(&self.report);
        }
    }

    fn last_words(mut self) {
        for tap in &mut self.taps {
            while tap.waiting.len() < MOST_WAITING && tap.read(&self.report) {}
            tap.show_rest(&self.report);
            while let Some(forward) = tap.forward.as_ref().filter(|_| !tap.waiting.is_empty()) {
                let mut fds = [PollFd::new(forward.as_fd(), PollFlags::POLLOUT)];
                if poll(&mut fds, LAST_CHANCE) != Ok(1) {
                    break;
                }
                tap.pass_on();
            }
        }
    }
}

impl Tap {
    /// Reads once; true if there may be more.
    fn read(&mut self, report: &dyn Fn(Rank, Stream, String)) -> bool {
        let Some(source) = &self.source else { return false };
        let mut buffer = vec![0; CHUNK];
        let length = match nix::unistd::read(source, &mut buffer) {
            Ok(length) if length > 0 => length,
            Err(Errno::EAGAIN) => return false,
            Err(Errno::EINTR) => return true,
            // A pipe ends with 0, a pty master with EIO.
            Ok(_) | Err(_) => {
                self.source = None;
                self.show_rest(report);
                return false;
            }
        };
        let bytes = buffer.get(..length).unwrap_or_default();
        if self.forward.is_some() {
            self.waiting.extend(bytes);
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            report(self.rank, self.stream, String::from_utf8_lossy(&lines).into_owned());
        } else if self.line.len() > CHUNK {
            self.show_rest(report);
        }
        true
    }

    fn show_rest(&mut self, report: &dyn Fn(Rank, Stream, String)) {
        if !self.line.is_empty() {
            let rest = std::mem::take(&mut self.line);
            report(self.rank, self.stream, String::from_utf8_lossy(&rest).into_owned());
        }
    }

    /// Writes as much as the forward accepts without blocking. Its description is shared with other processes, so it
    /// stays in blocking mode and is polled before each write.
    fn pass_on(&mut self) {
        while let Some(forward) = self.forward.as_ref().filter(|_| !self.waiting.is_empty()) {
            let mut fds = [PollFd::new(forward.as_fd(), PollFlags::POLLOUT)];
            if poll(&mut fds, PollTimeout::ZERO) != Ok(1) {
                return;
            }
            let (front, _) = self.waiting.as_slices();
            match nix::unistd::write(forward, front.get(..PIPE_BUF).unwrap_or(front)) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(Errno::EINTR | Errno::EAGAIN) => return,
                Err(_) => {
                    self.forward = None;
                    self.waiting.clear();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::RecvTimeoutError;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(10);

    fn collect(receiver: &Receiver<(Rank, Stream, String)>, wanted: &str) -> String {
        let mut text = String::new();
        while text != wanted {
            match receiver.recv_timeout(LONG) {
                Ok((_, _, part)) => text.push_str(&part),
                Err(RecvTimeoutError::Timeout) => panic!("only {text:?} of {wanted:?}"),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        text
    }

    #[test]
    fn lines_are_reported_and_bytes_passed_on() {
        let (sender, receiver) = channel();
        let reader = OutputReader::start(move |rank, stream, text| drop(sender.send((rank, stream, text)))).unwrap();
        let (source, mut program) = std::io::pipe().unwrap();
        let (mut launcher, forward) = std::io::pipe().unwrap();
        let tap = OutputTap { source: source.into(), forward: Some(forward.into()) };
        reader.add(Rank(3), Stream::Stdout, tap);
        program.write_all(b"one\ntwo\nthr").unwrap();
        assert_eq!(collect(&receiver, "one\ntwo\nthr"), "one\ntwo\nthr");
        program.write_all(b"ee\n").unwrap();
        drop(program);
        assert_eq!(collect(&receiver, "ee\n"), "ee\n");
        let mut passed = String::new();
        launcher.read_to_string(&mut passed).unwrap();
        assert_eq!(passed, "one\ntwo\nthree\n");
    }

    #[test]
    fn finish_comes_after_all_that_was_written() {
        let (sender, receiver) = channel();
        let ends = sender.clone();
        let reader = OutputReader::start(move |_, _, text| drop(sender.send(Some(text)))).unwrap();
        let (source, mut program) = std::io::pipe().unwrap();
        reader.add(Rank(0), Stream::Stderr, OutputTap { source: source.into(), forward: None });
        program.write_all(b"last words").unwrap();
        reader.finish(Rank(0), move || drop(ends.send(None)));
        assert_eq!(receiver.recv_timeout(LONG).unwrap(), Some("last words".to_owned()));
        assert_eq!(receiver.recv_timeout(LONG).unwrap(), None);
    }

    #[test]
    fn one_that_stays_reads_until_nobody_writes() {
        let (sender, receiver) = channel();
        let reader = OutputReader::start(move |_, _, text| drop(sender.send(text))).unwrap();
        let (source, mut program) = std::io::pipe().unwrap();
        let (mut launcher, forward) = std::io::pipe().unwrap();
        let tap = OutputTap { source: source.into(), forward: Some(forward.into()) };
        reader.add(Rank(0), Stream::Stdout, tap);
        reader.stay();
        drop(reader);
        program.write_all(b"later\n").unwrap();
        assert_eq!(receiver.recv_timeout(LONG).unwrap(), "later\n");
        drop(program);
        let mut passed = String::new();
        launcher.read_to_string(&mut passed).unwrap();
        assert_eq!(passed, "later\n");
        assert_eq!(receiver.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn a_forward_that_takes_nothing_holds_up_nobody_else() {
        let (sender, receiver) = channel();
        let reader = OutputReader::start(move |rank, stream, text| drop(sender.send((rank, stream, text)))).unwrap();
        let (source, mut loud) = std::io::pipe().unwrap();
        let (_launcher, forward) = std::io::pipe().unwrap();
        reader.add(Rank(0), Stream::Stdout, OutputTap { source: source.into(), forward: Some(forward.into()) });
        loud.write_all(&vec![b'x'; 60_000]).unwrap();
        loud.write_all(b"\n").unwrap();
        let (source, mut other) = std::io::pipe().unwrap();
        reader.add(Rank(1), Stream::Stdout, OutputTap { source: source.into(), forward: None });
        other.write_all(b"heard\n").unwrap();
        let heard = std::iter::from_fn(|| receiver.recv_timeout(LONG).ok()).any(|(rank, _, _)| rank == Rank(1));
        assert!(heard);
    }
}

//! The library functions of a simulated program.

use super::state::{Effect, Machine, Thread};
use crate::fake::{
    builtin::Builtin,
    code::{HEAP, Program},
    link::function_address,
};
use model::{SignalName, Stream};

/// Maximum length of a text that a library function reads.
const LONGEST: usize = 4096;
/// Maximum heap size of a rank, in bytes.
const HEAP_LIMIT: usize = 1 << 24;

impl Machine {
    /// Runs a library function; returns its value, if any, and its effect. On an effect alone, the call is repeated.
    pub(super) fn library(
        &mut self,
        program: &Program,
        at: usize,
        which: Builtin,
        arguments: &[u64],
    ) -> Result<(Option<u64>, Effect), Effect> {
        let argument = |i: usize| arguments.get(i).copied().unwrap_or(0);
        let float = |i: usize| f64::from_bits(argument(i));
        let segfault = || Effect::Signal(SignalName::from_number(11), true);
        let text = |machine: &Self, i: usize| {
            machine.text(program, argument(i), LONGEST).map(<[u8]>::to_vec).ok_or_else(segfault)
        };
        let value = match which {
            Builtin::Printf => self.print(program, Stream::Stdout, &text(self, 0)?, &arguments[1..]),
            Builtin::Fprintf => {
                let stream = if argument(0) == 2 { Stream::Stderr } else { Stream::Stdout };
                self.print(program, stream, &text(self, 1)?, arguments.get(2..).unwrap_or(&[]))
            }
            Builtin::Puts => {
                let mut line = text(self, 0)?;
                line.push(b'\n');
                self.written(Stream::Stdout, &line);
                line.len() as u64
            }
            Builtin::Fflush => 0,
            Builtin::Getenv => {
                let name = text(self, 0)?;
                self.environment_value(&name)
            }
            Builtin::Atoi => {
                let text = text(self, 0)?;
                let text = String::from_utf8_lossy(&text);
                let text = text.trim_start();
                let end = text.char_indices().position(|(i, c)| !(c.is_ascii_digit() || (i == 0 && "+-".contains(c))));
                text[..end.unwrap_or(text.len())].parse::<i64>().unwrap_or(0) as u64
            }
            Builtin::Strcmp => match text(self, 0)?.cmp(&text(self, 1)?) {
                std::cmp::Ordering::Less => u64::MAX,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            },
            Builtin::Strlen => text(self, 0)?.len() as u64,
            Builtin::Sqrt => float(0).sqrt().to_bits(),
            Builtin::Fabs => float(0).abs().to_bits(),
            Builtin::Sin => float(0).sin().to_bits(),
            Builtin::Exp => float(0).exp().to_bits(),
            // Time is simulated: a sleep takes none.
            Builtin::Usleep => 0,
            Builtin::Exit => return Ok((None, Effect::Exit(argument(0) as i32 & 0xff))),
            Builtin::Abort => return Err(Effect::Signal(SignalName::from_number(6), true)),
            Builtin::Raise => return Ok((Some(0), Effect::Signal(SignalName::from_number(argument(0) as i32), false))),
            Builtin::Kill if argument(0) == u64::from(self.pid()) => {
                return Ok((Some(0), Effect::Signal(SignalName::from_number(argument(1) as i32), false)));
            }
            Builtin::Kill => u64::MAX,
            Builtin::Getpid => u64::from(self.pid()),
            Builtin::Malloc => self.reserve(argument(0) as usize).unwrap_or(0),
            Builtin::Free => return Ok((None, Effect::None)),
            Builtin::Signal => self.handlers.insert(argument(0) as i32, argument(1)).unwrap_or(0),
            Builtin::Hang => return Ok((None, Effect::Hang)),
            Builtin::Slow => {
                self.slowness = argument(0) as u32;
                return Ok((None, Effect::None));
            }
            Builtin::Thread => {
                let number = self.threads.len() as u32;
                let mut thread = Thread { number, ..Thread::default() };
                if let Some(index) = function_address(program, argument(0)) {
                    thread.call(program, index, &arguments[1..], 0);
                }
                self.threads.push(thread);
                0
            }
            Builtin::JoinAll => {
                let others = self.threads.iter().enumerate().filter(|(i, t)| *i != at && !t.calls.is_empty()).count();
                if others > 0 {
                    return Err(Effect::Idle);
                }
                return Ok((None, Effect::None));
            }
        };
        Ok((Some(value), Effect::None))
    }

    /// Allocates zeroed memory on the heap.
    pub(in crate::fake) fn reserve(&mut self, length: usize) -> Option<u64> {
        let at = self.heap.len().next_multiple_of(16);
        let end = at.checked_add(length.max(1)).filter(|end| *end <= HEAP_LIMIT)?;
        self.heap.resize(end, 0);
        Some(HEAP + at as u64)
    }

    /// Copies a text and its NUL to the rank's memory.
    pub(in crate::fake) fn place_text(&mut self, text: &str) -> u64 {
        let Some(at) = self.reserve(text.len() + 1) else { return 0 };
        let from = (at - HEAP) as usize;
        if let Some(place) = self.heap.get_mut(from..from + text.len()) {
            place.copy_from_slice(text.as_bytes());
        }
        at
    }

    fn environment_value(&mut self, name: &[u8]) -> u64 {
        let value = match name {
            b"RANKSCOPE_RANK" => Some(self.rank.to_string()),
            b"RANKSCOPE_SIZE" => Some(self.size.to_string()),
            name => self.environment.iter().find(|(n, _)| n.as_bytes() == name).map(|(_, v)| self.replaced(v)),
        };
        value.map_or(0, |value| self.place_text(&value))
    }

    /// Replaces `{rank}` and `{size}`.
    pub(in crate::fake) fn replaced(&self, text: &str) -> String {
        text.replace("{rank}", &self.rank.to_string()).replace("{size}", &self.size.to_string())
    }

    fn written(&mut self, stream: Stream, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        match self.output.last_mut() {
            Some((last, buffer)) if *last == stream => buffer.push_str(&text),
            _ => self.output.push((stream, text.into_owned())),
        }
    }

    fn print(&mut self, program: &Program, stream: Stream, format: &[u8], arguments: &[u64]) -> u64 {
        let text = crate::fake::format::formatted(format, arguments, |address| {
            self.text(program, address, LONGEST).map(<[u8]>::to_vec)
        });
        self.written(stream, &text);
        text.len() as u64
    }
}

//! The focus of cuda-gdb on a thread of a GPU.
//!
//! Such a thread has no number in GDB/MI. After a stop in a kernel it is what commands without `--thread` act on, until
//! one with the number of a host's thread moves the focus there (CUDA-GDB, "Kernel Focus"). For the commands of the
//! thread that started the kernel the focus is put back.

use crate::gdb::mi::{Command, Results};
use std::borrow::Cow;
use std::fmt;

/// A thread of a GPU that has stopped, and the thread of the host whose kernel it executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) struct DeviceFocus {
    host: String,
    place: DevicePlace,
    is_set: bool,
}

/// Where a thread of a GPU is: in the grid, and on the hardware.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DevicePlace {
    kernel: String,
    block: String,
    thread: String,
    /// Device, multiprocessor, warp and lane.
    hardware: [String; 4],
}

const HARDWARE: [&str; 4] = ["device", "sm", "warp", "lane"];

impl DeviceFocus {
    /// Reads the focus from a stop; `None` for one of the host.
    pub(in crate::gdb) fn of(stop: &Results) -> Option<Self> {
        let focus = stop.inside("CudaFocus")?;
        let text = |name: &str| focus.text(name).map(str::to_owned);
        let [device, sm, warp, lane] = HARDWARE.map(text);
        let hardware = [device?, sm?, warp?, lane?];
        let place =
            DevicePlace { kernel: text("kernel")?, block: text("blockIdx")?, thread: text("threadIdx")?, hardware };
        Some(Self { host: stop.text("thread-id")?.to_owned(), place, is_set: true })
    }

    /// Returns the commands that have to be sent before one, and the one to send in its place.
    pub(super) fn direct<'a>(&mut self, command: &'a Command) -> (Vec<Command>, Cow<'a, Command>) {
        let mut before = Vec::new();
        let Some((context, without)) = command.split_context() else {
            // Our Python selects a thread if it is not selected already, and may select another.
            if command.is_python() {
                before.extend(self.back());
                self.is_set = false;
            }
            return (before, Cow::Borrowed(command));
        };
        if context.thread != self.host {
            self.is_set = false;
            return (before, Cow::Borrowed(command));
        }
        before.extend(self.back());
        let frame = Command::new("stack-select-frame").word(context.frame.unwrap_or("0"));
        match without {
            Some(without) => {
                before.push(frame);
                (before, Cow::Owned(without))
            }
            // Selecting a thread selects its innermost frame.
            None => (before, Cow::Owned(frame)),
        }
    }

    /// Returns the command that puts the focus back, if it is elsewhere.
    fn back(&mut self) -> Option<Command> {
        let back = (!self.is_set).then(|| Command::console(&self.place.switch()));
        self.is_set = true;
        back
    }

    /// Reads what a command printed: the user may have switched to another thread of the GPU.
    pub(super) fn heard(&mut self, words: &str) {
        if let Some(place) = words.lines().rev().find_map(DevicePlace::in_line) {
            (self.place, self.is_set) = (place, true);
        }
    }
}

impl fmt::Display for DeviceFocus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DevicePlace { kernel, block, thread, .. } = &self.place;
        write!(f, "kernel {kernel}, block {block}, thread {thread}")
    }
}

impl DevicePlace {
    /// Returns the line of cuda-gdb that moves the focus here.
    fn switch(&self) -> String {
        let parts = HARDWARE.iter().zip(&self.hardware).map(|(name, number)| format!(" {name} {number}"));
        format!("cuda{}", parts.collect::<String>())
    }

    /// Parses `[Switching focus to CUDA kernel 0, grid 1, block (3,0,0), thread (117,0,0), device 0, sm 131, warp 3, lane
    /// 21]`.
    fn in_line(line: &str) -> Option<Self> {
        let parts = line.trim().strip_prefix("[Switching focus to CUDA ")?.strip_suffix(']')?;
        let text = |name: &str| {
            let mut parts = parts.split(", ");
            parts.find_map(|part| Some(part.strip_prefix(name)?.strip_prefix(' ')?.to_owned()))
        };
        let [device, sm, warp, lane] = HARDWARE.map(text);
        let hardware = [device?, sm?, warp?, lane?];
        Some(Self { kernel: text("kernel")?, block: text("block")?, thread: text("thread")?, hardware })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdb::mi::{Decoder, Record};

    fn stop(line: &str) -> Results {
        let records = Decoder::default().push(format!("{line}\n").as_bytes());
        let [Record::Async { results, .. }] = records.as_slice() else { panic!("{line}: {records:?}") };
        results.clone()
    }

    fn focus() -> DeviceFocus {
        let line = r#"*stopped,CudaFocus={device="0",sm="128",warp="1",lane="2",kernel="3",grid="1",blockIdx="(0,0,0)",threadIdx="(34,0,0)"},reason="breakpoint-hit",thread-id="1",stopped-threads="all""#;
        DeviceFocus::of(&stop(line)).unwrap()
    }

    #[test]
    fn commands_of_the_thread_that_started_the_kernel_go_to_its_thread_on_the_gpu() {
        let mut focus = focus();
        assert_eq!(focus.to_string(), "kernel 3, block (0,0,0), thread (34,0,0)");
        let mut sent = |command: Command| {
            let (before, command) = focus.direct(&command);
            before.into_iter().chain([command.into_owned()]).map(|command| command.to_string()).collect::<Vec<_>>()
        };
        let frames = |thread: u32| Command::new("stack-list-frames").word("--thread").word(thread).word(0).word(8);
        let (innermost, back) =
            ("stack-select-frame 0", r#"interpreter-exec console "cuda device 0 sm 128 warp 1 lane 2""#);
        assert_eq!(sent(frames(1)), [innermost, "stack-list-frames 0 8"]);
        assert_eq!(sent(Command::new("thread-select").word(1)), [innermost]);
        assert_eq!(sent(Command::new("thread-info")), ["thread-info"]);
        assert_eq!(sent(frames(2)), ["stack-list-frames --thread 2 0 8"]);
        assert_eq!(sent(frames(1)), [back, innermost, "stack-list-frames 0 8"]);
        let value = Command::new("data-evaluate-expression").word("--thread").word(1).word("--frame").word(1).word("x");
        assert_eq!(sent(value), ["stack-select-frame 1", "data-evaluate-expression x"]);
        let python = || Command::console("python rankscope.registers(1, 0)");
        let line = r#"interpreter-exec console "python rankscope.registers(1, 0)""#;
        assert_eq!(sent(python()), [line]);
        assert_eq!(sent(python()), [back, line], "it may have selected another thread");
    }

    #[test]
    fn another_thread_of_the_gpu_that_the_user_chose_is_kept() {
        let mut focus = focus();
        let _ = focus.direct(&Command::new("thread-select").word(2));
        focus.heard("[Switching focus to CUDA kernel 3, grid 1, block (3,0,0), thread (117,0,0), device 0, sm 131, warp 3, lane 21]\n21\tint i;\n");
        assert_eq!(focus.to_string(), "kernel 3, block (3,0,0), thread (117,0,0)");
        assert_eq!(focus.direct(&Command::new("thread-select").word(1)).0, []);
        let _ = focus.direct(&Command::new("thread-select").word(2));
        let back = focus.direct(&Command::new("thread-select").word(1)).0;
        assert_eq!(back[0].to_string(), r#"interpreter-exec console "cuda device 0 sm 131 warp 3 lane 21""#);
    }

    #[test]
    fn a_stop_of_the_host_has_no_such_focus() {
        let line = r#"*stopped,reason="end-stepping-range",thread-id="1",stopped-threads="all""#;
        assert_eq!(DeviceFocus::of(&stop(line)), None);
    }
}

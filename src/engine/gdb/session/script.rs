//! The script that runs inside gdb, and calls of its functions.

use super::fault::GdbError;
use super::gdb::Gdb;
use crate::gdb::mi::Command;
use model::ThreadId;
use serde::Deserialize;

pub(super) const SCRIPT: &str = concat!(
    include_str!("../inside/shown.py"),
    include_str!("../inside/types.py"),
    include_str!("../inside/content.py"),
    include_str!("../inside/parting.py"),
    include_str!("../inside/instructions.py"),
    include_str!("../inside/asked.py")
);
/// Prefix of the script's output lines.
const MARK: &str = "rankscope:";

/// The script's answer, or its error.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Told<T> {
    Failed { error: String },
    Well(T),
}

/// The identity of a frame on the stack, unique while the frame exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gdb) struct FrameId {
    pub(in crate::gdb) thread: ThreadId,
    /// The stack pointer of the caller's frame.
    base: u64,
    function: Option<String>,
}

#[derive(Debug, Deserialize)]
struct FrameTold {
    base: Option<u64>,
    function: Option<String>,
}

/// Returns the script's answer line in console output, without its mark.
pub(in crate::gdb) fn answer_in(words: &str) -> Option<&str> {
    words.lines().find_map(|line| line.strip_prefix(MARK))
}

impl Gdb {
    /// Calls a function of the script. The inner error is the script's own.
    pub(in crate::gdb) fn script<T: for<'de> Deserialize<'de>>(
        &mut self,
        call: &str,
    ) -> Result<Result<T, String>, GdbError> {
        let words = self.ask(&Command::console(&format!("python rankscope.{call}")))?.words;
        let unheard = || GdbError::Refused(format!("gdb's Python did not reply to rankscope.{call}"));
        let line = answer_in(&words).ok_or_else(unheard)?;
        match serde_json::from_str(line) {
            Ok(Told::Failed { error }) => Ok(Err(error)),
            Ok(Told::Well(told)) => Ok(Ok(told)),
            Err(error) => Err(GdbError::Refused(format!("invalid reply from gdb's Python: {error}"))),
        }
    }

    /// Identifies a frame; `None` if this gdb cannot.
    pub(in crate::gdb) fn frame_id(&mut self, thread: ThreadId, level: u32) -> Result<Option<FrameId>, GdbError> {
        if !self.has_python() {
            return Ok(None);
        }
        let told = self.script::<FrameTold>(&format!("frame_place({thread}, {level})"))?;
        Ok(told.ok().and_then(|FrameTold { base, function }| Some(FrameId { thread, base: base?, function })))
    }

    /// Returns the current level of a frame; `None` if it has returned.
    pub(in crate::gdb) fn level_of(&mut self, frame: &FrameId) -> Result<Option<u32>, GdbError> {
        let Ok(digits) = serde_json::to_string(&frame.function) else { return Ok(None) };
        let digits = model::aif::to_hex(digits.as_bytes());
        let call = format!("level_of({}, {}, \"{digits}\")", frame.thread, frame.base);
        Ok(self.script::<Option<u32>>(&call)?.ok().flatten())
    }
}

//! Threads and frames of the stopped process, as gdb lists them.

use super::state::InferiorState;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::{Context, Frame, MyCode, ThreadId, ThreadInfo, USER_FRAME_SEARCH, UserFrame};

/// gdb's limit for frame levels.
pub(in crate::gdb) const DEEPEST: u32 = 1 << 30;

impl InferiorState {
    pub(in crate::gdb) fn thread_of(&self, context: Context) -> ThreadId {
        context.thread.unwrap_or(self.current)
    }

    /// Returns the given thread, or the current one; fails if it does not exist.
    pub(in crate::gdb) fn checked_thread(&self, gdb: &mut Gdb, thread: Option<ThreadId>) -> Result<ThreadId, GdbError> {
        let Some(thread) = thread else { return Ok(self.current) };
        if thread != self.current {
            gdb.check_thread(thread)?;
        }
        Ok(thread)
    }

    /// Makes the first thread current, unless it has ended: the kernel may give a signal for the process to any thread.
    pub(in crate::gdb) fn show_first(&mut self, gdb: &mut Gdb) -> Result<(), GdbError> {
        const FIRST: ThreadId = ThreadId(1);
        if self.current == FIRST {
            return Ok(());
        }
        match gdb.check_thread(FIRST) {
            Ok(()) => {}
            Err(GdbError::Refused(_)) => return Ok(()),
            Err(gone) => return Err(gone),
        }
        gdb.select_thread(FIRST)?;
        self.make_current(FIRST);
        self.forget_frame();
        Ok(())
    }

    /// Selects a context in gdb for console commands.
    pub(in crate::gdb) fn select(&self, gdb: &mut Gdb, context: Context) -> Result<(), GdbError> {
        let thread = self.checked_thread(gdb, context.thread)?;
        gdb.select_frame(thread, context.frame)
    }

    pub(in crate::gdb) fn frames(
        &mut self,
        gdb: &mut Gdb,
        thread: Option<ThreadId>,
        low: u32,
        high: u32,
    ) -> Result<Vec<Frame>, GdbError> {
        let thread = self.checked_thread(gdb, thread)?;
        // One frame more shows whether the last one is inlined into it.
        let command = Command::new("stack-list-frames").word("--thread").word(thread);
        let command = command.word(low).word(high.saturating_add(1).min(DEEPEST));
        let results = match gdb.ask(&command) {
            Ok(answered) => answered.results,
            Err(GdbError::Refused(why)) if why.contains("Not enough frames") => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let told = results.inside("stack").into_iter().flat_map(Results::parts);
        let mut frames: Vec<Frame> = told.map(|frame| self.modules.frame(frame)).collect();
        // An inlined function has the address of the frame that contains it; a caller never has.
        let above: Vec<_> = frames.iter().skip(1).map(|frame| (frame.code.address, frame.function.clone())).collect();
        for (frame, (address, function)) in frames.iter_mut().zip(above) {
            frame.inlined = frame.code.address == address && frame.function != function;
        }
        frames.retain(|frame| frame.level <= high);
        Ok(frames)
    }

    pub(in crate::gdb) fn frame_at(&mut self, gdb: &mut Gdb, context: Context) -> Result<Frame, GdbError> {
        let mut frames = self.frames(gdb, context.thread, context.frame, context.frame)?;
        frames.pop().ok_or_else(|| GdbError::Refused(format!("No frame at level {}.", context.frame)))
    }

    /// Returns the innermost frame of the current thread.
    pub(in crate::gdb) fn stop_frame(&mut self, gdb: &mut Gdb) -> Result<Frame, GdbError> {
        if let Some(frame) = self.frame.clone() {
            return Ok(frame);
        }
        let answered = gdb.ask(&Command::new("stack-info-frame"))?;
        let frame = self.modules.frame(answered.results.inside("frame").unwrap_or(&Results::default()));
        self.frame = Some(frame.clone());
        Ok(frame)
    }

    /// Returns the frame of the user's code of a thread, by default the current one, that has stopped in this frame.
    pub(in crate::gdb) fn user_frame(
        &mut self,
        gdb: &mut Gdb,
        thread: Option<ThreadId>,
        innermost: &Frame,
        my_code: &MyCode,
    ) -> Result<Option<UserFrame>, GdbError> {
        if my_code.has(innermost) {
            return Ok(None);
        }
        match self.frames(gdb, thread, 0, USER_FRAME_SEARCH - 1) {
            Ok(stack) => Ok(my_code.user_frame(&stack)),
            Err(GdbError::Refused(_)) => Ok(None),
            Err(gone) => Err(gone),
        }
    }

    /// Returns the source line of the current thread.
    pub(in crate::gdb) fn line(&self) -> Option<u32> {
        self.frame.as_ref().and_then(|frame| frame.source.as_ref()).map(|place| place.line)
    }

    /// Returns the source file to which a bare line number refers.
    pub(in crate::gdb) fn default_file(&mut self, gdb: &mut Gdb, context: Context) -> Result<Option<String>, GdbError> {
        if context == Context::default() || !self.is_stopped() {
            let file = self.frame.as_ref().and_then(|frame| frame.source.as_ref());
            return Ok(file.map(|place| place.file.to_string()));
        }
        let frame = self.frame_at(gdb, context)?;
        Ok(frame.source.map(|place| place.file.to_string()))
    }

    pub(in crate::gdb) fn threads(&mut self, gdb: &mut Gdb, my_code: &MyCode) -> Result<Vec<ThreadInfo>, GdbError> {
        let results = gdb.ask(&Command::new("thread-info"))?.results;
        let told = results.inside("threads").into_iter().flat_map(Results::parts);
        let mut threads: Vec<_> = told
            .filter_map(|thread| {
                let id = ThreadId(thread.number("id")? as u32);
                let name = thread.text("name").unwrap_or_default().to_owned();
                let frame = thread.inside("frame").filter(|_| thread.text("state") == Some("stopped"));
                let frame = frame.map(|frame| self.modules.frame(frame));
                Some(ThreadInfo { id, current: id == self.current, name, frame, user: None })
            })
            .collect();
        for thread in &mut threads {
            if let Some(frame) = &thread.frame {
                thread.user = self.user_frame(gdb, Some(thread.id), frame, my_code)?;
            }
        }
        threads.sort_by_key(|thread| thread.id);
        Ok(threads)
    }
}

//! A rank that is a core file.

use super::fault::CoreFileFault;
use super::open_core::OpenCore;
use super::program_files::program_files;
use super::refusal::Refusal;
use super::thread_view::ThreadView;
use crate::causes::explain::{cause, signal_of, with_name};
use crate::causes::fatal_signal::FatalSignal;
use crate::causes::memory_map::MemoryMap;
use crate::native::inspect::StoppedThread;
use crate::process::memory::Mapping;
use crate::source_file::SourcePlaces;
use debuginfo::{LoadedImages, SymbolStore};
use expr::budget::{Allowance, Budget};
use expr::value_history::ValueHistory;
use expr::{ParseCache, RankPrinters, number_note};
use model::{
    Cause, ErrorCode, Failure, Frame, Rank, RunSettings, SignalName, Stop, StopReason, ThreadId, USER_FRAME_SEARCH,
    UserFrame,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The tag of the address of the program's path, on the first thread's stack (getauxval(3)).
pub(super) const AT_EXECFN: u64 = 31;

/// A rank that is a core file.
pub(super) struct CoreRank {
    pub(super) core: OpenCore,
    pub(super) images: LoadedImages,
    pub(super) settings: RunSettings,
    pub(super) value_history: ValueHistory,
    pub(super) expressions: Arc<ParseCache>,
    /// That of the query in progress.
    pub(super) allowance: Allowance,
}

impl CoreRank {
    /// Opens a core file with its program; also returns what is wrong with them, in words.
    pub(super) fn open(
        rank: Rank,
        path: &Path,
        store: &SymbolStore,
        program: &Path,
        settings: &RunSettings,
        expressions: &Arc<ParseCache>,
    ) -> Result<(Self, Vec<String>), CoreFileFault> {
        let core = OpenCore::open(&path.to_string_lossy())?;
        let files = program_files(&core, store, program);
        let mut complaints = files.complaints;
        if !core.damage.is_empty() {
            let words = core.damage.join("; ");
            complaints.push(format!("{}: {words}: what is missing cannot be shown", core.path));
        }
        let value_history = ValueHistory::default();
        let number = i32::try_from(rank.0).unwrap_or(i32::MAX);
        value_history.set_variable("_rank", number_note("_rank", number));
        let rank = Self {
            core,
            images: files.images,
            settings: settings.clone(),
            value_history,
            expressions: Arc::clone(expressions),
            allowance: Allowance::default(),
        };
        Ok((rank, complaints))
    }

    /// Returns the index of a thread by the user's number; fails if there is no such thread.
    pub(super) fn thread(&self, number: Option<ThreadId>) -> Result<usize, Failure> {
        let index = number.map_or(Some(0), |number| usize::try_from(number.0).ok()?.checked_sub(1));
        let there = index.filter(|index| *index < self.core.notes.threads.len());
        let number = number.unwrap_or(ThreadId(1));
        there.ok_or_else(|| Failure::new(ErrorCode::NO_THREAD, format!("Unknown thread {number}.")))
    }

    /// Looks at a thread, with the convenience variables that name it.
    pub(super) fn look<T>(
        &self,
        index: usize,
        budget: Budget,
        look: impl FnOnce(&StoppedThread<'_>) -> T,
    ) -> Result<T, Failure> {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let unknown = || Failure::new(ErrorCode::NO_THREAD, format!("Unknown thread {number}."));
        let thread = self.core.notes.threads.get(index).ok_or_else(unknown)?;
        for (name, value) in [("_thread", number as i32), ("_gthread", number as i32), ("_inferior", 1)] {
            self.value_history.set_variable(name, number_note(name, value));
        }
        self.value_history.limit(self.settings.print);
        let view = ThreadView {
            core: &self.core,
            images: &self.images,
            thread,
            number,
            value_history: &self.value_history,
            expressions: &self.expressions,
            printers: RankPrinters::new(&self.settings.printers, &self.expressions),
            budget,
            refused: None.into(),
        };
        view.look(&self.source_places(), look).map_err(Refusal::failure)
    }

    /// Returns the user's rules for finding source files.
    pub(super) fn source_places(&self) -> SourcePlaces {
        SourcePlaces::here(&self.settings.sources)
    }

    /// Returns the innermost frame of a thread, and the frame of the user's code if it is another one.
    pub(super) fn place(&self, thread: &StoppedThread<'_>) -> (Frame, Option<UserFrame>) {
        let innermost = thread.innermost();
        if self.settings.my_code.has(&innermost) {
            return (innermost, None);
        }
        let user = self.settings.my_code.user_frame(&thread.frames(USER_FRAME_SEARCH));
        (innermost, user)
    }

    /// Describes the signal that ended the program, with its cause.
    pub(super) fn stop(&self) -> Result<Stop, Failure> {
        let signal = self.core.notes.threads.first().map_or(0, |thread| thread.signal);
        let information = self.core.notes.threads.first().map(|thread| thread.information.clone()).unwrap_or_default();
        let reason =
            if signal == 0 { StopReason::Attached } else { StopReason::Signal(SignalName::from_number(signal)) };
        self.look(0, Budget::whole(&self.allowance), |thread| {
            let (frame, user) = self.place(thread);
            let cause = self.cause(&reason, &information, thread).map(Box::new);
            Stop { reason, thread: ThreadId(1), frame, note: None, cause, user: user.map(Box::new) }
        })
    }

    /// Looks for the cause of the signal that ended the program.
    fn cause(&self, reason: &StopReason, information: &[u8], thread: &StoppedThread<'_>) -> Option<Cause> {
        let signal = FatalSignal::with_information(signal_of(reason)?, information);
        let program = self.images.executable().map_or_else(Default::default, |program| PathBuf::from(&*program.name));
        let map = MemoryMap::of_core_file(self.mappings(), program);
        let found = cause(&signal, thread, &map)?;
        with_name(&found, &signal, thread, &map).or(Some(found))
    }

    /// Returns the memory map of the program, by its segments and mapped files.
    fn mappings(&self) -> Vec<Mapping> {
        let stack = self.core.notes.auxiliary(AT_EXECFN);
        let segments = self.core.segments.iter();
        let mapping = |segment: &super::headers::Segment| {
            let range = segment.start..segment.end;
            let file = self.core.notes.files.iter().find(|file| range.contains(&file.start));
            let name = match file {
                Some(file) => file.name.clone(),
                None if stack.is_some_and(|stack| range.contains(&stack)) => "[stack]".to_owned(),
                None => String::new(),
            };
            Mapping {
                start: segment.start,
                end: segment.end,
                offset: file.map_or(0, |file| file.offset),
                executable: segment.executable,
                changes: segment.writable,
                // Its number is not known, only that there is a file.
                inode: u64::from(file.is_some()),
                name,
            }
        };
        segments.map(mapping).collect()
    }
}

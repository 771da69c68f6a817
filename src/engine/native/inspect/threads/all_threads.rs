//! All threads of a rank, with their names and frames.

use super::openmp::{has_runtime, name_in_team, number_in_team};
use crate::native::inspect::StoppedThread;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::{Seen, Snapshot};
use crate::native::ptrace::Tid;
use expr::budget::Budget;
use model::{Answer, Frame, MyCode, NamedThread, Operation, ThreadId, ThreadInfo, ThreadStackList, USER_FRAME_SEARCH};
use std::time::{Duration, Instant};

/// The time limit of reading all stacks of a rank: other queries of the rank wait meanwhile.
const MOMENT: Duration = Duration::from_millis(500);

/// A thread to inspect.
pub(in crate::native::inspect) struct Listed {
    id: ThreadId,
    /// Its own name, or that of the program (prctl(2) `PR_GET_NAME`).
    name: String,
    current: bool,
    /// True if it has the name of the first thread, as those have that nobody has named.
    has_common_name: bool,
    /// `None` while it runs.
    snapshot: Option<Snapshot>,
}

/// Takes snapshots of all threads that have not ended.
pub(in crate::native::inspect) fn all_threads(inferior: &mut Inferior) -> Vec<Listed> {
    let pid = inferior.process.pid();
    let alive = inferior.process.threads().iter().filter(|thread| !thread.activity.is_ending());
    let mut threads: Vec<_> = alive.map(|thread| (thread.number, thread.tid, thread.is_stopped())).collect();
    threads.sort_unstable();
    let stopped: Vec<Tid> = threads.iter().filter(|(_, _, stopped)| *stopped).map(|(_, tid, _)| *tid).collect();
    let mut snapshots = inferior.snapshots(&stopped, false).into_iter();
    let name = |tid: Tid| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/comm"));
        name.map(|name| name.trim_end().to_owned()).unwrap_or_default()
    };
    let common = name(pid);
    let listed = threads.into_iter().map(|(id, tid, stopped)| {
        let (name, snapshot) = (name(tid), if stopped { snapshots.next() } else { None });
        let (current, has_common_name) = (tid == inferior.current, name == common);
        Listed { id, name, current, has_common_name, snapshot }
    });
    listed.collect()
}

/// Lists the threads, each with its innermost frame and that of the user's code.
pub(in crate::native::inspect) fn list(threads: &[Listed], my_code: &MyCode, budget: &Budget) -> Seen<Answer> {
    let frames = |thread: &StoppedThread<'_>| {
        let innermost = thread.innermost();
        let is_user = my_code.has(&innermost);
        if is_user && !has_runtime(thread.images) {
            return (innermost, None, None);
        }
        let frames = thread.frames(USER_FRAME_SEARCH);
        let user = if is_user { None } else { my_code.user_frame(&frames) };
        (innermost, user, number_in_team(thread, &frames))
    };
    let mut list = Vec::with_capacity(threads.len());
    for thread in threads {
        let (frame, user, number) = match thread.look(budget, frames) {
            None => (None, None, None),
            Some(Ok((frame, user, number))) => (Some(frame), user, number),
            Some(Err(seen)) => return seen,
        };
        let name = number.filter(|_| thread.has_common_name).map_or_else(|| thread.name.clone(), name_in_team);
        list.push(ThreadInfo { id: thread.id, current: thread.current, name, frame, user });
    }
    Seen::Whole(Answer::Threads(list))
}

/// Reads the stacks of the threads up to a level. Those for which there is no time are left out.
pub(in crate::native::inspect) fn stacks(threads: &[Listed], high: Option<u32>, budget: &Budget) -> Seen<Answer> {
    let begun = Instant::now();
    let mut list = ThreadStackList::default();
    for (count, thread) in threads.iter().enumerate() {
        let name = if thread.has_common_name { "" } else { thread.name.as_str() };
        let named = NamedThread { id: thread.id, name: name.into() };
        if count >= Operation::MOST_THREADS || list.is_full() || begun.elapsed() >= MOMENT {
            list.leave_out(named);
            continue;
        }
        let read = |thread: &StoppedThread<'_>| {
            let stack = thread.stack(0, high).frames;
            let mut frames: Vec<Frame> = stack.into_iter().map(|found| found.frame).collect();
            if frames.is_empty() {
                frames.push(thread.innermost());
            }
            (number_in_team(thread, &frames), frames)
        };
        match thread.look(budget, read) {
            None => list.add(named, Vec::new()),
            Some(Ok((number, frames))) => {
                let number = number.filter(|_| thread.has_common_name);
                let named =
                    number.map_or(named.clone(), |number| NamedThread { name: name_in_team(number).into(), ..named });
                list.add(named, frames);
            }
            Some(Err(Seen::Long)) if count > 0 => list.leave_out(named),
            Some(Err(seen)) => return seen,
        }
    }
    Seen::Whole(Answer::ThreadStacks(Box::new(list.finish())))
}

impl Listed {
    /// Inspects the thread, unless it runs; what is not a result is the answer for all threads.
    fn look<T>(&self, budget: &Budget, read: impl FnOnce(&StoppedThread<'_>) -> T) -> Option<Result<T, Seen<Answer>>> {
        Some(match self.snapshot.as_ref()?.look(budget, read) {
            Seen::Whole(found) | Seen::Noted(found, _) => Ok(found),
            Seen::Beyond => Err(Seen::Beyond),
            Seen::Long => Err(Seen::Long),
            Seen::Missing(images) => Err(Seen::Missing(images)),
        })
    }
}

//! Joins equal events of different ranks into one line, although they arrive one by one.

use super::{Content, Report};
use model::{ProcessSet, Stop, StopReason, join_processes};
use std::time::Instant;

/// Collects events until they are shown, and joins equal ones. The order of one rank's events is kept.
#[derive(Debug, Default)]
pub struct Coalescer {
    held: Vec<Report>,
    /// True if ranks with other values of a watchpoint are kept apart.
    by_value: bool,
    since: Option<Instant>,
}

/// The most events searched for an equal one: ranks that write a lot must not make this slow.
const SEARCHED: usize = 64;

impl Coalescer {
    /// Creates one that joins no stops of a watchpoint whose values differ, for programs that read the events.
    pub fn by_value() -> Self {
        Self { by_value: true, ..Self::default() }
    }

    /// Adds an event.
    pub fn push(&mut self, report: Report, now: Instant) {
        self.since.get_or_insert(now);
        if let Content::Breakpoint(new) = &report.content {
            // Only the latest state of a breakpoint matters.
            let is_it = |known: &Report| {
                matches!(&known.content, Content::Breakpoint(old) if old.request.id == new.request.id)
                    && known.origin == report.origin
            };
            if let Some(known) = self.held.iter_mut().find(|known| is_it(known)) {
                known.content = report.content;
                return;
            }
        }
        let by_value = self.by_value;
        let may_join = |known: &Content| !by_value || !has_other_values(known, &report.content);
        if join_where(self.held.iter_mut().rev(), &report, may_join).is_none() {
            self.held.push(report);
        }
    }

    /// Takes all events, in order.
    pub fn take(&mut self) -> Vec<Report> {
        self.since = None;
        std::mem::take(&mut self.held)
    }

    /// Returns the events that are held.
    pub fn held(&self) -> &[Report] {
        &self.held
    }

    /// Returns the time of the oldest event held; `None` if there is none.
    pub fn since(&self) -> Option<Instant> {
        self.since
    }
}

/// Joins an event to one of the reports before it, the newest first, if that says the same of other ranks; returns the
/// report's index.
pub fn join<'a>(before: impl Iterator<Item = &'a mut Report>, report: &Report) -> Option<usize> {
    join_where(before, report, |_| true)
}

/// True if both are stops at watchpoints, with different values.
fn has_other_values(known: &Content, new: &Content) -> bool {
    let watched = |content: &Content| match content {
        Content::Stopped(_, Stop { reason: StopReason::Watchpoint(_, watched), .. }) => Some(watched.clone()),
        _ => None,
    };
    watched(known).is_some_and(|known| watched(new).is_some_and(|new| known != new))
}

fn join_where<'a>(
    before: impl Iterator<Item = &'a mut Report>,
    report: &Report,
    may_join: impl Fn(&Content) -> bool,
) -> Option<usize> {
    let ranks = happened_to(&report.content)?;
    for (index, known) in before.take(SEARCHED).enumerate() {
        if known.origin == report.origin && may_join(&known.content) && joined(&mut known.content, &report.content) {
            return Some(index);
        }
        // A rank's later events must stay after its earlier ones.
        if happened_to(&known.content).is_none_or(|others| others.meets(ranks)) {
            break;
        }
    }
    None
}

/// Returns the ranks of an event that may be joined with equal ones of other ranks.
fn happened_to(content: &Content) -> Option<&ProcessSet> {
    match content {
        Content::Stopped(ranks, _)
        | Content::Running(ranks)
        | Content::Exited(ranks, _)
        | Content::Killed(ranks, _)
        | Content::Detached(ranks)
        | Content::Output(ranks, _, _)
        | Content::Message(_, ranks, _)
        | Content::Text(ranks, _)
        | Content::Failed(ranks, _)
        | Content::Lost { ranks, .. } => Some(ranks).filter(|ranks| !ranks.is_empty()),
        _ => None,
    }
}

/// Adds the ranks of the second event to the first if both say the same.
fn joined(known: &mut Content, new: &Content) -> bool {
    match (known, new) {
        (Content::Stopped(ranks, at), Content::Stopped(more, also)) => {
            let same = *at == *also;
            let plain = |stop: &Stop| (stop.thread, stop.note.clone(), stop.cause.clone());
            let are_alike = || at.reason.is_alike(&also.reason) && plain(at) == plain(also);
            if !(same || at.is_shown_at_place_of(also) && are_alike()) {
                return false;
            }
            at.reason.join(ranks, &also.reason, more);
            at.keep_shared_place(also);
            ranks.extend_with(more);
        }
        (Content::Running(ranks), Content::Running(more)) | (Content::Detached(ranks), Content::Detached(more)) => {
            ranks.extend_with(more);
        }
        (Content::Exited(ranks, code), Content::Exited(more, also)) if code == also => ranks.extend_with(more),
        (Content::Killed(ranks, by), Content::Killed(more, also)) if by == also => ranks.extend_with(more),
        (Content::Output(ranks, stream, text), Content::Output(more, other, also))
            if *stream == *other && text == also && !ranks.meets(more) =>
        {
            ranks.extend_with(more);
        }
        (Content::Text(ranks, text), Content::Text(more, also)) if text == also && !ranks.meets(more) => {
            ranks.extend_with(more);
        }
        (Content::Message(severity, ranks, text), Content::Message(other, more, also))
            if *severity == *other && !ranks.meets(more) =>
        {
            return alike(ranks, text, more, also);
        }
        (Content::Failed(ranks, why), Content::Failed(more, also)) => return alike(ranks, why, more, also),
        (Content::Lost { ranks, host, message }, Content::Lost { ranks: more, host: other, message: also })
            if host == other =>
        {
            return alike(ranks, message, more, also);
        }
        _ => return false,
    }
    true
}

fn alike(ranks: &mut ProcessSet, text: &mut String, more: &ProcessSet, also: &str) -> bool {
    let same = join_processes(text, also);
    if same {
        ranks.extend_with(more);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::FormatOptions;
    use model::{CodePlace, Frame, Stream, ThreadId};

    fn report(content: Content) -> Report {
        Report { origin: None, content, limits: FormatOptions::default() }
    }

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn ranks_halted_in_one_function_without_lines_are_told_of_together() {
        let halted = |ranks, offset| {
            let code = CodePlace { module: Some("libopen-pal.so".into()), offset, address: None };
            let function = Some("opal_progress".into());
            let frame = Frame { level: 0, function, source: None, code, inlined: false, guessed: false, thread: None };
            let stop = Stop {
                reason: StopReason::Interrupted,
                thread: ThreadId(1),
                frame,
                note: None,
                cause: None,
                user: None,
            };
            report(Content::Stopped(set(ranks), stop))
        };
        let mut held = Coalescer::default();
        for happened in [halted("6", 0x40), halted("7", 0x48), halted("13", 0x44)] {
            held.push(happened, Instant::now());
        }
        assert_eq!(held.take(), [halted("6-7,13", 0x40)]);
    }

    #[test]
    fn ranks_halted_in_one_call_of_a_library_are_told_of_together() {
        let frame = |level, function: &str, line: Option<u32>| Frame {
            level,
            function: Some(function.into()),
            source: line.map(|line| model::SourcePlace { file: "/src/deadlock.c".into(), line }),
            code: CodePlace { module: Some("libmpi.so".into()), offset: 0x40, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        };
        let halted = |ranks, inside: &str, call: &str| {
            let user = model::UserFrame { frame: frame(7, "main", Some(118)), call: Some(call.into()) };
            let (frame, user) = (frame(0, inside, None), Some(Box::new(user)));
            let stop =
                Stop { reason: StopReason::Interrupted, thread: ThreadId(1), frame, note: None, cause: None, user };
            report(Content::Stopped(set(ranks), stop))
        };
        let mut held = Coalescer::default();
        for happened in [
            halted("0", "poll", "MPI_Allreduce"),
            halted("1", "opal_progress", "MPI_Allreduce"),
            halted("2", "opal_progress", "MPI_Barrier"),
        ] {
            held.push(happened, Instant::now());
        }
        let lines: Vec<_> = held.take().iter().flat_map(crate::report::text_lines).collect();
        let told = [
            "[0-1] stopped: interrupted, in MPI_Allreduce at deadlock.c:118",
            "[2] stopped: interrupted, in MPI_Barrier at deadlock.c:118",
        ];
        assert_eq!(lines, told);
    }

    #[test]
    fn equal_happenings_join_and_the_order_of_a_rank_stays() {
        let now = Instant::now();
        let out = |ranks, text: &str| report(Content::Output(set(ranks), Stream::Stdout, text.to_owned()));
        let mut held = Coalescer::default();
        for happened in [
            out("0", "it 0\n"),
            report(Content::Running(set("2"))),
            out("1", "it 0\n"),
            out("0", "it 1\n"),
            out("2", "it 0\n"),
            out("0", "it 1\n"),
            report(Content::Exited(set("0"), 0)),
            out("1", "it 1\n"),
            report(Content::Exited(set("1"), 0)),
        ] {
            held.push(happened, now);
        }
        assert_eq!(held.since(), Some(now));
        assert_eq!(
            held.take(),
            [
                out("0-1", "it 0\n"),
                report(Content::Running(set("2"))),
                out("0", "it 1\n"),
                out("2", "it 0\n"),
                out("0-1", "it 1\n"),
                report(Content::Exited(set("0-1"), 0)),
            ]
        );
        assert_eq!(held.since(), None);
    }
}

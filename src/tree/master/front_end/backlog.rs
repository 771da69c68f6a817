//! Output of ranks and reports about them, kept to be shown to a later front end.

use model::{Event, ProcessSet};
use std::collections::VecDeque;

/// Bytes of memory for what is kept; beyond this the oldest is dropped, and counted.
const KEPT: usize = 2 << 20;
/// Bytes up to which a text is continued.
const LONGEST_TEXT: usize = 4 << 10;

/// The kept part, oldest first.
#[derive(Debug, Default)]
pub(in crate::master) struct Past {
    said: VecDeque<(ProcessSet, Event)>,
    bytes: usize,
    dropped: u64,
}

/// The text of an event, in bytes.
fn length(event: &Event) -> usize {
    match event {
        Event::Output(_, text) | Event::Message(_, text) | Event::Executed(text) => text.len(),
        Event::SignalSeen(signal) => signal.0.len(),
        _ => 0,
    }
}

/// What an entry costs beside its text.
fn cost(ranks: &ProcessSet) -> usize {
    size_of::<(ProcessSet, Event)>() + ranks.bytes()
}

impl Past {
    /// Records an event, unless the state of the ranks tells it.
    pub(in crate::master) fn note(&mut self, ranks: &ProcessSet, event: &Event) {
        if !matches!(event, Event::Output(..) | Event::Message(..) | Event::SignalSeen(_) | Event::Executed(_)) {
            return;
        }
        self.bytes += length(event);
        match (self.said.back_mut(), event) {
            (Some((those, Event::Output(same, so_far))), Event::Output(stream, text))
                if those == ranks && same == stream && so_far.len() < LONGEST_TEXT =>
            {
                so_far.push_str(text);
            }
            _ => {
                self.bytes += cost(ranks);
                self.said.push_back((ranks.clone(), event.clone()));
            }
        }
        while self.bytes > KEPT
            && let Some((ranks, oldest)) = self.said.pop_front()
        {
            self.bytes -= length(&oldest) + cost(&ranks);
            self.dropped += length(&oldest) as u64;
        }
    }

    /// Returns all that is kept, and how many bytes before it were dropped.
    pub(in crate::master) fn told(&self) -> (u64, impl Iterator<Item = (ProcessSet, Event)>) {
        (self.dropped, self.said.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Rank, SignalName, Stream};

    #[test]
    fn the_last_is_kept_and_the_rest_is_counted() {
        let mut past = Past::default();
        let (zero, one) = (ProcessSet::one(Rank(0)), ProcessSet::one(Rank(1)));
        let line = "x".repeat(LONGEST_TEXT - 1) + "\n";
        past.note(&zero, &Event::Output(Stream::Stdout, line.clone()));
        past.note(&zero, &Event::Running);
        for _ in 0..KEPT / (line.len() + cost(&one)) {
            past.note(&one, &Event::Output(Stream::Stdout, line.clone()));
        }
        let (dropped, said) = past.told();
        assert_eq!(dropped, LONGEST_TEXT as u64);
        assert!(said.into_iter().all(|(ranks, event)| ranks == one && matches!(event, Event::Output(..))));
    }

    #[test]
    fn a_flood_of_signals_is_kept_in_little_memory() {
        let mut past = Past::default();
        for rank in 0..100_000 {
            past.note(&ProcessSet::one(Rank(rank % 8)), &Event::SignalSeen(SignalName::parse("SIGUSR1").unwrap()));
        }
        assert!(past.said.len() * size_of::<(ProcessSet, Event)>() < KEPT, "{} are kept", past.said.len());
    }

    #[test]
    fn one_writer_is_one_entry() {
        let mut past = Past::default();
        let zero = ProcessSet::one(Rank(0));
        past.note(&zero, &Event::Output(Stream::Stdout, "a\n".into()));
        past.note(&zero, &Event::Output(Stream::Stdout, "b\n".into()));
        let (dropped, said) = past.told();
        let said: Vec<_> = said.collect();
        assert_eq!((dropped, said), (0, vec![(zero, Event::Output(Stream::Stdout, "a\nb\n".into()))]));
    }
}

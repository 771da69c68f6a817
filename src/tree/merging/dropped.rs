//! What was dropped on the way up because it came faster than it could be shown.

use super::window::Spoken;
use model::{BreakpointId, Event, ProcessSet, Rank, Severity, TransactionId};
use std::collections::BTreeMap;

/// Output and reports dropped, each since it was last told.
#[derive(Debug, Default)]
pub(super) struct Dropped {
    writers: ProcessSet,
    bytes: u64,
    reporters: ProcessSet,
    reports: u64,
    /// Hits of tracepoints of which the reports were dropped.
    hits: BTreeMap<BreakpointId, BTreeMap<Rank, u64>>,
}

impl Dropped {
    pub(super) fn add(&mut self, ranks: &ProcessSet, event: &Event) {
        if let Event::Output(_, text) = event {
            self.bytes += text.len() as u64;
            self.writers.extend_with(ranks);
            return;
        }
        self.reports += 1;
        self.reporters.extend_with(ranks);
        if let Event::Traced(trace) = event {
            let hits = self.hits.entry(trace.id).or_default();
            ranks.iter().for_each(|rank| *hits.entry(rank).or_default() += 1);
        }
    }

    /// Appends what must be told before the next output.
    pub(super) fn told(&mut self, tid: TransactionId, out: &mut Vec<Spoken>) {
        let mut tell = |ranks, words| out.push(Spoken { tid, ranks, event: Event::Message(Severity::Warning, words) });
        if self.bytes > 0 {
            let (ranks, bytes) = (std::mem::take(&mut self.writers), std::mem::take(&mut self.bytes));
            let words = format!("dropped {bytes} bytes of output: the ranks write faster than it can be shown");
            tell(ranks, words);
        }
        if self.reports > 0 {
            let (ranks, reports) = (std::mem::take(&mut self.reporters), std::mem::take(&mut self.reports));
            let noun = if reports == 1 { "report" } else { "reports" };
            let words = format!(
                "dropped {reports} {noun} of traces, signals and new programs: they come faster than they can be shown; \
                hits are still counted"
            );
            tell(ranks, words);
        }
    }

    /// Appends the hits of these ranks of which the reports were dropped.
    pub(super) fn counted(&mut self, ranks: &ProcessSet, out: &mut Vec<Spoken>) {
        for (id, hits) in &mut self.hits {
            let mut equal: BTreeMap<u64, ProcessSet> = BTreeMap::new();
            hits.retain(|rank, number| {
                let of_others = !ranks.contains(*rank);
                if !of_others {
                    equal.entry(*number).or_default().insert(*rank);
                }
                of_others
            });
            let counted = |(number, ranks)| Spoken { tid: TransactionId(0), ranks, event: Event::Counted(*id, number) };
            out.extend(equal.into_iter().map(counted));
        }
        self.hits.retain(|_, hits| !hits.is_empty());
    }
}

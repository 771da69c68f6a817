//! The progress of a command that writes files to the memory of ranks.

use super::file_name;
use crate::command::RestoreOrder;
use model::{Answer, Context, ProcessSet, VirtualAddress};

/// A file, and where its bytes go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Job {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) path: String,
    pub(in crate::core) address: VirtualAddress,
    /// The bytes of the file that are written, the second excluded; `None`: up to its end.
    pub(in crate::core) start: u64,
    pub(in crate::core) end: Option<u64>,
}

/// A command that writes files to memory.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Restoring {
    order: RestoreOrder,
    pub(in crate::core) context: Context,
    /// The present one is the last.
    pub(in crate::core) jobs: Vec<Job>,
    /// Bytes of the present job that are in memory.
    pub(in crate::core) done: u64,
    /// The bytes that are on their way to the ranks, and those that the job has in all.
    pub(in crate::core) sent: (u64, u64),
    /// Why nothing more is written.
    pub(in crate::core) broken: Option<String>,
}

impl Restoring {
    pub(in crate::core) fn new(order: RestoreOrder, context: Context) -> Self {
        Self { order, context, jobs: Vec::new(), done: 0, sent: (0, 0), broken: None }
    }

    /// Takes the answers to the questions for the address, the start and the end.
    pub(in crate::core) fn begin(&mut self, good: &[(usize, ProcessSet, Answer)], bad: &ProcessSet) {
        self.jobs = jobs(&self.order, good, bad);
    }

    /// Returns the expression of the address.
    pub(in crate::core) fn text(&self) -> &str {
        &self.order.offset
    }
}

/// Returns what is to be written where, from the answers to the questions: address, start, end.
fn jobs(order: &RestoreOrder, good: &[(usize, ProcessSet, Answer)], bad: &ProcessSet) -> Vec<Job> {
    let number = |slot: usize, ranks: &ProcessSet| {
        let of_slot = good.iter().filter(|(of, ..)| *of == slot);
        let mut parts: Vec<(ProcessSet, Option<u64>)> = Vec::new();
        for (_, known, answer) in of_slot {
            let common = known.intersection(ranks).difference(bad);
            if let Answer::DataPart(part) = answer
                && !common.is_empty()
            {
                parts.push((common, part.shape.address.map(|address| address.0)));
            }
        }
        parts
    };
    let all = good.iter().fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
    let mut jobs = Vec::new();
    for (ranks, address) in number(0, &all) {
        let starts = if order.start.is_some() { number(1, &ranks) } else { vec![(ranks, Some(0))] };
        for (ranks, start) in starts {
            let ends = if order.end.is_some() { number(2, &ranks) } else { vec![(ranks, None)] };
            for (ranks, end) in ends {
                let files: Vec<(ProcessSet, String)> = if file_name::names_rank(&order.file) {
                    ranks.iter().map(|rank| (ProcessSet::one(rank), file_name::of_rank(&order.file, rank))).collect()
                } else {
                    vec![(ranks, order.file.clone())]
                };
                jobs.extend(files.into_iter().map(|(ranks, path)| Job {
                    ranks,
                    path,
                    address: VirtualAddress(address.unwrap_or(0)),
                    start: start.unwrap_or(0),
                    end,
                }));
            }
        }
    }
    jobs.sort_by_key(|job| std::cmp::Reverse(job.ranks.first()));
    jobs
}

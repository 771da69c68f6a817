//! Looks at the stacks of running ranks: their threads stop for a moment, which is no stop that is reported, and resume
//! as soon as their stacks have been read.

use super::pausing::pause;
use super::phase::{Halt, Phase, not_run, running};
use super::tracee::Tracee;
use super::tracer_shared::{Member, Request, Tracer, TracerShared};
use crate::Query;
use debuginfo::Image;
use model::{Answer, Failure, Operation, ProcessSet};
use std::sync::Arc;

/// Fails unless all threads of a rank are stopped, be it only for this.
pub(in crate::native) fn require_sampled(tracee: &Tracee) -> Result<(), Failure> {
    match tracee.phase {
        Phase::Stopped | Phase::Halting(Halt::Look) => Ok(()),
        Phase::Ended => Err(not_run()),
        _ => Err(running()),
    }
}

/// Performs on the tracer thread an operation for `Sample` that a snapshot does not suffice for.
pub(super) fn look_for_sample(tracee: &mut Tracee, operation: &Operation) -> Result<Answer, Failure> {
    require_sampled(tracee)?;
    tracee.inferior.inspect(operation.sampled().unwrap_or(operation))
}

/// Begins the looks that have waited for the threads of a rank to stop.
pub(super) fn take_samples(tracee: &mut Tracee, shared: &mut TracerShared) {
    if tracee.samples.is_empty() {
        return;
    }
    let (rank, samples) = (tracee.rank, std::mem::take(&mut tracee.samples));
    // Only the tracer knows the other queries of the rank.
    let begin = move |tracer: &mut Tracer| {
        samples.into_iter().for_each(|query| sample(tracer, query));
        end_samples(tracer, &ProcessSet::one(rank));
    };
    let _ = shared.requests.send(Request::Continue(Box::new(begin)));
    shared.waker.wake();
}

/// Looks at the stacks of ranks, of those that run once their threads have stopped.
pub(in crate::native) fn sample(tracer: &mut Tracer, Query { tid, ranks, operation }: Query) {
    let mut ready = ProcessSet::new();
    for rank in ranks.iter() {
        let tracee = tracer.ranks.get_mut(&rank).and_then(Member::tracee);
        match tracee.filter(|tracee| has_to_stop(tracee)) {
            Some(tracee) => {
                tracee.samples.push(Query { tid, ranks: ProcessSet::one(rank), operation: operation.clone() });
                if tracee.phase == Phase::Running {
                    pause(tracee);
                }
                tracer.with(rank, Tracee::check_halted);
            }
            None => drop(ready.insert(rank)),
        }
    }
    if !ready.is_empty() {
        tracer.look(tid, ready, operation);
    }
}

/// Looks at the stacks of ranks once these files are prepared.
pub(in crate::native) fn sample_later(tracer: &mut Tracer, query: Query, images: Vec<Arc<Image>>) {
    tracer.shared.when_ready(images, move || Box::new(move |tracer: &mut Tracer| sample(tracer, query)));
}

/// Resumes the ranks that were stopped for a look, unless another one goes on.
pub(in crate::native) fn end_samples(tracer: &mut Tracer, ranks: &ProcessSet) {
    for rank in ranks.iter() {
        if !tracer.queries.is_inspected(rank) {
            tracer.with(rank, resume_after_look);
        }
    }
}

/// True if the threads of a rank are running, or are being stopped.
fn has_to_stop(tracee: &Tracee) -> bool {
    match tracee.phase {
        Phase::Running => true,
        Phase::Halting(Halt::Look) => false,
        Phase::Halting(_) => true,
        Phase::Waiting | Phase::Stopped | Phase::Calling | Phase::Ended => false,
    }
}

fn resume_after_look(tracee: &mut Tracee, shared: &mut TracerShared) {
    if tracee.phase == Phase::Halting(Halt::Look) {
        tracee.go_on_after_pause(shared);
    }
}

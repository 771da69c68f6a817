//! Searches for the locations of breakpoints and `until` outside the tracer thread; later queries wait for the result.

use crate::native::breakpoints::catch_functions::became;
use crate::native::breakpoints::catch_functions::located;
use crate::native::breakpoints::evaluated::{Evaluated, Placed};
use crate::native::breakpoints::lookups::place;
use crate::native::breakpoints::sites::{Wanted, search};
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::Snapshot;
use crate::native::tracer::outbox::Answers;
use crate::native::tracer::phase::{Phase, not_run};
use crate::native::tracer::query_queue::Task;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::Member;
use crate::native::tracer::tracer_shared::Tracer;
use crate::native::tracer::tracer_shared::TracerShared;
use debuginfo::LoadedImages;
use model::{
    Answer, BreakpointRequest, Context, ErrorCode, Failure, LocationSpec, Operation, ProcessSet, Rank, TransactionId,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A search for a location in one rank.
struct Search {
    rank: Rank,
    /// The version of the files searched; `None` if newer ones are being found already.
    version: Option<u32>,
    images: LoadedImages,
    wanted: Wanted,
    process: Snapshot,
}

impl Search {
    fn of(inferior: &Inferior, rank: Rank, wanted: Wanted) -> Self {
        let version = (inferior.program.loading == 0).then_some(inferior.program.version);
        Self { rank, version, images: inferior.images().clone(), wanted, process: inferior.bare_snapshot() }
    }
}

/// An operation that needs a location of the files of ranks.
struct Request<'a> {
    tid: TransactionId,
    ranks: &'a ProcessSet,
    operation: &'a Operation,
    location: &'a LocationSpec,
    context: Context,
    evaluated: Evaluated,
}

impl Tracer {
    pub(in crate::native) fn set_breakpoint(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        request: &BreakpointRequest,
    ) {
        let operation = Operation::SetBreakpoint(request.clone());
        let Some(location) = &located(&request.point) else { return };
        let evaluated =
            request.point.place().map(|_| Evaluated::of(request, &self.shared.expressions)).unwrap_or_default();
        let context = Context::default();
        self.locate(
            Request { tid, ranks, operation: &operation, location, context, evaluated },
            {
                let request = request.clone();
                move |tracee: &mut Tracee, shared: &mut TracerShared| {
                    tracee.breakpoints.add(&mut tracee.inferior, request.clone())?;
                    // Libraries that were loaded unnoticed are searched for this breakpoint, too.
                    let action = tracee.libraries.catch_up(&mut tracee.inferior, &tracee.breakpoints);
                    tracee.do_for_libraries(shared, action);
                    Ok(())
                }
            },
            {
                let (id, point) = (request.id, request.point.clone());
                move |tracee, shared, found| {
                    // The files have changed meanwhile: the search that follows finds this breakpoint too.
                    let Some(found) = found else {
                        tracee.update_hook(shared);
                        let known = tracee.breakpoints.points.get(&id).map(|breakpoint| breakpoint.sites.clone());
                        return became(id, &point, known.unwrap_or_default());
                    };
                    // A location that is not found may be in a library loaded later.
                    let placed = found.unwrap_or_default();
                    let sites = placed.sites.clone();
                    let placed = match placed.refusal() {
                        Some(refusal) => Err(refusal.clone()),
                        None => tracee.breakpoints.place(
                            &mut tracee.inferior,
                            &mut shared.outbox.of(tracee.control, tracee.rank),
                            id,
                            placed,
                        ),
                    };
                    tracee.update_hook(shared);
                    match placed {
                        Ok(_) => became(id, &point, sites),
                        Err(failure) => {
                            tracee.breakpoints.delete(&mut tracee.inferior, id);
                            Answer::Failed(failure)
                        }
                    }
                }
            },
        );
    }

    /// Runs ranks to a location, or from it: `Until`, `Advance` or `Jump`.
    pub(in crate::native) fn run_to(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        location: &LocationSpec,
        context: Context,
        operation: &Operation,
    ) {
        let (way, location_asked) = (operation.clone(), location.clone());
        let evaluated = Evaluated::default();
        self.locate(
            Request { tid, ranks, operation, location, context, evaluated },
            |tracee: &mut Tracee, _: &mut TracerShared| tracee.phase.require_stopped(),
            move |tracee, shared, found| {
                let moved =
                    || Failure::new(ErrorCode::DEBUGGER, "The loaded files of the process have changed; try again.");
                let outcome = found.unwrap_or_else(|| Err(moved())).and_then(|Placed { sites, .. }| {
                    tracee.phase.require_stopped()?;
                    let addresses: Vec<u64> = sites.iter().filter_map(|site| site.address).map(|at| at.0).collect();
                    match way {
                        Operation::Jump(..) => tracee.inferior.jump_to(&addresses, &location_asked, context),
                        _ => tracee.stepping.begin_until(
                            &mut tracee.inferior,
                            &mut tracee.breakpoints,
                            &addresses,
                            context,
                            matches!(way, Operation::Advance(..)),
                        ),
                    }
                });
                match outcome {
                    Ok(()) => {
                        tracee.controlled(shared, tid);
                        tracee.go(shared);
                        Answer::Ok
                    }
                    Err(failure) => Answer::Failed(failure),
                }
            },
        );
    }

    /// Finds a location in the files of ranks outside the tracer thread, and answers with the result of `then`. `first`
    /// is called before and may refuse; `then` gets `None` if the search is out of date.
    fn locate(
        &mut self,
        request: Request<'_>,
        first: impl Fn(&mut Tracee, &mut TracerShared) -> Result<(), Failure>,
        then: impl Fn(&mut Tracee, &mut TracerShared, Option<Found>) -> Answer + Send + 'static,
    ) {
        let Request { tid, ranks, operation, location, context, evaluated } = request;
        let mut answers = Answers::default();
        let mut asked = Vec::new();
        for rank in ranks.iter() {
            match self.ranks.get_mut(&rank).and_then(Member::tracee).filter(|tracee| tracee.phase != Phase::Ended) {
                Some(tracee) => {
                    match first(tracee, &mut self.shared).and_then(|()| tracee.inferior.wanted(location, context)) {
                        Ok(wanted) => asked.push(Search::of(&tracee.inferior, rank, wanted)),
                        Err(failure) => answers.add(rank, Answer::Failed(failure)),
                    }
                }
                None => answers.add(rank, self.ask(rank, operation, |_, _| Answer::Failed(not_run()))),
            }
        }
        self.shared.outbox.answers(tid, answers);
        if asked.is_empty() {
            return;
        }
        let searched: ProcessSet = asked.iter().map(|search| search.rank).collect();
        self.queries.begin(Task::Search, &searched);
        let operation = operation.clone();
        let files: Vec<_> =
            asked.iter().flat_map(|search| search.images.iter()).map(|l| Arc::clone(&l.image)).collect();
        self.shared.when_ready(files, move || {
            let found = find_for_all(asked, &evaluated);
            Box::new(move |tracer: &mut Tracer| {
                let mut answers = Answers::default();
                for (rank, version, found) in found {
                    let answer = tracer.ask(rank, &operation, |tracee, shared| {
                        then(tracee, shared, Some(found).filter(|_| version == Some(tracee.inferior.program.version)))
                    });
                    answers.add(rank, answer);
                }
                tracer.shared.outbox.answers(tid, answers);
                for query in tracer.queries.end(Task::Search, &searched) {
                    tracer.query(query);
                }
            })
        });
    }
}

/// The sites of a location, or the reason why there are none.
type Found = Result<Placed, Failure>;

/// Finds sites for many ranks; those with the same files at the same addresses share one search.
fn find_for_all(asked: Vec<Search>, evaluated: &Evaluated) -> Vec<(Rank, Option<u32>, Found)> {
    let mut known: FxHashMap<(Vec<(u32, u64)>, Wanted), Found> = FxHashMap::default();
    asked
        .into_iter()
        .map(|Search { rank, version, images, wanted, process }| {
            let files = images.iter().map(|loaded| (loaded.image.index(), loaded.bias.0)).collect();
            let find = |(_, wanted): &(_, Wanted)| {
                search(&images, wanted).map(|sites| place(&images, sites, evaluated, &process))
            };
            let found = known.entry((files, wanted)).or_insert_with_key(find).clone();
            (rank, version, found)
        })
        .collect()
}

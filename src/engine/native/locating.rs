//! Places of breakpoints and of `until`: looked for beside the tracer thread, and found before what is asked after them
//! is carried out.

use super::breakpoints::{Wanted, search};
use super::catching::{became, catch_location};
use super::host::{Host, Member};
use super::outbox::Answers;
use super::station::Station;
use super::symbols::LoadedImages;
use super::tracee::{Phase, Tracee, not_run};
use crate::engine::Query;
use crate::model::{
    Answer, BreakpointRequest, Context, ErrorCode, Failure, LocationSpec, Operation, ProcessSet, Rank, Site,
    TransactionId,
};
use rustc_hash::FxHashMap;

/// What a rank is searched for.
struct Search {
    rank: Rank,
    /// The files that are searched; `None` when others are being looked for already.
    version: Option<u32>,
    images: LoadedImages,
    wanted: Wanted,
}

impl Tracee {
    fn search(&self, rank: Rank, wanted: Wanted) -> Search {
        let version = (self.program.loading == 0).then_some(self.program.version);
        Search { rank, version, images: self.images().clone(), wanted }
    }
}

/// Ranks whose places are being looked for, and what they were asked since that would overtake the search.
#[derive(Debug, Default)]
pub(super) struct Searches {
    open: FxHashMap<Rank, u32>,
    held: Vec<Query>,
}

impl Searches {
    /// What of a query may be carried out now; the rest waits. To be stopped waits only behind what else waits.
    pub(super) fn admit(&mut self, query: Query) -> Option<Query> {
        if !query.operation.is_run_control() || query.operation == Operation::Terminate {
            return Some(query);
        }
        let behind: ProcessSet = match query.operation {
            Operation::Interrupt => {
                self.held.iter().fold(ProcessSet::default(), |ranks, held| ranks.union(&held.ranks))
            }
            _ => self.open.keys().copied().collect(),
        };
        let waiting = query.ranks.intersection(&behind);
        if waiting.is_empty() {
            return Some(query);
        }
        let ranks = query.ranks.difference(&waiting);
        self.held.push(Query { ranks: waiting, ..query.clone() });
        (!ranks.is_empty()).then_some(Query { ranks, ..query })
    }

    fn begin(&mut self, ranks: &ProcessSet) {
        for rank in ranks.iter() {
            *self.open.entry(rank).or_default() += 1;
        }
    }

    /// A search is over; what waits is to be asked again, in its order.
    fn end(&mut self, ranks: &ProcessSet) -> Vec<Query> {
        for rank in ranks.iter() {
            if let Some(count) = self.open.get_mut(&rank) {
                *count -= 1;
                if *count == 0 {
                    self.open.remove(&rank);
                }
            }
        }
        std::mem::take(&mut self.held)
    }
}

impl Host {
    pub(super) fn set_breakpoint(&mut self, tid: TransactionId, ranks: &ProcessSet, request: &BreakpointRequest) {
        let operation = Operation::SetBreakpoint(request.clone());
        let located = request.point.place().cloned().or_else(|| catch_location(&request.point));
        let Some(location) = &located else {
            let mut answers = Answers::default();
            for rank in ranks.iter() {
                let answer = self.ask(rank, &operation, |tracee, station| {
                    let answer = tracee.set_point(request);
                    tracee.update_hook(station);
                    answer
                });
                answers.add(rank, answer);
            }
            return self.station.outbox.answers(tid, answers);
        };
        self.locate(
            tid,
            ranks,
            location,
            Context::default(),
            &operation,
            {
                let request = request.clone();
                move |tracee: &mut Tracee, station: &mut Station| {
                    tracee.add_breakpoint(request.clone())?;
                    // Of what came while nobody looked this one is looked for, too.
                    tracee.catch_up(station);
                    Ok(())
                }
            },
            {
                let (id, point) = (request.id, request.point.clone());
                move |tracee, station, found| {
                    // Files came or went meanwhile: the search that follows that finds this breakpoint too.
                    let Some(found) = found else {
                        tracee.update_hook(station);
                        return became(id, &point, tracee.sites(id));
                    };
                    // What is not there may come with a library.
                    let sites = found.unwrap_or_default();
                    let placed = tracee.place_breakpoint(id, sites.clone());
                    tracee.update_hook(station);
                    match placed {
                        Ok(_) => became(id, &point, sites),
                        Err(failure) => {
                            tracee.delete_breakpoint(id);
                            Answer::Failed(failure)
                        }
                    }
                }
            },
        );
    }

    pub(super) fn until(&mut self, tid: TransactionId, ranks: &ProcessSet, location: &LocationSpec, context: Context) {
        let operation = Operation::Until(location.clone(), context);
        self.locate(
            tid,
            ranks,
            location,
            context,
            &operation,
            |tracee: &mut Tracee, _: &mut Station| tracee.require_stopped(),
            move |tracee, station, found| {
                let moved =
                    || Failure::new(ErrorCode::DEBUGGER, "The files of the process changed meanwhile; try again.");
                let outcome = found.unwrap_or_else(|| Err(moved())).and_then(|sites| {
                    tracee.require_stopped()?;
                    let addresses: Vec<u64> = sites.iter().filter_map(|site| site.address).map(|at| at.0).collect();
                    tracee.begin_until(&addresses, context)
                });
                match outcome {
                    Ok(()) => {
                        tracee.controlled(station, tid);
                        tracee.go(station);
                        Answer::Ok
                    }
                    Err(failure) => Answer::Failed(failure),
                }
            },
        );
    }

    /// Finds a location in the files of ranks, beside the tracer thread, and answers with what `then` makes of it.
    /// `first` is called before, and may refuse; `then` gets nothing when the search is out of date.
    fn locate(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        location: &LocationSpec,
        context: Context,
        operation: &Operation,
        first: impl Fn(&mut Tracee, &mut Station) -> Result<(), Failure>,
        then: impl Fn(&mut Tracee, &mut Station, Option<Found>) -> Answer + Send + 'static,
    ) {
        let mut answers = Answers::default();
        let mut asked = Vec::new();
        for rank in ranks.iter() {
            match self.ranks.get_mut(&rank).and_then(Member::tracee).filter(|tracee| tracee.phase != Phase::Ended) {
                Some(tracee) => {
                    match first(tracee, &mut self.station).and_then(|()| tracee.wanted(location, context)) {
                        Ok(wanted) => asked.push(tracee.search(rank, wanted)),
                        Err(failure) => answers.add(rank, Answer::Failed(failure)),
                    }
                }
                None => answers.add(rank, self.ask(rank, operation, |_, _| Answer::Failed(not_run()))),
            }
        }
        self.station.outbox.answers(tid, answers);
        if asked.is_empty() {
            return;
        }
        let searched: ProcessSet = asked.iter().map(|search| search.rank).collect();
        self.searches.begin(&searched);
        let operation = operation.clone();
        self.station.later(move || {
            let found = find_for_all(asked);
            Box::new(move |host: &mut Host| {
                let mut answers = Answers::default();
                for (rank, version, found) in found {
                    let answer = host.ask(rank, &operation, |tracee, station| {
                        then(tracee, station, Some(found).filter(|_| version == Some(tracee.program.version)))
                    });
                    answers.add(rank, answer);
                }
                host.station.outbox.answers(tid, answers);
                for query in host.searches.end(&searched) {
                    host.query(query);
                }
            })
        });
    }
}

/// The sites of a location, or why there are none.
type Found = Result<Vec<Site>, Failure>;

/// Sites for many ranks; those with the same files at the same places share one search.
fn find_for_all(asked: Vec<Search>) -> Vec<(Rank, Option<u32>, Found)> {
    let mut known: FxHashMap<(Vec<(u32, u64)>, Wanted), Found> = FxHashMap::default();
    asked
        .into_iter()
        .map(|Search { rank, version, images, wanted }| {
            let files = images.iter().map(|loaded| (loaded.image.index(), loaded.bias.0)).collect();
            let found = known.entry((files, wanted)).or_insert_with_key(|(_, wanted)| search(&images, wanted)).clone();
            (rank, version, found)
        })
        .collect()
}

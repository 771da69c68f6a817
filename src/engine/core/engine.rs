//! The engine of core files. Queries are answered in their order by one thread, each by as many threads as there are
//! processors: a stack of one core file need not wait for another.

use super::fault::CoreFileFault;
use super::rank::CoreRank;
use super::refusal::Refusal;
use crate::message_queues::QueueReaders;
use crate::native::Answers;
use crate::{Acquisition, Engine, EngineFault, Handed, Query, Refusal as TakeOverRefusal, Report, ReportSink};
use debuginfo::{IndexCache, SymbolStore};
use expr::ParseCache;
use expr::budget::Allowance;
use model::{Answer, ErrorCode, Event, Failure, LaunchSpec, Operation, ProcessSet, Rank, Severity, TransactionId};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use tokio::sync::oneshot;

/// More threads do not help: they wait for the same debug information.
const MOST_WORKERS: usize = 16;

enum Order {
    Acquire(Acquisition),
    Query(Query, Allowance),
    Shutdown,
}

/// The queries that are not answered yet, and the switches that interrupt them.
type Pending = Arc<Mutex<Vec<(ProcessSet, Allowance)>>>;

/// The engine of core files: its ranks are files, and no processes.
#[derive(Debug)]
pub struct CoreEngine {
    orders: Sender<Order>,
    pending: Pending,
}

impl CoreEngine {
    /// Starts an engine without ranks. Its thread ends with `shutdown`, or when the engine is dropped. `queue_library` is
    /// the command line of a process that runs [`serve_queue_library`](crate::serve_queue_library).
    pub fn start(queue_library: Vec<OsString>, sink: ReportSink) -> Result<Self, EngineFault> {
        let (orders, received) = channel();
        let pending = Pending::default();
        let worker = Worker {
            sink,
            store: IndexCache::of_user().map_or_else(SymbolStore::new, SymbolStore::keeping),
            expressions: Arc::default(),
            ranks: BTreeMap::new(),
            queue_readers: QueueReaders::new(queue_library),
            pending: Arc::clone(&pending),
        };
        let started = thread::Builder::new().name("core-files".to_owned()).spawn(move || worker.run(&received));
        started.map_err(|error| EngineFault::at_start("core", "no thread", &error))?;
        Ok(Self { orders, pending })
    }
}

// The thread is gone only after `shutdown`; later queries are not answered.
impl Engine for CoreEngine {
    fn acquire(&self, acquisition: Acquisition) {
        let _ = self.orders.send(Order::Acquire(acquisition));
    }

    fn submit(&self, query: Query) {
        let mut pending = lock(&self.pending);
        let ends_others = Operation::is_run_control(&query.operation) && !query.operation.resumes();
        if ends_others || query.operation == Operation::StopLooking {
            let meant = pending.iter().filter(|(ranks, _)| ranks.meets(&query.ranks));
            meant.for_each(|(_, allowance)| allowance.stop());
        }
        let allowance = Allowance::default();
        pending.push((query.ranks.clone(), allowance.clone()));
        let _ = self.orders.send(Order::Query(query, allowance));
    }

    fn give_away(&self, _: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        let _ = reply.send(Err(Refusal::Engine.failure()));
    }

    fn shutdown(&self, _: bool) {
        lock(&self.pending).iter().for_each(|(_, allowance)| allowance.stop());
        let _ = self.orders.send(Order::Shutdown);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that has the ranks.
struct Worker {
    sink: ReportSink,
    store: Arc<SymbolStore>,
    expressions: Arc<ParseCache>,
    ranks: BTreeMap<Rank, CoreRank>,
    queue_readers: QueueReaders,
    pending: Pending,
}

impl Worker {
    fn run(mut self, orders: &Receiver<Order>) {
        while let Ok(order) = orders.recv() {
            match order {
                Order::Acquire(acquisition) => self.acquire(acquisition),
                Order::Query(query, allowance) => {
                    self.answer(query, &allowance);
                    // Queries are answered in the order of the list.
                    let mut pending = lock(&self.pending);
                    if !pending.is_empty() {
                        pending.remove(0);
                    }
                }
                Order::Shutdown => return,
            }
        }
    }

    fn event(&self, ranks: ProcessSet, event: Event) {
        // Fails only when the server is ending.
        let _ = self.sink.send(Report::Event { tid: TransactionId(0), ranks, event });
    }

    fn acquire(&mut self, acquisition: Acquisition) {
        let no_cores = "the engine of core files has no processes";
        let (first, count) = match acquisition {
            Acquisition::OpenCores { cores, spec } => return self.open(&cores, &spec),
            Acquisition::Launch { first, count, .. } => (first, count),
            Acquisition::Join { rank, ready, .. } => {
                let _ = ready.send(Err(no_cores.to_owned()));
                (rank, 1)
            }
            Acquisition::Attach { rank, .. } => (rank, 1),
            Acquisition::TakeOver { handed, ready } => {
                let failure = Refusal::Engine.failure();
                let _ = ready.send(Err(TakeOverRefusal { handed, failure }));
                return;
            }
        };
        let ranks = ProcessSet::range(first.0, first.0.saturating_add(count));
        self.event(ranks, Event::Failed(no_cores.to_owned()));
    }

    /// Opens core files and reports them; those that cannot be opened are lost.
    fn open(&mut self, cores: &[(Rank, PathBuf)], spec: &LaunchSpec) {
        type Opened = (Rank, Result<(CoreRank, Vec<String>), CoreFileFault>);
        let (store, expressions) = (&self.store, &self.expressions);
        let program = Path::new(&spec.program);
        let opened: Vec<Opened> = in_parallel(cores.iter().collect(), |(rank, path)| {
            (*rank, CoreRank::open(*rank, path, store, program, &spec.settings, expressions))
        });
        let mut complaints: Vec<(String, ProcessSet)> = Vec::new();
        for (rank, opened) in opened {
            let one = ProcessSet::one(rank);
            match opened {
                Ok((core, words)) => {
                    self.event(one, Event::Acquired { pid: core.core.notes.pid });
                    for words in words {
                        match complaints.iter_mut().find(|(known, _)| *known == words) {
                            Some((_, ranks)) => drop(ranks.insert(rank)),
                            None => complaints.push((words, ProcessSet::one(rank))),
                        }
                    }
                    self.ranks.insert(rank, core);
                }
                Err(fault) => {
                    self.event(one, Event::Failed(fault.to_string()));
                }
            }
        }
        for (words, ranks) in complaints {
            self.event(ranks, Event::Message(Severity::Warning, words));
        }
        let stops = in_parallel(self.ranks.iter_mut().collect(), |(rank, core)| (*rank, core.stop()));
        let mut events: Vec<(Event, ProcessSet)> = Vec::new();
        for (rank, stop) in stops {
            let Ok(stop) = stop else { continue };
            let event = Event::Stopped(stop);
            match events.iter_mut().find(|(known, _)| *known == event) {
                Some((_, ranks)) => drop(ranks.insert(rank)),
                None => events.push((event, ProcessSet::one(rank))),
            }
        }
        events.into_iter().for_each(|(event, ranks)| self.event(ranks, event));
    }

    fn answer(&mut self, query: Query, allowance: &Allowance) {
        let Query { tid, mut ranks, operation } = query;
        let mut asked = Vec::new();
        for (rank, core) in &mut self.ranks {
            if ranks.remove(*rank) {
                core.allowance = allowance.clone();
                asked.push((*rank, core));
            }
        }
        let reader = self.queue_readers.for_request();
        let answered = in_parallel(asked, |(rank, core)| {
            let answer = match operation {
                Operation::MessageQueues => core.queues(rank, &reader),
                ref operation => core.answer(operation),
            };
            (rank, answer)
        });
        let mut answers = Answers::default();
        answered.into_iter().for_each(|(rank, answer)| answers.add(rank, answer));
        if !ranks.is_empty() {
            let failure = Failure::new(ErrorCode::NOT_RUN, "the rank has no core file that could be opened");
            ranks.iter().for_each(|rank| answers.add(rank, Answer::Failed(failure.clone())));
        }
        for (answer, ranks) in answers.into_groups() {
            let _ = self.sink.send(Report::Answer { tid, ranks, answer });
        }
    }
}

/// Does work for each item, on as many threads as there are processors; the results have the order of the items.
fn in_parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let workers = processors.min(MOST_WORKERS).min(items.len());
    if workers <= 1 {
        return items.into_iter().map(work).collect();
    }
    let waiting: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let results: Vec<Mutex<Option<R>>> = waiting.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let go_on = || {
        while let Some((item, result)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            waiting.get(index).zip(results.get(index))
        } {
            if let Some(item) = lock(item).take() {
                *lock(result) = Some(work(item));
            }
        }
    };
    thread::scope(|scope| {
        // This thread works, too, and suffices if no other can be started.
        for _ in 1..workers {
            let _ = thread::Builder::new().spawn_scoped(scope, go_on);
        }
        go_on();
    });
    results.into_iter().filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

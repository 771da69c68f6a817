//! Ranks that have ended under an engine that ends with them. The file of their program, which is read here as by the
//! native engine, still answers questions about names, types, lines and code.

use crate::native::inspect::Remains;
use debuginfo::{ImageError, IndexCache, LoadedImage, LoadedImages, SymbolStore};
use model::{Answer, ErrorCode, Failure, LaunchSpec, LoadBias, Operation, Rank, raw_text};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The program of a rank, as it was loaded.
#[derive(Debug)]
pub(crate) struct LeftProgram {
    pub(crate) path: PathBuf,
    /// The address of its entry point.
    pub(crate) entry: u64,
    /// With the settings at the end.
    pub(crate) spec: LaunchSpec,
    /// `$_exitcode` or `$_exitsignal`, with its value.
    pub(crate) end: Option<(&'static str, i32)>,
}

type Reply = Box<dyn FnOnce(Answer) + Send>;

enum Order {
    Keep(Rank, Box<LeftProgram>),
    Ask(Rank, Operation, Reply),
}

/// The thread that reads the programs of ended ranks.
#[derive(Debug)]
pub(crate) struct RemainsReader {
    orders: Sender<Order>,
}

impl RemainsReader {
    /// Starts the thread; it ends with the reader.
    pub(crate) fn start() -> std::io::Result<Self> {
        let (orders, incoming) = channel();
        std::thread::Builder::new().name("remains".to_owned()).spawn(move || run(&incoming))?;
        Ok(Self { orders })
    }

    /// Keeps the program of a rank that has ended.
    pub(crate) fn keep(&self, rank: Rank, program: Box<LeftProgram>) {
        // The thread ends only with this sender.
        let _ = self.orders.send(Order::Keep(rank, program));
    }

    /// Asks a rank that has ended.
    pub(crate) fn ask(&self, rank: Rank, operation: Operation, reply: impl FnOnce(Answer) + Send + 'static) {
        let _ = self.orders.send(Order::Ask(rank, operation, Box::new(reply)));
    }
}

fn run(orders: &Receiver<Order>) {
    let store = IndexCache::of_user().map_or_else(SymbolStore::new, SymbolStore::keeping);
    let mut ranks: HashMap<Rank, Remains> = HashMap::new();
    while let Ok(order) = orders.recv() {
        match order {
            Order::Keep(rank, program) => match remains(&store, rank, &program) {
                Ok(remains) => drop(ranks.insert(rank, remains)),
                Err(error) => {
                    tracing::warn!("rank {rank} answers nothing after its end: {error}");
                    ranks.remove(&rank);
                }
            },
            Order::Ask(rank, operation, reply) => {
                reply(ranks.get(&rank).map_or_else(ended, |remains| remains.answer(&operation)));
            }
        }
    }
}

fn remains(store: &Arc<SymbolStore>, rank: Rank, program: &LeftProgram) -> Result<Remains, ImageError> {
    let image = store.open(&program.path)?;
    let name = raw_text(program.path.as_os_str()).into();
    let bias = LoadBias(program.entry.wrapping_sub(image.file().entry().0));
    let images = LoadedImages::new(vec![LoadedImage::new(image, bias, name, None)]);
    let remains = Remains::of_files(images, &program.spec);
    let number = ("_rank", i32::try_from(rank.0).unwrap_or(i32::MAX));
    std::iter::once(number).chain(program.end).for_each(|(name, value)| remains.note_number(name, value));
    Ok(remains)
}

/// The answer of a rank that has ended to what needs its process.
pub(crate) fn ended() -> Answer {
    Answer::Failed(Failure::new(ErrorCode::NOT_RUN, "The program is not being run."))
}

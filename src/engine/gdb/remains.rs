//! Ranks that have ended: their gdb has ended with them. The file of their program, which is read here as under the native
//! engine, still answers questions about names, types, lines and code.

use super::messages::{HubInput, RankOf};
use crate::native::inspect::Remains;
use debuginfo::{ImageError, IndexCache, LoadedImage, LoadedImages, SymbolStore};
use model::{Answer, ErrorCode, Failure, LaunchSpec, LoadBias, Operation, Rank, TransactionId, raw_text, raw_word};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The program of a rank, as it was loaded.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// The address of its entry point.
    pub(super) entry: u64,
    /// With the settings at the end.
    pub(super) spec: LaunchSpec,
    /// `$_exitcode` or `$_exitsignal`, with its value.
    pub(super) end: Option<(&'static str, i32)>,
}

/// Returns the program's file and its entry point from gdb's `info files`.
pub(super) fn program_in(words: &str) -> Option<(PathBuf, u64)> {
    let path = words.lines().find_map(|line| line.trim().strip_prefix('`')?.rsplit_once("', file type "))?.0;
    let entry = words.lines().find_map(|line| line.trim().strip_prefix("Entry point: 0x"))?;
    Some((raw_word(path).into(), u64::from_str_radix(entry.trim(), 16).ok()?))
}

enum Order {
    Keep(Rank, Box<Program>),
    Ask(RankOf, TransactionId, Operation),
}

/// The thread that reads the programs of ended ranks.
#[derive(Debug)]
pub(super) struct RemainsReader {
    orders: Sender<Order>,
}

impl RemainsReader {
    /// Starts the thread; it ends with the reader, and answers to the hub.
    pub(super) fn start(hub: Sender<HubInput>) -> std::io::Result<Self> {
        let (orders, incoming) = channel();
        std::thread::Builder::new().name("gdb-remains".to_owned()).spawn(move || run(&incoming, &hub))?;
        Ok(Self { orders })
    }

    /// Keeps the program of a rank that has ended.
    pub(super) fn keep(&self, rank: Rank, program: Box<Program>) {
        let _ = self.orders.send(Order::Keep(rank, program));
    }

    /// Asks a rank that has ended; the answer goes to the hub.
    pub(super) fn ask(&self, of: RankOf, tid: TransactionId, operation: Operation) {
        let _ = self.orders.send(Order::Ask(of, tid, operation));
    }
}

/// Answers until the reader is gone.
fn run(orders: &Receiver<Order>, hub: &Sender<HubInput>) {
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
            Order::Ask(of, tid, operation) => {
                let answer = ranks.get(&of.rank).map_or_else(ended, |remains| remains.answer(&operation));
                if hub.send(HubInput::Answer(of, tid, answer)).is_err() {
                    return;
                }
            }
        }
    }
}

fn remains(store: &Arc<SymbolStore>, rank: Rank, program: &Program) -> Result<Remains, ImageError> {
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
pub(super) fn ended() -> Answer {
    Answer::Failed(Failure::new(ErrorCode::NOT_RUN, "The program is not being run."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gdb_says_which_program_was_where() {
        let words = "Symbols from \"/tmp/it's, file type/ring\".\nLocal exec file:\n\t`/tmp/it's, file type/ring', \
                     file type elf64-x86-64.\n\tEntry point: 0x555555555060\n\t0x0000555555554318 - \
                     0x0000555555554334 is .interp\n";
        assert_eq!(program_in(words), Some(("/tmp/it's, file type/ring".into(), 0x5555_5555_5060)));
        assert_eq!(program_in(""), None);
        assert_eq!(program_in("\t`/tmp/a', file type elf64-x86-64.\n\tEntry point: 0xzz\n"), None);
    }
}

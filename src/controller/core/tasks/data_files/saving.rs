//! The progress of a command that writes data of ranks to files.

use super::csv::CsvWriter;
use super::{BLOCK, file_name, npy};
use crate::command::{DataForm, SaveOrder};
use crate::core::DataWrite;
use crate::core::by_content::by_content;
use crate::report::SavedData;
use model::{Context, DataPart, DataShape, DataSource, ElementForm, ElementOrder, Operation, ProcessSet, Rank};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Bytes that all ranks together send with the shapes of their data.
const FIRST: u64 = 16 << 20;
/// The least that each of them sends: a few numbers never need another request.
const LEAST: u64 = 256;
/// Time between two messages about the progress.
const BETWEEN: Duration = Duration::from_secs(1);

/// A command that writes data of ranks to files.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Saving {
    order: SaveOrder,
    context: Context,
    /// True if all ranks have their data in one file.
    joint: bool,
    shapes: Vec<(ProcessSet, DataShape)>,
    /// The parts that have come, each from byte `done` of the data on.
    parts: Vec<(ProcessSet, DataPart)>,
    left: ProcessSet,
    /// Bytes of the first of these ranks that are in its file.
    done: u64,
    saved: ProcessSet,
    /// The files that existed before.
    replaced: BTreeSet<String>,
    csv: CsvWriter,
    /// Bytes of all ranks that are in files, and those that are to be there.
    written: u64,
    total: u64,
    told: Instant,
    /// Why nothing more is written.
    pub(in crate::core) broken: Option<String>,
}

impl Saving {
    /// Begins the command for this many ranks; fails if they cannot have one file.
    pub(in crate::core) fn new(
        mut order: SaveOrder,
        context: Context,
        several: usize,
        now: Instant,
    ) -> Result<Self, String> {
        let joint = !file_name::names_rank(&order.file);
        if joint && several > 1 && order.form == DataForm::Raw {
            let (file, instead) = (&order.file, file_name::with_rank(&order.file));
            return Err(format!(
                "{several} ranks would write {file}: name it {instead}, where %r is the rank's number, or choose one rank"
            ));
        }
        if let DataSource::Numbers { by_rows, .. } = &mut order.source {
            // The arrays of several ranks have one order, with the rank first.
            *by_rows |= joint && several > 1;
        }
        Ok(Self {
            order,
            context,
            joint,
            shapes: Vec::new(),
            parts: Vec::new(),
            left: ProcessSet::new(),
            done: 0,
            saved: ProcessSet::new(),
            replaced: BTreeSet::new(),
            csv: CsvWriter::default(),
            written: 0,
            total: 0,
            told: now,
            broken: None,
        })
    }

    /// Returns the request for the shapes of so many ranks, and their first bytes.
    pub(in crate::core) fn first_request(&self, several: usize) -> Operation {
        self.operation(0, (FIRST / (several as u64).max(1)).clamp(LEAST, BLOCK))
    }

    /// True once the shapes are known.
    pub(in crate::core) fn has_begun(&self) -> bool {
        !self.shapes.is_empty()
    }

    /// True if all ranks have their data in one file.
    pub(in crate::core) fn is_joint(&self) -> bool {
        self.joint
    }

    /// Takes the parts that were requested.
    pub(in crate::core) fn add(&mut self, parts: Vec<(ProcessSet, DataPart)>) {
        for (ranks, part) in &parts {
            if ranks.iter().any(|rank| self.shape(rank) != Some(&part.shape)) {
                self.broken.get_or_insert_with(|| "the shape of the data has changed meanwhile".to_owned());
            }
        }
        self.parts.extend(parts);
    }

    /// Leaves out ranks that failed; true if that leaves nothing to write.
    pub(in crate::core) fn leave_out(&mut self, bad: &ProcessSet) -> bool {
        if bad.is_empty() {
            return false;
        }
        self.left.remove_all(bad);
        self.done = 0;
        self.csv = CsvWriter::default();
        if self.joint {
            self.abandon();
        }
        self.joint
    }

    /// Gives up what is not complete; returns its ranks.
    pub(in crate::core) fn abandon(&mut self) -> ProcessSet {
        let left = std::mem::take(&mut self.left);
        if self.joint {
            self.saved = ProcessSet::new();
            return self.all_ranks();
        }
        left
    }

    /// Returns what becomes of the file if the command is given up.
    pub(in crate::core) fn fate(&self) -> String {
        let fate = if self.order.append { "is as it was" } else { "is not written" };
        format!("{} {fate}", self.order.file)
    }

    /// Returns the reports about complete files.
    pub(in crate::core) fn results(&self) -> Vec<SavedData> {
        let result = |(ranks, shape): &(ProcessSet, DataShape)| {
            let ranks = ranks.intersection(&self.saved);
            let count = ranks.len() as u64;
            let grid = shape.grid.as_ref();
            let file = |rank| (rank, self.path(rank));
            (!ranks.is_empty()).then(|| SavedData {
                files: if self.joint { Vec::new() } else { ranks.iter().map(file).collect() },
                ranks,
                text: self.order.text.clone(),
                file: self.order.file.clone(),
                form: self.order.form,
                appended: self.order.append,
                replaced: self.replaced.len() as u64,
                bytes: shape.size.saturating_mul(count),
                element: grid.and_then(npy::type_name).filter(|_| self.order.form == DataForm::Npy),
                axes: self.axes(shape),
                by_columns: grid.is_some_and(|grid| npy::is_by_columns(grid, self.by_rows())),
            })
        };
        let mut results: Vec<SavedData> = self.shapes.iter().filter_map(result).collect();
        if self.joint && results.len() > 1 {
            // Text with the numbers of ranks that have different counts of them.
            let (ranks, bytes) = (self.saved.clone(), self.written);
            results.truncate(1);
            results.iter_mut().for_each(|one| (one.ranks, one.bytes) = (ranks.clone(), bytes));
        }
        results
    }

    /// Takes the names of files that were replaced, one a line.
    pub(in crate::core) fn has_replaced(&mut self, names: &str) {
        self.replaced.extend(names.lines().map(str::to_owned));
    }

    /// Returns words about the progress, now and then.
    pub(in crate::core) fn progress(&mut self, now: Instant) -> Option<String> {
        if now < self.told + BETWEEN {
            return None;
        }
        self.told = now;
        Some(format!("{}: {} of {} MiB", self.order.file, self.written >> 20, self.total >> 20))
    }

    /// Returns the ranks whose data is not complete.
    pub(in crate::core) fn unwritten(&self) -> &ProcessSet {
        &self.left
    }

    /// Returns the expression that the ranks evaluate, or the first one of two.
    pub(in crate::core) fn text(&self) -> &str {
        self.order.source.text()
    }

    fn shape(&self, rank: Rank) -> Option<&DataShape> {
        self.shapes.iter().find(|(ranks, _)| ranks.contains(rank)).map(|(_, shape)| shape)
    }

    fn by_rows(&self) -> bool {
        matches!(self.order.source, DataSource::Numbers { by_rows: true, .. })
    }

    fn operation(&self, from: u64, length: u64) -> Operation {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        Operation::ReadData { context: self.context, source: self.order.source.clone(), from, length }
    }

    fn path(&self, rank: Rank) -> String {
        if self.joint { self.order.file.clone() } else { file_name::of_rank(&self.order.file, rank) }
    }

    /// Returns the axes of an array in a file, with that of the ranks.
    fn axes(&self, shape: &DataShape) -> Vec<u64> {
        let ranks = self.all_ranks().len() as u64;
        let counts = shape.grid.as_ref().map_or_else(Vec::new, |grid| grid.counts.clone());
        if self.joint && ranks > 1 { std::iter::once(ranks).chain(counts).collect() } else { counts }
    }

    fn all_ranks(&self) -> ProcessSet {
        self.shapes.iter().fold(ProcessSet::new(), |all, (ranks, _)| all.union(ranks))
    }

    /// Returns what is in a file before the numbers.
    fn beginning(&self, shape: &DataShape) -> Option<Vec<u8>> {
        let grid = shape.grid.as_ref().filter(|_| self.order.form == DataForm::Npy)?;
        let by_columns = npy::is_by_columns(grid, self.by_rows());
        Some(npy::beginning(&npy::type_name(grid)?, by_columns, &self.axes(shape)))
    }

    /// Takes the shapes; fails if a file cannot have such data.
    pub(in crate::core) fn begin(&mut self, parts: Vec<(ProcessSet, DataPart)>) -> Result<(), String> {
        self.shapes = by_content(parts.iter().map(|(ranks, part)| (ranks.clone(), part.shape.clone())));
        self.left = self.all_ranks();
        let mut sizes = self.shapes.iter().map(|(ranks, shape)| shape.size.checked_mul(ranks.len() as u64));
        let total = sizes.try_fold(0_u64, |sum, size| sum.checked_add(size?));
        self.total = total.ok_or("the data has more bytes than can be counted")?;
        // Small data of several ranks is requested together, and whole.
        self.parts = parts;
        self.parts.retain(|(_, part)| part.bytes.len() as u64 == part.shape.size || part.shape.size > BLOCK);
        if self.order.form == DataForm::Csv
            && let Some(member) = self.shapes.iter().find_map(|(_, shape)| member_of(&shape.grid.as_ref()?.element))
        {
            let text = &self.order.text;
            return Err(format!(
                "{text} has structs: save them in a file .npy, or one of their members, as in .{member}"
            ));
        }
        if self.order.form == DataForm::Npy {
            let file = &self.order.file;
            let strange = self.shapes.iter().filter_map(|(_, shape)| shape.grid.as_ref());
            if let Some(grid) = strange.clone().find(|grid| npy::type_name(grid).is_none()) {
                let words = npy::kind_words(grid);
                return Err(format!("numpy has no {words}: save them as text, in a file .csv, or as bytes"));
            }
            if self.joint
                && let [(some, _), (others, _), ..] = self.shapes.as_slice()
            {
                let instead = file_name::with_rank(file);
                return Err(format!(
                    "the arrays of ranks {some} and {others} differ in shape or type: name the file {instead}, where %r is \
                    the rank's number"
                ));
            }
            let mixed = strange.clone().any(|grid| grid.order == ElementOrder::Mixed);
            if let DataSource::Numbers { by_rows, .. } = &mut self.order.source
                && mixed
                && !*by_rows
            {
                *by_rows = true;
                self.parts.clear();
            }
        }
        Ok(())
    }

    /// Returns the next request: to several ranks if all of their data is small. `None` if there is none.
    pub(in crate::core) fn next_request(&self) -> Option<(ProcessSet, Operation)> {
        let mut ranks = ProcessSet::new();
        let mut sum = 0_u64;
        for rank in self.left.iter() {
            let size = self.shape(rank).map_or(0, |shape| shape.size);
            sum = sum.saturating_add(size);
            if !ranks.is_empty() && (self.done > 0 || sum > BLOCK) {
                break;
            }
            ranks.insert(rank);
        }
        (!ranks.is_empty()).then(|| (ranks, self.operation(self.done, BLOCK)))
    }

    /// Takes the parts that are next in their files, and turns them into steps of writing.
    pub(in crate::core) fn take_writes(&mut self) -> Vec<DataWrite> {
        let mut writes = Vec::new();
        let parts = std::mem::take(&mut self.parts);
        let part_of = |rank: Rank| parts.iter().find(|(ranks, _)| ranks.contains(rank)).map(|(_, part)| part);
        let mut held = 0_u64;
        while let Some(rank) = self.left.first() {
            let Some(part) = part_of(rank).filter(|_| held < BLOCK) else { break };
            let begins = self.done == 0 && (!self.joint || self.saved.is_empty());
            let path = self.path(rank);
            if begins {
                let size = if self.joint { self.total } else { part.shape.size };
                writes.push(DataWrite::Begin { path: path.clone(), append: self.order.append, size });
                writes.extend(self.beginning(&part.shape).map(|bytes| DataWrite::Bytes { path: path.clone(), bytes }));
            }
            let several = self.joint && self.shapes.iter().map(|(ranks, _)| ranks.len()).sum::<usize>() > 1;
            let whole = whole_elements(part);
            let bytes = match &part.shape.grid {
                Some(grid) if self.order.form == DataForm::Csv => {
                    self.csv.text(grid, several.then_some(rank), whole).into_bytes()
                }
                _ => whole.to_vec(),
            };
            writes.push(DataWrite::Bytes { path: path.clone(), bytes });
            let length = whole.len() as u64;
            held += length;
            self.written += length;
            self.done += length;
            if self.done < part.shape.size {
                // What follows has not come yet; an empty part would never end.
                if length == 0 {
                    self.broken = Some("the data ends before its end".to_owned());
                }
                return writes;
            }
            self.left.remove(rank);
            self.saved.insert(rank);
            self.done = 0;
            if !self.joint || self.left.is_empty() {
                writes.push(DataWrite::Finish { path });
            }
        }
        // Those that have come, and are not in their files yet.
        self.parts = parts.into_iter().filter(|(ranks, _)| ranks.meets(&self.left)).collect();
        writes
    }
}

/// Returns the name of a member; `None` if the elements are no structs.
fn member_of(element: &ElementForm) -> Option<&str> {
    match element {
        ElementForm::Number(_) => None,
        ElementForm::Bytes => Some("member"),
        ElementForm::Record(fields) => Some(fields.first().map_or("member", |field| &field.name)),
    }
}

/// Returns the bytes of a part up to the end of an element: a request ends anywhere, and its answer may be shorter. The
/// next request begins with the element that is left out.
fn whole_elements(part: &DataPart) -> &[u8] {
    let element = part.shape.grid.as_ref().map_or(1, |grid| grid.size.max(1) as usize);
    let length = part.bytes.len();
    part.bytes.get(..length - length % element).unwrap_or(&part.bytes)
}

//! The lead rank's and the focus's data on the screen, requested after each stop.

mod array_tiles;
mod lookup;
mod rank_colours;
mod shown_array;
mod shown_code;
mod shown_memory;

pub use array_tiles::{ArrayTiles, TilesVersion, TilesWish, Tiling};
pub use lookup::Lookup;
pub use rank_colours::RankColours;
pub use shown_array::{ArrayWish, ShownArray, ShownPart};
pub use shown_code::{CodeWish, ShownCode};
pub use shown_memory::{ComparedBytes, MemoryWish, ShownMemory, ShownPage};

use super::displays::Across;
use super::stacks::folded_stack::FoldedStack;
use super::stacks::stack_tree::StackTree;
use model::{Datum, FrameArguments, Library, SourceOrigin, ThreadInfo, VariableValue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A variable with its value at the previous stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownVariable {
    /// The name as in the source.
    pub name: String,
    /// The value, or why there is none.
    pub value: VariableValue,
    /// True if the value differs from that at the previous stop in the same function.
    pub changed: bool,
    /// The value at the previous stop; `None` in another function.
    pub previous: Option<Datum>,
}

/// A register and whether it has changed since the previous stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRegister {
    /// The register's name.
    pub name: String,
    /// The register's content.
    pub value: Datum,
    /// True if the content differs from that at the previous stop.
    pub changed: bool,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file's name in the debug information.
    pub file: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The file that the text comes from.
    pub origin: SourceOrigin,
    starts: Vec<u32>,
}

impl SourceText {
    /// Indexes the lines of a text.
    pub fn new(file: Arc<str>, text: Arc<str>) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        Self { file, text, origin: SourceOrigin::default(), starts }
    }

    /// Notes the file that the text comes from.
    pub fn found(self, origin: SourceOrigin) -> Self {
        Self { origin, ..self }
    }

    /// Says that the program was built from another text.
    pub fn change_words(&self) -> Option<String> {
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let program = base(self.origin.changed_since.as_ref()?);
        Some(format!("{} has changed since {program} was built: lines may be wrong", base(&self.file)))
    }

    /// Returns the number of lines; a newline at the end begins no line.
    pub fn line_count(&self) -> u32 {
        let last = self.starts.last().copied().unwrap_or(0) as usize;
        (self.starts.len() - usize::from(last >= self.text.len())) as u32
    }

    /// Returns a line by its number from 1, without its newline.
    pub fn line(&self, number: u32) -> Option<&str> {
        if number > self.line_count() {
            return None;
        }
        let index = number.checked_sub(1)? as usize;
        let start = *self.starts.get(index)? as usize;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text.get(start..end).map(|line| line.trim_end_matches(['\n', '\r']))
    }
}

/// The data of the lead rank and the focus.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// The lead's stack, innermost first.
    pub stack: Lookup<FoldedStack>,
    /// Arguments of the innermost frames of the lead's stack.
    pub frame_arguments: Lookup<Vec<FrameArguments>>,
    /// The merged stacks of the stopped ranks of the focus.
    pub tree: Lookup<StackTree>,
    /// The merged stacks of all threads of the focus.
    pub thread_tree: Lookup<StackTree>,
    /// The stacks of ranks that `sample` has looked at while they ran; none once one of them stops.
    pub sampled: Lookup<StackTree>,
    /// Local variables of the shown frame.
    pub locals: Lookup<Vec<ShownVariable>>,
    /// Parameters of the shown frame.
    pub arguments: Lookup<Vec<ShownVariable>>,
    /// Registers of the shown frame.
    pub registers: Lookup<Vec<ShownRegister>>,
    /// Threads of the lead.
    pub threads: Lookup<Vec<ThreadInfo>>,
    /// Files loaded by the lead.
    pub libraries: Lookup<Vec<Library>>,
    /// The expressions of the gaze, in its order.
    pub expressions: Vec<(String, Lookup<ShownVariable>)>,
    /// The array on the screen.
    pub array: ShownArray,
    /// The code on the screen.
    pub code: ShownCode,
    /// The memory on the screen.
    pub memory: ShownMemory,
    /// Values of expressions on many ranks.
    pub across: Across,
    /// The numbers by which the ranks are coloured.
    pub colours: Option<RankColours>,
    /// Names of global variables that begin with the typed text.
    pub names: Lookup<Vec<String>>,
    /// Those of them that the user's own code defines.
    pub own_names: Lookup<BTreeSet<String>>,
    /// Declarations of types whose names begin with the typed text.
    pub types: Lookup<Vec<String>>,
    /// Texts of files, by their names in the debug information.
    pub sources: BTreeMap<Arc<str>, Lookup<SourceText>>,
    /// Files of which a listing has said that they have changed since the program was built.
    pub warned: BTreeSet<Arc<str>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_from_one() {
        let text = SourceText::new("a.c".into(), "one\r\n\nthree".into());
        assert_eq!(text.line_count(), 3);
        assert_eq!([text.line(0), text.line(1), text.line(2)], [None, Some("one"), Some("")]);
        assert_eq!([text.line(3), text.line(4)], [Some("three"), None]);
        assert_eq!(SourceText::new("a.c".into(), "one\n".into()).line_count(), 1);
        assert_eq!(SourceText::new("a.c".into(), "".into()).line_count(), 0);
    }
}

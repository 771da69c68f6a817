//! What the screen shows of the lead rank and the focus, asked for after each stop.

use super::stack_tree::StackTree;
use model::{Datum, Failure, Frame, Library, ThreadInfo, VariableValue};
use std::{collections::BTreeMap, sync::Arc};

/// Something that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lookup<T> {
    /// Nobody asked, or there is nothing to ask (the rank is running).
    #[default]
    Absent,
    /// Asked for; what was known before, so that the screen does not flicker.
    Loading(Option<T>),
    /// Known.
    Known(T),
    /// Cannot be known.
    Failed(Failure),
}

impl<T> Lookup<T> {
    /// The value, also while a newer one is being loaded.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Known(value) | Self::Loading(Some(value)) => Some(value),
            _ => None,
        }
    }

    /// The same, being loaded anew.
    pub fn reloading(self) -> Self {
        match self {
            Self::Known(value) | Self::Loading(Some(value)) => Self::Loading(Some(value)),
            _ => Self::Loading(None),
        }
    }
}

/// A variable with what it was at the stop before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownVariable {
    /// As in the source.
    pub name: String,
    /// Its value.
    pub value: VariableValue,
    /// Another value than at the stop before, in the same function.
    pub changed: bool,
    /// The value at the stop before, when the function is the same.
    pub previous: Option<Datum>,
}

/// A register with whether it changed since the stop before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRegister {
    /// Its name.
    pub name: String,
    /// Its content.
    pub value: Datum,
    /// Another content than at the stop before.
    pub changed: bool,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// As the debug information names it.
    pub file: Arc<str>,
    /// All of it.
    pub text: Arc<str>,
    starts: Vec<u32>,
}

impl SourceText {
    /// Finds the lines of a text.
    pub fn new(file: Arc<str>, text: Arc<str>) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        Self { file, text, starts }
    }

    /// Number of lines; a newline at the end begins no line.
    pub fn line_count(&self) -> u32 {
        let last = self.starts.last().copied().unwrap_or(0) as usize;
        (self.starts.len() - usize::from(last >= self.text.len())) as u32
    }

    /// A line by its number from 1, without its newline.
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

/// What is known of the lead rank and the focus.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// The lead's stack, innermost first.
    pub stack: Lookup<Vec<Frame>>,
    /// The merged stacks of the stopped ranks of the focus.
    pub tree: Lookup<StackTree>,
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
    /// Names of global variables that begin as the one that is being typed.
    pub names: Lookup<Vec<String>>,
    /// Texts of files, by the name the debug information gives.
    pub sources: BTreeMap<Arc<str>, Lookup<SourceText>>,
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

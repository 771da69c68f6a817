//! Syntax highlighting of source text. Highlighting is slow (0.2 ms a line), so a thread of its own highlights only
//! visible lines and caches them; drawing looks them up.

mod paint;
mod scopes;

pub use paint::{Painted, Wish, paint};

use super::theme::Role;
use controller::state::SourceText;
use std::{collections::HashMap, ops::Range, sync::Arc};

/// The colours of a line: where each piece ends (byte in the line) and its role.
pub type LineColours = Vec<(usize, Role)>;

/// Lines highlighted above and below the visible ones, so that they are ready when the user scrolls.
const AROUND: u32 = 60;

#[derive(Clone, Debug, Default)]
struct FileColours {
    text: Arc<str>,
    lines: Vec<Option<LineColours>>,
    asked: Option<Range<u32>>,
}

/// Cache of the colours found so far.
#[derive(Clone, Debug, Default)]
pub struct Colours {
    files: HashMap<Arc<str>, FileColours>,
}

impl Colours {
    /// The colours of a line, counted from 1; `None` while they are not known.
    pub fn line(&self, file: &str, number: u32) -> Option<&LineColours> {
        self.files.get(file)?.lines.get(number.checked_sub(1)? as usize)?.as_ref()
    }

    /// The lines to highlight so that these (from 1, end excluded) have colours; `None` if they have, or if that has
    /// been asked for.
    pub fn wish(&mut self, source: &SourceText, visible: Range<u32>) -> Option<Wish> {
        let count = source.line_count();
        let visible = visible.start.max(1)..visible.end.min(count + 1);
        if visible.is_empty() {
            return None;
        }
        let known = self.files.entry(source.file.clone()).or_default();
        if known.text != source.text {
            *known = FileColours { text: source.text.clone(), lines: Vec::new(), asked: None };
        }
        let missing =
            visible.clone().any(|number| known.lines.get(number as usize - 1).is_none_or(|line| line.is_none()));
        let asked = known.asked.as_ref().is_some_and(|asked| asked.start <= visible.start && visible.end <= asked.end);
        if !missing || asked {
            return None;
        }
        let lines = visible.start.saturating_sub(AROUND).max(1)..(visible.end + AROUND).min(count + 1);
        known.asked = Some(lines.clone());
        Some(Wish { file: source.file.clone(), text: source.text.clone(), lines })
    }

    /// Keeps what was painted, unless the text has changed meanwhile.
    pub fn keep(&mut self, painted: Painted) {
        let Some(known) = self.files.get_mut(&painted.wish.file) else { return };
        if known.text != painted.wish.text {
            return;
        }
        let first = painted.wish.lines.start.saturating_sub(1) as usize;
        known.lines.resize(known.lines.len().max(first + painted.lines.len()), None);
        for (slot, line) in known.lines.iter_mut().skip(first).zip(painted.lines) {
            *slot = Some(line);
        }
    }
}

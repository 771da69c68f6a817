//! The state of the code in the source view: which instructions it shows, and where its cursor is.

use crate::list::List;
use controller::state::{CodeWish, ShownCode};
use model::VirtualAddress;

/// Instructions before and behind those on the screen that a search looks through.
const SEARCHED: u32 = 1_500;

/// The state of the code in the source view.
#[derive(Clone, Debug, Default)]
pub struct CodeView {
    /// True if the user wants instructions instead of the source.
    pub wanted: bool,
    /// True if the view shows instructions: they are wanted, or there is no source.
    pub shown: bool,
    /// Cursor and window, in the rows of the page.
    pub list: List,
    /// The address that the page is around; `None`: that of the selected frame.
    pub around: Option<VirtualAddress>,
    /// The address under the cursor, and its row's distance from the top.
    pub kept: Option<(VirtualAddress, usize)>,
    /// The page that the rows are of.
    pub page: u64,
    /// A search that waits for more instructions: forward or backward.
    pub sought: Option<bool>,
}

impl CodeView {
    /// Returns the request for a view of this height, if it is on the screen.
    pub(crate) fn wish(&self, height: u16, searching: bool) -> Option<CodeWish> {
        if !self.shown {
            return None;
        }
        let height = u32::from(height.max(4));
        let (before, count) = if searching { (SEARCHED, SEARCHED) } else { (2 * height, 3 * height) };
        Some(CodeWish { at: self.around, before, count })
    }

    /// True if the page that is known is as large as a search needs it.
    pub(crate) fn is_searchable(&self, known: &ShownCode) -> bool {
        known.answered.is_some_and(|wish| wish.before >= SEARCHED)
    }

    /// Goes back to the instruction of the selected frame.
    pub(crate) fn follow(&mut self) {
        self.around = None;
        self.kept = None;
    }
}

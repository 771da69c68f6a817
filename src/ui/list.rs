//! A cursor in a list of rows, and the visible window of the list.

/// A cursor and the first visible row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The row the keyboard acts on.
    pub cursor: usize,
    /// The first visible row.
    pub top: usize,
}

impl List {
    /// Moves the cursor by rows, stopping at the ends.
    pub fn move_by(&mut self, rows: isize, len: usize) {
        self.cursor = self.cursor.saturating_add_signed(rows).min(len.saturating_sub(1));
    }

    /// Keeps the cursor on a row and visible, and the window full.
    pub fn settle(&mut self, len: usize, height: usize) {
        self.cursor = self.cursor.min(len.saturating_sub(1));
        if height == 0 {
            return;
        }
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(height));
        self.top = self.top.min(len.saturating_sub(height));
    }

    /// Puts the cursor on a row; centres it if it was not visible.
    pub fn show(&mut self, row: usize, height: usize) {
        self.cursor = row;
        if row < self.top || row >= self.top + height {
            self.top = row.saturating_sub(height / 2);
        }
    }

    /// The visible rows.
    pub fn window(&self, len: usize, height: usize) -> std::ops::Range<usize> {
        let top = self.top.min(len);
        top..len.min(top + height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cursor_is_in_sight(cursor in 0usize..90, top in 0usize..90, len in 0usize..60, height in 0usize..30, by in -70isize..70) {
            let mut list = List { cursor, top };
            list.move_by(by, len);
            list.settle(len, height);
            prop_assert!(list.cursor < len.max(1));
            if height > 0 && len > 0 {
                prop_assert!(list.window(len, height).contains(&list.cursor));
                prop_assert_eq!(list.window(len, height).len(), len.min(height), "room is wasted");
            }
        }
    }

    #[test]
    fn a_far_row_is_shown_in_the_middle() {
        let mut list = List::default();
        list.show(100, 20);
        assert_eq!(list, List { cursor: 100, top: 90 });
        list.show(95, 20);
        assert_eq!(list, List { cursor: 95, top: 90 });
    }
}

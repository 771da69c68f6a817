//! The part of an array that its picture shows.

use model::Span;

/// The rows and columns of a section that its picture shows; all of them unless it is zoomed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureWindow {
    /// The rows.
    pub rows: Span,
    /// The columns.
    pub columns: Span,
}

impl Default for PictureWindow {
    fn default() -> Self {
        Self { rows: Span::ALL, columns: Span::ALL }
    }
}

impl PictureWindow {
    /// True if it shows all of a section with so many rows and columns.
    pub(crate) fn is_whole(self, (rows, columns): (u64, u64)) -> bool {
        self.rows.within(rows).count == rows && self.columns.within(columns).count == columns
    }

    /// Half as many rows and columns, around the same middle; `None` if there is only one element.
    pub(crate) fn closer(self, (rows, columns): (u64, u64)) -> Option<Self> {
        let half = |span: Span, all: u64| {
            let span = span.within(all);
            let count = span.count.div_ceil(2);
            Span { from: span.from + (span.count - count) / 2, count }
        };
        let closer = Self { rows: half(self.rows, rows), columns: half(self.columns, columns) };
        (closer != self.inside((rows, columns))).then_some(closer)
    }

    /// Twice as many rows and columns, around the same middle if there are as many on each side.
    pub(crate) fn farther(self, (rows, columns): (u64, u64)) -> Self {
        let twice = |span: Span, all: u64| {
            let span = span.within(all);
            Span { from: span.from.saturating_sub(span.count / 2), count: span.count.saturating_mul(2) }.within(all)
        };
        let farther = Self { rows: twice(self.rows, rows), columns: twice(self.columns, columns) };
        if farther.is_whole((rows, columns)) { Self::default() } else { farther }
    }

    /// Moved by a quarter of itself, as far as the section goes; negative: towards the first row and column.
    pub(crate) fn moved(self, (down, across): (i64, i64), (rows, columns): (u64, u64)) -> Self {
        let moved = |span: Span, by: i64, all: u64| {
            let span = span.within(all);
            let step = i64::try_from(span.count.div_ceil(4)).unwrap_or(i64::MAX);
            Span { from: span.from.saturating_add_signed(step.saturating_mul(by.signum())), ..span }.within(all)
        };
        Self { rows: moved(self.rows, down, rows), columns: moved(self.columns, across, columns) }
    }

    fn inside(self, (rows, columns): (u64, u64)) -> Self {
        Self { rows: self.rows.within(rows), columns: self.columns.within(columns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: (u64, u64) = (100, 7);

    fn told(window: PictureWindow) -> [(u64, u64); 2] {
        [window.rows, window.columns].map(|span| (span.from, span.count))
    }

    #[test]
    fn closer_shows_the_middle_and_farther_goes_back() {
        let whole = PictureWindow::default();
        assert!(whole.is_whole(ALL));
        let closer = whole.closer(ALL).unwrap();
        assert_eq!(told(closer), [(25, 50), (1, 4)]);
        assert!(!closer.is_whole(ALL));
        assert_eq!(closer.farther(ALL), whole);
        let corner = closer.moved((9, -9), ALL).moved((1, -1), ALL);
        assert_eq!(told(corner), [(50, 50), (0, 4)]);
        assert_eq!(told(corner.moved((-1, 0), ALL)), [(37, 50), (0, 4)]);
        assert_eq!(PictureWindow::default().closer((1, 1)), None);
    }

    proptest! {
        #[test]
        fn a_window_is_inside_whatever_is_done(
            rows in 1u64..5000,
            columns in 1u64..5000,
            done in proptest::collection::vec((0u8..3, -1i64..2, -1i64..2), 0..40),
        ) {
            let all = (rows, columns);
            let mut window = PictureWindow::default();
            for (what, down, across) in done {
                window = match what {
                    0 => window.closer(all).unwrap_or(window),
                    1 => window.farther(all),
                    _ => window.moved((down, across), all),
                };
                for (span, all) in [(window.rows, rows), (window.columns, columns)] {
                    prop_assert!(span == Span::ALL || span.count >= 1 && span.from + span.count <= all);
                }
            }
            for _ in 0..20 {
                window = window.farther(all);
            }
            prop_assert_eq!(window, PictureWindow::default());
        }
    }
}

//! The layout: a pure function of the size of the screen and of the rows that the views need.
//!
//! A view is a rule with its title and, below it, its rows; a line separates the columns. Nothing else takes room:
//!
//! ```text
//! ─ ranks ────────────────────────
//! cells and places
//! ─ source ──────────┬─ stack ────
//!                    │
//!                    ├─ variables ─
//! ─ output ─ breakpoints ─ … ─────
//! status line
//! key bar, or the command being typed
//! ```

use super::action::ViewId;
use ratatui::layout::Rect;

/// Smallest screen (columns, rows) with more than one view.
pub const SPLIT_FROM: (u16, u16) = (56, 18);
/// Smallest screen (columns, rows) that shows anything but a request to enlarge it.
pub const SMALLEST: (u16, u16) = (24, 6);

/// The inputs of the layout besides the size of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The view with the keyboard.
    pub current: ViewId,
    /// The view shown at the bottom.
    pub tab: ViewId,
    /// The view shown in the middle: the source, an array or memory.
    pub middle: ViewId,
    /// True if only the view with the keyboard is shown.
    pub zoom: bool,
    /// Rows that the ranks view would fill.
    pub rank_rows: u16,
}

/// The views that share the pane at the bottom.
pub const TABS: [ViewId; 5] = [ViewId::Output, ViewId::Breakpoints, ViewId::Threads, ViewId::Signals, ViewId::Messages];

/// The views that share the pane in the middle.
pub const MIDDLE: [ViewId; 3] = [ViewId::Source, ViewId::Array, ViewId::Memory];

/// A view on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    /// The view that the pane shows.
    pub view: ViewId,
    /// The row of the title.
    pub rule: Rect,
    /// The rows below the title.
    pub body: Rect,
}

/// The areas of the screen. Without panes the screen is too small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The visible views.
    pub panes: Vec<Pane>,
    /// The line between the columns; empty if there is one column.
    pub divider: Rect,
    /// The status line, one row.
    pub status: Rect,
    /// The key bar or prompt, one row.
    pub keys: Rect,
}

impl Layout {
    /// The pane of a view; `None` if it is not visible.
    pub fn pane(&self, view: ViewId) -> Option<&Pane> {
        self.panes.iter().find(|pane| pane.view == view)
    }

    /// The area of a view's rows; empty if the view is not visible.
    pub fn body(&self, view: ViewId) -> Rect {
        self.pane(view).map_or_else(Rect::default, |pane| pane.body)
    }
}

fn pane(view: ViewId, area: Rect) -> Pane {
    let rule = Rect { height: area.height.min(1), ..area };
    let body = Rect { y: area.y + rule.height, height: area.height - rule.height, ..area };
    Pane { view, rule, body }
}

fn cut_top(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    let top = Rect { height, ..*area };
    area.y += height;
    area.height -= height;
    top
}

fn cut_bottom(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    area.height -= height;
    Rect { y: area.y + area.height, height, ..*area }
}

/// Computes the areas for a screen of this size.
pub fn layout(area: Rect, wanted: Wanted) -> Layout {
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return Layout::default();
    }
    let mut rest = area;
    let keys = cut_bottom(&mut rest, 1);
    let status = cut_bottom(&mut rest, 1);
    let mut layout = Layout { status, keys, ..Layout::default() };
    if wanted.zoom || area.width < SPLIT_FROM.0 || area.height < SPLIT_FROM.1 {
        layout.panes.push(pane(wanted.current, rest));
        return layout;
    }
    let ranks = wanted.rank_rows.clamp(1, (area.height / 3).max(2));
    layout.panes.push(pane(ViewId::Ranks, cut_top(&mut rest, ranks + 1)));
    let tab = if TABS.contains(&wanted.current) { wanted.current } else { wanted.tab };
    let bottom = cut_bottom(&mut rest, (area.height / 4).max(4));
    // Source is the widest: 51 columns of 80.
    let right_width = (rest.width * 7 / 20).max(24);
    let source = Rect { width: rest.width - right_width - 1, ..rest };
    let mut right = Rect { x: source.x + source.width + 1, width: right_width, ..rest };
    layout.divider = Rect { x: source.x + source.width, width: 1, ..rest };
    let middle = if MIDDLE.contains(&wanted.current) { wanted.current } else { wanted.middle };
    layout.panes.push(pane(middle, source));
    let stack = cut_top(&mut right, (rest.height * 2 / 5).max(3));
    layout.panes.push(pane(ViewId::Stack, stack));
    layout.panes.push(pane(ViewId::Variables, right));
    layout.panes.push(pane(tab, bottom));
    layout
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wanted(current: ViewId, zoom: bool) -> Wanted {
        Wanted { current, tab: ViewId::Output, middle: ViewId::Source, zoom, rank_rows: 2 }
    }

    proptest! {
        #[test]
        fn panes_lie_inside_and_apart(
            width in 0u16..260, height in 0u16..90, view in 0usize..11, rank_rows in 0u16..40, zoom in any::<bool>()
        ) {
            let area = Rect::new(0, 0, width, height);
            let current = ViewId::ALL[view];
            let found = layout(area, Wanted { current, tab: ViewId::Output, middle: ViewId::Source, zoom, rank_rows });
            let mut rects: Vec<Rect> = found.panes.iter().flat_map(|pane| [pane.rule, pane.body]).collect();
            rects.extend([found.status, found.keys, found.divider]);
            for (i, a) in rects.iter().enumerate() {
                prop_assert_eq!(a.intersection(area), *a, "outside");
                for b in &rects[i + 1..] {
                    prop_assert!(a.intersection(*b).is_empty(), "{:?} over {:?}", a, b);
                }
            }
            let seen = width >= SMALLEST.0 && height >= SMALLEST.1;
            prop_assert_eq!(found.pane(current).is_some(), seen);
            if seen {
                prop_assert!(found.body(current).height >= 1 && found.body(current).width >= 1);
                let covered: u32 = rects.iter().map(|rect| rect.area()).sum();
                prop_assert_eq!(covered, area.area(), "something is not used");
            }
        }
    }

    #[test]
    fn a_classic_terminal_shows_five_views() {
        let found = layout(Rect::new(0, 0, 80, 24), wanted(ViewId::Source, false));
        assert_eq!(found.panes.len(), 5);
        let source = found.body(ViewId::Source);
        assert!(source.width >= 51 && source.height >= 11, "{source}");
        assert!(found.body(ViewId::Stack).height >= 3);
        assert!(found.body(ViewId::Variables).height >= 5);
        assert!(found.body(ViewId::Output).height >= 4);
    }

    #[test]
    fn a_zoomed_view_has_it_all() {
        let found = layout(Rect::new(0, 0, 80, 24), wanted(ViewId::Stack, true));
        assert_eq!(found.body(ViewId::Stack), Rect::new(0, 1, 80, 21));
    }
}

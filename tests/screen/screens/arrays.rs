//! The array view, on arrays that a function computes: what the screen asks for is answered as a rank would.

use super::numbers::trapped;
use super::*;
use crate::screenshots::is_drawn;
use rankscope::controller::command::RankLayout;
use rankscope::controller::state::{ArrayTiles, ArrayWish, Lookup, ShownArray, ShownPart, TilesWish};
use rankscope::model::{
    ArrayExtent, ArrayFinding, ArrayLook, ArrayMatch, ArrayPage, ArrayPart, ArrayPicture, ArrayShape, ArrayStatistics,
    CartesianGrid, Double, ElementIndex, ErrorCode, Extreme, Failure, FiniteNumbers, ProcessSet, Rank,
};
use rankscope::ui::keys::Chord;
use rankscope::ui::theme::{BUILT_IN, ThemeSearch};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

struct Simulated {
    state: State,
    app: App,
    counts: Vec<u64>,
    element: fn(&[u64]) -> f64,
    /// True after a stop at which the element 1, 2 has changed.
    changed: bool,
    /// True if some ranks have no such array, or have not answered.
    missing: bool,
    wishes: usize,
}

fn wavy(at: &[u64]) -> f64 {
    let [.., i, j] = at else {
        return at.first().map_or(0.0, |at| (*at as f64 * 0.01).sin() * (*at as f64 * -0.0005).exp());
    };
    match (i, j) {
        (7, 3) => f64::NAN,
        (9, 4) => f64::NEG_INFINITY,
        _ => {
            (*i as f64 * 0.05).sin() * (*j as f64 * 0.03).cos() * 1e3
                / (1.0 + at[0] as f64 * f64::from(at.len() as u32 - 2))
        }
    }
}

impl Simulated {
    fn start(counts: &[u64], (width, height): (u16, u16)) -> Self {
        let (state, app) = trapped(width, height);
        let mut this =
            Self { state, app, counts: counts.to_vec(), element: wavy, changed: false, missing: true, wishes: 0 };
        this.keys(": a r r a y space f i e l d enter");
        this
    }

    fn shape(&self) -> ArrayShape {
        let extents = self.counts.iter().map(|count| ArrayExtent { lower: 0, count: *count }).collect();
        ArrayShape { element_type: "double".into(), extents, parentheses: false, by_columns: false }
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        for chord in Chord::parse_sequence(keys).unwrap() {
            let effects = self.app.chord(chord, Instant::now(), &self.state);
            self.follow(effects);
        }
        self
    }

    fn follow(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Look(gaze) = effect {
                self.state.lead = gaze.lead;
            }
        }
        self.settle();
    }

    /// Answers what the screen asks for, until it asks for nothing new.
    fn settle(&mut self) {
        for _ in 0..4 {
            let Some(gaze) = self.app.settle(&self.state, Instant::now()).gaze else { return };
            self.state.gaze = gaze;
            let Some(wish) = self.state.gaze.array.clone() else { continue };
            self.wishes += 1;
            self.state.inspection.array = self.answer(&wish);
        }
        self.app.settle(&self.state, Instant::now());
    }

    fn answer(&self, wish: &ArrayWish) -> ShownArray {
        let part = |finding| ArrayPart { shape: self.shape(), finding };
        let shown = match &wish.shown {
            ArrayLook::Page { section, condition } => {
                let page = self.page(section, condition.is_some());
                let (rows, columns) = (page.section.rows, page.section.columns);
                let is_it = |at: u64| (rows.from + at / columns.count, columns.from + at % columns.count) == (1, 2);
                let changed = (0..rows.count * columns.count).map(|at| self.changed && is_it(at)).collect();
                ShownPart { part: part(ArrayFinding::Page(page)), changed }
            }
            ArrayLook::Picture { section, height, width, reductions } => {
                let picture = self.picture(section, (*height, *width), reductions, (0, 0));
                ShownPart { part: part(ArrayFinding::Picture(picture)), changed: Vec::new() }
            }
            ArrayLook::Match { .. } => panic!("a match is not shown"),
        };
        let found = wish.sought.as_ref().map(|look| {
            let found = ArrayMatch { at: vec![150, 200], number: 4, found: 40 };
            // The rank has no variable "limit".
            let refused = matches!(look, ArrayLook::Match { condition, .. } if condition.to_string().contains("limit"));
            let no_symbol = || Failure::new(ErrorCode::DEBUGGER, "No symbol \"limit\" in current context.");
            let known = || Lookup::Known(part(ArrayFinding::Match(Some(found))));
            (look.clone(), if refused { Lookup::Failed(no_symbol()) } else { known() })
        });
        let extreme = |value, at: [i64; 2]| {
            let at = ElementIndex { subscripts: at.to_vec(), parentheses: false };
            Extreme { value: Double::new(value), digits: None, at }
        };
        let finite = FiniteNumbers {
            min: extreme(-999.5, [94, 0]),
            max: extreme(999.6, [31, 0]),
            mean: Double::new(12.25),
            deviation: Double::new(1.0),
            histogram: vec![1],
        };
        let statistics = ArrayStatistics { count: 60_000, nan: 1, infinite: 1, finite: Some(finite) };
        ShownArray {
            expression: wish.expression.clone(),
            shown: Lookup::Known(shown),
            statistics: if wish.statistics { Lookup::Known(statistics) } else { Lookup::Absent },
            found,
            searched: (self.state.lead, self.state.lead_moves),
            tiles: self.tiles(wish),
        }
    }

    /// The parts of all ranks; where some are missing, but the last of four, and rank 2 has no such array.
    fn tiles(&self, wish: &ArrayWish) -> ArrayTiles {
        let mut tiles = ArrayTiles::default();
        let Some(TilesWish { tiling, look }) = &wish.tiles else { return tiles };
        let ArrayLook::Picture { section, height, width, reductions } = look else { panic!("{look:?}") };
        for rank in tiling.ranks.iter().filter(|rank| !self.missing || rank.0 % 4 < 3) {
            let (row, column) = tiling.place(rank).unwrap();
            let origin = (u64::from(row) * self.counts[0], u64::from(column) * self.counts.get(1).unwrap_or(&0));
            let picture = self.picture(section, (*height, *width), reductions, origin);
            let part = ArrayPart { shape: self.shape(), finding: ArrayFinding::Picture(picture) };
            let no_symbol = Failure::new(ErrorCode::DEBUGGER, "No symbol \"field\" in current context.");
            let answer = if self.missing && rank == Rank(2) { Err(no_symbol) } else { Ok(part) };
            tiles.learn(look, &ProcessSet::one(rank), answer);
        }
        tiles
    }

    fn section(&self, asked: &rankscope::model::ArraySection) -> rankscope::model::ArraySection {
        let shape = self.shape();
        let is_there = |axis: u32| (axis as usize) < self.counts.len();
        let axes = asked.axes.filter(|axes| [axes.rows, axes.columns].into_iter().flatten().all(is_there));
        let axes = axes.unwrap_or_else(|| shape.usual_axes());
        let mut section = asked.clone();
        section.axes = Some(axes);
        section.at.resize(self.counts.len(), 0);
        section.at.iter_mut().zip(&self.counts).for_each(|(at, count)| *at = (*at).min(count.saturating_sub(1)));
        section.rows = section.rows.within(shape.along(axes.rows).count);
        section.columns = section.columns.within(shape.along(axes.columns).count);
        section
    }

    /// An element of the part that begins at `origin` of the whole.
    fn value(&self, section: &rankscope::model::ArraySection, origin: (u64, u64), row: u64, column: u64) -> f64 {
        let mut at = section.at.clone();
        let (row, column) = (origin.0 + row, origin.1 + column);
        let axes = section.axes.unwrap();
        for (axis, number) in [(axes.rows, row), (axes.columns, column)] {
            axis.into_iter().for_each(|axis| at[axis as usize] = number);
        }
        (self.element)(&at)
    }

    fn page(&self, asked: &rankscope::model::ArraySection, marked: bool) -> ArrayPage {
        let section = self.section(asked);
        let (rows, columns) = (section.rows, section.columns);
        let places =
            (rows.from..rows.end()).flat_map(|row| (columns.from..columns.end()).map(move |column| (row, column)));
        let values: Vec<f64> = places.map(|(row, column)| self.value(&section, (0, 0), row, column)).collect();
        let marks = values.iter().map(|value| if marked && *value > 900.0 { ArrayPage::MEETS } else { 0 }).collect();
        ArrayPage {
            section,
            descriptor: "f8".into(),
            data: values.into_iter().flat_map(f64::to_be_bytes).collect(),
            marks,
        }
    }

    fn picture(
        &self,
        asked: &rankscope::model::ArraySection,
        (height, width): (u32, u32),
        reductions: &[rankscope::model::Reduction],
        origin: (u64, u64),
    ) -> ArrayPicture {
        let section = self.section(asked);
        let height = u64::from(height).min(section.rows.count);
        let width = u64::from(width).min(section.columns.count);
        let places = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let value = |(row, column): (u64, u64)| {
            let place = |at: u64, all: u64, pixels: u64| (u128::from(at) * u128::from(all) / u128::from(pixels)) as u64;
            let (rows, columns) = (section.rows.count, section.columns.count);
            self.value(&section, origin, place(row, rows, height), place(column, columns, width))
        };
        let values: Vec<f64> = places.map(value).collect();
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        let level = |value: &f64| match value {
            value if value.is_nan() => ArrayPicture::NAN,
            value if value.is_infinite() => ArrayPicture::INFINITE,
            value => ((value - low) / (high - low) * f64::from(ArrayPicture::HIGHEST)) as u16,
        };
        let plane: Vec<u8> = values.iter().flat_map(|value| level(value).to_be_bytes()).collect();
        ArrayPicture {
            section,
            height: height as u32,
            width: width as u32,
            reductions: reductions.to_vec(),
            range: Some((Double::new(low), Double::new(high))),
            levels: plane.repeat(reductions.len()),
        }
    }

    fn buffer(&self, theme: &Theme) -> ratatui::buffer::Buffer {
        crate::drawn::screen(&self.app, &self.state, theme)
    }

    fn text(&self) -> String {
        text(&self.buffer(&Theme::dark()))
    }
}

#[test]
fn an_array_is_shown_as_a_grid() {
    assert_snapshot!("array_80x24", Simulated::start(&[200, 300], CLASSIC).text());
    assert_snapshot!("array_200x60", Simulated::start(&[200, 300], (200, 60)).text());
    let mut zoomed = Simulated::start(&[3, 200, 300], CLASSIC);
    assert_snapshot!("array_section", zoomed.keys("z ] ] S").text());
}

#[test]
fn the_cursor_scrolls_in_both_directions() {
    let mut shown = Simulated::start(&[200, 300], CLASSIC);
    let asked = shown.wishes;
    shown.keys("j j l");
    assert_eq!(shown.wishes, asked, "what is on the screen is not asked for again");
    assert!(shown.text().contains("field[2][1] = "), "{}", shown.text());
    shown.keys("G");
    for _ in 0..40 {
        shown.keys("l");
    }
    let text = shown.text();
    assert!(text.contains("field[199][41] = ") && text.contains("[199]") && text.contains("[41]"), "{text}");
    shown.keys("g g 0");
    assert!(shown.text().contains("field[0][0] = 0"), "{}", shown.text());
    shown.keys("r j j");
    assert!(shown.text().contains("field[0][2] = "), "the grid is turned: {}", shown.text());
}

#[test]
fn odd_changed_and_matching_elements_stand_out() {
    let mut shown = Simulated::start(&[200, 300], CLASSIC);
    shown.changed = true;
    shown.keys("z j");
    assert_snapshot!("array_changed_styled", styled(&shown.buffer(&Theme::dark())));
    shown.keys("/ > space 9 0 0 enter");
    let text = shown.text();
    assert!(text.contains("> 900: 4 of 40") && text.contains("field[150][200] = "), "{text}");
    assert_snapshot!("array_filtered_styled", styled(&shown.buffer(&Theme::dark())));
    shown.keys("esc");
    assert!(!shown.text().contains("> 900"), "{}", shown.text());
    shown.keys("/ n o enter");
    assert!(shown.text().contains("expected a condition"), "{}", shown.text());
}

#[test]
fn a_condition_is_typed_anew_and_a_refused_one_leaves_the_marks() {
    let mut shown = Simulated::start(&[200, 300], CLASSIC);
    shown.keys("z / > space 9 0 0 enter");
    shown.keys("/ < space l i m i t enter");
    let text = shown.text();
    assert!(text.contains("No symbol \"limit\" in current context."), "{text}");
    assert!(text.contains("field[150][200] = ") && text.contains("> 900: 4 of 40"), "{text}");
    shown.keys("/ < space 5 enter");
    assert!(shown.text().contains("< 5: 4 of 40"), "{}", shown.text());
    shown.keys("/ enter");
    assert!(shown.text().contains("< 5: 4 of 40"), "{}", shown.text());
    shown.keys("esc");
    assert!(!shown.text().contains("< 5"), "{}", shown.text());
}

#[test]
fn what_was_counted_on_one_rank_is_not_said_of_another() {
    let mut shown = Simulated::start(&[200, 300], CLASSIC);
    shown.keys("z / > space 9 0 0 enter");
    assert!(shown.text().contains("> 900: 4 of 40"), "{}", shown.text());
    shown.state.lead = Rank(9);
    shown.settle();
    assert!(shown.text().contains("> 900") && !shown.text().contains("4 of 40"), "{}", shown.text());
    shown.keys("n");
    assert!(shown.text().contains("> 900: 4 of 40"), "{}", shown.text());
}

#[test]
fn an_array_is_drawn_as_a_picture() {
    let mut shown = Simulated::start(&[200, 300], CLASSIC);
    shown.keys("m");
    assert_snapshot!("array_picture_80x24", shown.text());
    for (name, _) in BUILT_IN {
        let theme = ThemeSearch::default().load(name).0;
        let depth = if *name == "ansi16" { ColourDepth::Named } else { ColourDepth::True };
        assert_snapshot!(format!("array_picture_{name}"), styled(&shown.buffer(&theme.adapted(depth))));
    }
    let plain = Theme::dark().adapted(ColourDepth::None);
    assert_snapshot!("array_picture_no_colour", text(&shown.buffer(&plain)));
    shown.app.view.ascii = true;
    let letters = text(&shown.buffer(&plain));
    assert!(letters.is_ascii(), "{letters}");
    assert_snapshot!("array_picture_ascii", letters);
    let mut large = Simulated::start(&[200, 300], (200, 60));
    assert_snapshot!("array_picture_200x60", large.keys("m S z").text());
}

#[test]
fn a_picture_is_zoomed_and_moved() {
    let mut shown = Simulated::start(&[200, 300], (100, 40));
    let title = |shown: &Simulated| shown.text().lines().find(|line| line.contains("array ─")).unwrap().to_owned();
    assert!(shown.keys("+").text().contains("this zooms a picture: m shows it"));
    assert!(!title(shown.keys("m")).contains(':'), "{}", title(&shown));
    assert!(title(shown.keys("+")).contains("[50:149][75:224]"), "{}", title(&shown));
    assert!(title(shown.keys("+ down down right")).contains("[101:150][131:205]"), "{}", title(&shown));
    for _ in 0..9 {
        shown.keys("+");
    }
    assert!(shown.keys("+").text().contains("one element is shown"));
    for _ in 0..9 {
        shown.keys("-");
    }
    assert!(!title(&shown).contains(':'), "{}", title(&shown));
    assert!(shown.keys("-").text().contains("all elements are shown"));
    assert!(title(shown.keys("+ r")).contains("[300]"), "another pair of dimensions is shown whole");
    assert!(!title(&shown).contains(':'), "{}", title(&shown));
}

#[test]
fn one_dimension_is_a_line() {
    let mut shown = Simulated::start(&[5000], CLASSIC);
    assert_snapshot!("array_line_80x24", shown.text());
    shown.keys("j l l");
    assert!(shown.text().contains("field[12] = "), "{}", shown.text());
    assert_snapshot!("array_plot_80x24", shown.keys("m").text());
    shown.app.view.ascii = true;
    assert!(shown.text().is_ascii(), "{}", shown.text());
}

#[test]
fn what_is_no_array_is_said_in_the_view_and_escape_closes_it() {
    let mut shown = Simulated::start(&[200, 300], CLASSIC);
    shown.state.inspection.array.shown = Lookup::Failed(Failure::new(
        ErrorCode::DEBUGGER,
        "This is a pointer: say how many elements it leads to, as in p[0]@100.",
    ));
    let text = shown.text();
    assert!(text.contains("This is a pointer: say how many") && text.contains("esc goes back to the source"), "{text}");
    let _ = shown.app.chord(Chord::parse("esc").unwrap(), Instant::now(), &shown.state);
    assert_eq!(shown.app.view.current, ViewId::Variables);
    assert!(shown.text().contains("2 source"), "{}", shown.text());
    let _ = shown.app.chord(Chord::parse("2").unwrap(), Instant::now(), &shown.state);
    shown.keys("A");
    assert_eq!(shown.app.view.current, ViewId::Array, "A returns to the array");
}

#[test]
fn an_array_can_be_drawn_in_every_size() {
    for counts in [&[200, 300][..], &[5000], &[], &[0, 3], &[1, 1], &[2, 3, 4], &[u64::MAX / 16, 2]] {
        for (width, height) in [(1, 1), (7, 30), (24, 6), (25, 7), (56, 18), (57, 40), (80, 24), (200, 8), (300, 90)] {
            let mut shown = Simulated::start(counts, (width, height));
            shown.element = |_| 1e-300;
            for keys in ["j l G l", "S r z", "] v", "g g m"] {
                shown.keys(keys);
                shown.text();
            }
            shown.app.view.ascii = true;
            shown.text();
        }
    }
}

#[test]
fn the_parts_of_the_ranks_are_put_together() {
    let mut shown = Simulated::start(&[50, 75], CLASSIC);
    shown.state.layout = RankLayout::Grid(CartesianGrid::parse("4x4").unwrap());
    shown.keys("z *");
    let text = shown.text();
    assert!(text.contains("field  double [50][75]  ranks 0-15 as 4x4"), "{text}");
    // The key bar says what the key does next.
    assert!(text.contains("* one rank") && !text.contains("* all ranks"), "{text}");
    assert!(shown.keys("*").text().contains("* all ranks"), "{}", shown.text());
    let text = shown.keys("*").text();
    assert!(text.contains("rank 2: No symbol \"field\" in "), "{text}");
    assert_snapshot!("array_tiles_80x24", text);
    for (name, _) in BUILT_IN {
        let theme = ThemeSearch::default().load(name).0;
        let depth = if *name == "ansi16" { ColourDepth::Named } else { ColourDepth::True };
        assert_snapshot!(format!("array_tiles_{name}"), styled(&shown.buffer(&theme.adapted(depth))));
    }
    let plain = Theme::dark().adapted(ColourDepth::None);
    assert_snapshot!("array_tiles_no_colour", text_of(&shown, &plain));
    shown.app.view.ascii = true;
    assert!(text_of(&shown, &plain).is_ascii());
    let mut large = Simulated::start(&[50, 75], (200, 60));
    large.state.layout = RankLayout::Grid(CartesianGrid::parse("2x8").unwrap());
    assert_snapshot!("array_tiles_200x60", large.keys("*").text());
}

fn text_of(shown: &Simulated, theme: &Theme) -> String {
    text(&shown.buffer(theme))
}

#[test]
fn arrows_and_clicks_choose_the_rank_whose_part_it_is() {
    let mut shown = Simulated::start(&[50, 75], CLASSIC);
    shown.state.layout = RankLayout::Grid(CartesianGrid::parse("4x4").unwrap());
    shown.state.lead = Rank(0);
    shown.keys("z * j l");
    assert_eq!(shown.state.lead, Rank(5));
    shown.keys("h h h k");
    assert_eq!(shown.state.lead, Rank(0), "at the edge it stays in its row");
    let click = |column: u16, row: u16| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    let effects = shown.app.mouse(click(79, 2), &shown.state);
    shown.follow(effects);
    assert_eq!(shown.state.lead, Rank(3));
    shown.keys("*");
    assert!(shown.text().contains("  rank 3"), "{}", shown.text());
    shown.keys("m *");
    assert!(shown.text().contains("ranks 0-15 as 4x4"), "{}", shown.text());
    // What is typed after this key must not run the program.
    let before = shown.state.revision;
    shown.keys("/ n a n");
    assert!(shown.text().contains("elements nan"), "{}", shown.text());
    assert_eq!(shown.state.revision, before);
    let enter = Chord::parse_sequence("enter").unwrap().remove(0);
    let effects = shown.app.chord(enter, Instant::now(), &shown.state);
    assert_eq!(effects, [Effect::Execute("scan field nan".to_owned())]);
    shown.keys("* / > space 9 0 0 enter");
    assert!(shown.text().contains("[49]") && shown.text().contains("4 of 40"), "the grid: {}", shown.text());
}

#[test]
fn parts_without_a_layout_follow_the_memory() {
    let mut line = Simulated::start(&[500], CLASSIC);
    line.state.focus.set = ProcessSet::all(16);
    assert_snapshot!("array_tiles_line", line.keys("z *").text());
    let mut pile = Simulated::start(&[50, 75], CLASSIC);
    pile.state.focus.set = ProcessSet::range(4, 8);
    assert!(pile.keys("z *").text().contains("ranks 4-7 as 4x1"), "{}", pile.text());
    assert!(pile.keys("r").text().contains("ranks 4-7 as 1x4"), "{}", pile.text());
}

#[test]
fn screenshots_of_the_parts_of_ranks() {
    let mut shown = Simulated::start(&[50, 75], (100, 30));
    shown.state.layout = RankLayout::Grid(CartesianGrid::parse("4x4").unwrap());
    shown.missing = false;
    shown.keys("z *");
    let theme = Theme::dark();
    is_drawn("tiles", &shown.buffer(&theme), &theme);
}

/// The subscripts of the element that the view names.
fn named(text: &str) -> Option<Vec<u64>> {
    let (_, rest) = text.split_once("field[")?;
    let (subscripts, _) = rest.split_once("] = ")?;
    subscripts.split("][").map(|number| number.parse().ok()).collect()
}

#[test]
fn the_bounds_of_an_array_change_while_it_is_looked_at() {
    let changes: [(&[u64], &[u64]); 8] = [
        (&[200, 300], &[5, 4]),
        (&[5, 4], &[200, 300]),
        (&[200, 300], &[1, 300]),
        (&[200, 300], &[7]),
        (&[9], &[3, 20, 30]),
        (&[9, 20, 30], &[3, 20, 30]),
        (&[9, 20, 30], &[12]),
        (&[200, 300], &[0, 0]),
    ];
    for (before, after) in changes {
        for keys in ["j", "m", "z", "S", "*", "] ] ] ] ]", "r", "r r", "m *"] {
            let mut shown = Simulated::start(before, CLASSIC);
            shown.keys("G l l l l").keys(keys);
            shown.counts = after.to_vec();
            let wish = shown.state.gaze.array.clone().unwrap();
            shown.state.inspection.array = shown.answer(&wish);
            shown.settle();
            for more in ["h", "l", "j", "k", "g g", "G", "m", "m"] {
                shown.keys(more);
                let text = shown.text();
                if let Some(subscripts) = named(&text).filter(|subscripts| subscripts.len() == after.len()) {
                    let within = subscripts.iter().zip(after).all(|(at, count)| at < count);
                    assert!(within, "{before:?} to {after:?}, {keys}, {more}: {text}");
                }
            }
        }
    }
}

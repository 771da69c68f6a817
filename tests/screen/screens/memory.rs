//! The memory view, on bytes that a function computes: what the screen asks for is answered as a rank would.

use super::numbers::trapped;
use super::*;
use crate::screenshots::is_drawn;
use rankscope::controller::state::{Lookup, MemoryWish, ShownMemory, ShownPage};
use rankscope::model::{ErrorCode, Failure, MemoryPage, ProcessSet, VirtualAddress};
use rankscope::ui::keys::Chord;
use rankscope::ui::theme::{BUILT_IN, ThemeSearch};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

const BUFFER: u64 = 0x7fff_ffff_e0a0;
/// The bytes before this offset from the buffer, where a page of the system begins, cannot be read.
const READABLE_FROM: i64 = -0xa0;

struct Simulated {
    state: State,
    app: App,
    wishes: Vec<MemoryWish>,
    /// True after a stop at which the bytes 9 and 20 have changed.
    changed: bool,
}

/// Text with an escape sequence, then numbers.
fn byte(offset: i64) -> u8 {
    const TEXT: &[u8] = b"velocity\x1b[31m\x07\x9b red\0";
    match usize::try_from(offset).ok().filter(|at| *at < 0x40) {
        Some(at) => TEXT.get(at).copied().unwrap_or(0),
        None => ((BUFFER as i64).wrapping_add(offset) / 8).wrapping_mul(37) as u8,
    }
}

/// Where bytes differ between the ranks.
fn other_byte(offset: i64) -> u8 {
    if matches!(offset, 3 | 9 | 32) { byte(offset) ^ 1 } else { byte(offset) }
}

fn page(wish: &MemoryWish, byte: fn(i64) -> u8) -> MemoryPage {
    let base = match wish.expression.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => BUFFER,
    };
    let read = |at: VirtualAddress, count: usize| {
        let from = at.0.wrapping_sub(BUFFER) as i64;
        (from..).take(count).take_while(|offset| *offset >= READABLE_FROM).map(byte).collect()
    };
    MemoryPage::read(VirtualAddress(base), wish.offset, wish.length, read)
}

impl Simulated {
    fn start((width, height): (u16, u16)) -> Self {
        let (state, app) = trapped(width, height);
        let mut this = Self { state, app, wishes: Vec::new(), changed: false };
        this.keys(": m e m o r y space b u f f e r enter");
        this
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        for chord in Chord::parse_sequence(keys).unwrap() {
            let _ = self.app.chord(chord, Instant::now(), &self.state);
            self.settle();
        }
        self
    }

    fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.app.mouse(event, &self.state);
        self.settle();
    }

    /// Answers again, after a stop at which bytes have changed.
    fn change(&mut self) {
        self.changed = true;
        let wish = self.state.gaze.memory.clone().unwrap();
        self.state.inspection.memory = self.answer(&wish);
        self.settle();
    }

    /// Answers what the screen asks for, until it asks for nothing new.
    fn settle(&mut self) {
        for _ in 0..4 {
            let Some(gaze) = self.app.settle(&self.state, Instant::now()).gaze else { return };
            let before = std::mem::replace(&mut self.state.gaze, gaze);
            let Some(wish) = self.state.gaze.memory.clone() else { continue };
            let is_same = |before: &MemoryWish| (before.offset, before.length) == (wish.offset, wish.length);
            if !before.memory.is_some_and(|before| is_same(&before)) {
                self.wishes.push(wish.clone());
            }
            self.state.inspection.memory = self.answer(&wish);
        }
        self.app.settle(&self.state, Instant::now());
    }

    fn answer(&self, wish: &MemoryWish) -> ShownMemory {
        let expression = wish.expression.clone();
        if expression == "nosuch" {
            let failure = Failure::new(ErrorCode::DEBUGGER, "No symbol \"nosuch\" in current context.");
            return ShownMemory { expression, page: Lookup::Failed(failure), ..ShownMemory::default() };
        }
        let own = page(wish, byte);
        let is_changed = |at: usize| {
            let offset = own.start.0.wrapping_add(at as u64).wrapping_sub(BUFFER) as i64;
            self.changed && matches!(offset, 9 | 20)
        };
        let changed = (0..own.bytes.len()).map(is_changed).collect();
        let [different, alike] = ["2,9", "0-1,3-5"].map(|text| ProcessSet::parse(text).unwrap());
        let others = vec![(different.clone(), page(wish, other_byte))];
        let symbol = |offset: i64| own.at(offset, 8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()));
        let symbols = symbol(0).into_iter().map(|address| (address, "velocity_of+16".to_owned())).collect();
        ShownMemory {
            expression,
            page: Lookup::Known(ShownPage { page: own, changed }),
            compared: wish.compared,
            others_of: wish.compared,
            different,
            alike,
            others,
            symbols,
            ..ShownMemory::default()
        }
    }

    fn buffer(&self, theme: &Theme) -> ratatui::buffer::Buffer {
        crate::drawn::screen(&self.app, &self.state, theme)
    }

    fn text(&self) -> String {
        text(&self.buffer(&Theme::dark()))
    }

    /// The column and the row of a word on the screen.
    fn place_of(&self, word: &str) -> (u16, u16) {
        let text = self.text();
        let found = text.lines().enumerate().find_map(|(row, line)| Some((line.find(word)?, row, line)));
        let (at, row, line) = found.unwrap_or_else(|| panic!("{word}: {text}"));
        (line[..at].chars().count() as u16, row as u16)
    }
}

#[test]
fn memory_is_shown_as_bytes_and_characters() {
    let mut shown = Simulated::start(CLASSIC);
    shown.change();
    shown.keys("j l");
    assert_snapshot!("memory_80x24", shown.text());
    shown.keys("z");
    assert_snapshot!("memory_zoomed", shown.text());
    let mut large = Simulated::start((200, 60));
    large.change();
    large.keys("l");
    assert_snapshot!("memory_200x60", large.text());
}

#[test]
fn memory_is_drawn_in_every_theme() {
    let mut shown = Simulated::start(CLASSIC);
    shown.change();
    shown.keys("l");
    for (name, _) in BUILT_IN {
        let theme = ThemeSearch::default().load(name).0;
        let depth = if *name == "ansi16" { ColourDepth::Named } else { ColourDepth::True };
        assert_snapshot!(format!("memory_{name}"), styled(&shown.buffer(&theme.adapted(depth))));
    }
    shown.app.view.ascii = true;
    let letters = text(&shown.buffer(&Theme::dark().adapted(ColourDepth::None)));
    assert!(letters.is_ascii(), "{letters}");
    assert_snapshot!("memory_ascii", letters);
}

#[test]
fn memory_is_shown_as_numbers_of_a_type() {
    let mut shown = Simulated::start(CLASSIC);
    let mut seen = Vec::new();
    for _ in 0..6 {
        shown.keys("]");
        seen.push(shown.text());
    }
    assert_snapshot!("memory_types", seen.join("\n"));
    assert!(seen[5].contains("<velocity_of+16>"), "{}", seen[5]);
    shown.keys("]");
    assert!(shown.text().contains("  velocity "), "bytes again: {}", shown.text());
    shown.keys("[ [ [ [ [ v");
    assert!(shown.text().contains("4-byte unsigned"), "{}", shown.text());
    shown.keys("v");
    assert!(shown.text().contains("0x6f6c6576"), "{}", shown.text());
    shown.keys("m");
    assert!(shown.text().contains("8-byte hexadecimal"), "{}", shown.text());
}

#[test]
fn marks_tell_changed_and_different_bytes_apart_without_colours() {
    let mut shown = Simulated::start(CLASSIC);
    shown.change();
    shown.keys("j");
    let text = shown.text();
    for cell in ["≠6f", "◈5b", "◆00", "≠00"] {
        let count = text.matches(cell).count();
        assert!(count == 1, "{cell}, {count} times:\n{text}");
    }
    assert!(text.contains("≠ on 2,9"), "{text}");
    assert_eq!(text.matches('◆').count(), 1, "{text}");
}

#[test]
fn memory_scrolls_before_and_behind_the_address() {
    let mut shown = Simulated::start(CLASSIC);
    let first = shown.wishes.len();
    shown.keys("j j l");
    assert!(shown.text().contains("0x7fffffffe0b1 +0x11"), "{}", shown.text());
    assert_eq!(shown.wishes.len(), first, "what is near the screen is not asked for again");
    shown.keys("g g").keys(&"k ".repeat(21));
    let text = shown.text();
    assert!(text.contains("7fffffffdff8  ?? ?? ?? ??") && !text.contains("7fffffffe000  ?? "), "{text}");
    assert!(text.contains("-0xa8 cannot be read"), "{text}");
    for _ in 0..40 {
        shown.keys("ctrl-d");
    }
    assert!(shown.wishes.len() > first);
    assert!(shown.wishes.iter().all(|wish| wish.length < 2000), "a page at a time: {:?}", shown.wishes);
    assert!(!shown.text().contains("\n7fffffffe0a0"), "{}", shown.text());
    shown.keys("g g");
    assert!(shown.text().contains("0x7fffffffe0a0 +0x0"), "{}", shown.text());
    shown.keys("j l l l 0");
    assert!(shown.text().contains("0x7fffffffe0a8 +0x8"), "{}", shown.text());
    shown.keys("G");
    assert!(shown.text().contains("memory has no last row"), "{}", shown.text());
}

#[test]
fn an_address_or_an_offset_is_typed_and_the_address_before_comes_back() {
    let mut shown = Simulated::start(CLASSIC);
    shown.keys("/ + 0 x 4 1 0 enter");
    assert!(shown.text().contains("0x7fffffffe4b0 +0x410"), "{}", shown.text());
    shown.keys("/ 0 x 7 f f f f f f f e 4 0 0 enter");
    assert!(shown.text().contains("0x7fffffffe400 +0x0"), "{}", shown.text());
    shown.keys("/ + 8 * 3 0 enter");
    let text = shown.text();
    assert!(text.contains("\"+8*30\" is no offset") && text.contains("0x7fffffffe400 +0x0"), "{text}");
    shown.keys("/ n o s u c h enter");
    let text = shown.text();
    assert!(text.contains("No symbol \"nosuch\"") && text.contains("/ goes to another address"), "{text}");
    shown.keys("backspace backspace");
    assert!(shown.text().contains("0x7fffffffe4b0 +0x410"), "{}", shown.text());
    shown.keys("backspace");
    assert!(shown.text().contains("no address was shown before"), "{}", shown.text());
    shown.keys("g g enter");
    assert!(shown.text().contains("0x797469636f6c6576"), "the address in the bytes: {}", shown.text());
}

#[test]
fn memory_opens_at_the_value_under_the_cursor_and_escape_closes_it() {
    let (state, app) = trapped(80, 24);
    let mut shown = Simulated { state, app, wishes: Vec::new(), changed: false };
    shown.keys("M");
    assert!(shown.text().contains(":memory"), "nothing was shown before: {}", shown.text());
    shown.keys("esc 4 M");
    assert!(shown.text().contains("M memory ─ &step  bytes  rank 6  0x7fffffffe0a0"), "{}", shown.text());
    shown.keys("esc");
    assert!(shown.text().contains("2 source") && !shown.text().contains("M memory"), "{}", shown.text());
    shown.keys("2 M");
    assert!(shown.text().contains("M memory ─ &step"), "the memory shown last: {}", shown.text());
}

#[test]
fn the_mouse_places_the_cursor_and_the_wheel_scrolls() {
    let mut shown = Simulated::start(CLASSIC);
    let (column, row) = shown.place_of("1b");
    shown.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    assert!(shown.text().contains("0x7fffffffe0a8 +0x8 = 0x1b 27"), "{}", shown.text());
    let (column, row) = shown.place_of("locity");
    shown.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    assert!(shown.text().contains("+0x2 = 0x6c 108 'l'"), "{}", shown.text());
    shown.mouse(MouseEventKind::ScrollUp, column, row);
    assert_eq!(shown.place_of("locity"), (column, row + 3), "{}", shown.text());
    assert!(shown.text().contains("+0x2 = 0x6c"), "the cursor stays at its byte: {}", shown.text());
    for _ in 0..5 {
        shown.mouse(MouseEventKind::ScrollDown, column, row);
    }
    assert!(!shown.text().contains("locity"), "{}", shown.text());
    assert!(!shown.text().contains("+0x2 = "), "the cursor stays on the screen: {}", shown.text());
    // The addresses and the line below are no bytes.
    let before = shown.app.view.memory.cursor;
    shown.mouse(MouseEventKind::Down(MouseButton::Left), 2, row);
    assert_eq!(shown.app.view.memory.cursor, before);
}

#[test]
fn memory_can_be_drawn_in_every_size() {
    for (width, height) in
        [(1, 1), (20, 5), (7, 30), (24, 6), (25, 7), (56, 18), (57, 40), (80, 24), (200, 8), (300, 90)]
    {
        let mut shown = Simulated::start((width, height));
        for keys in ["j j", "k k k k", "l l l", "]", "]", "]", "]", "]", "]", "]", "ctrl-u", "ctrl-d", "z", "g g"] {
            shown.keys(keys);
            assert!(!shown.text().contains('\u{1b}'));
        }
    }
}

#[test]
fn screenshots_of_the_memory() {
    let mut shown = Simulated::start((100, 30));
    shown.keys("j l l");
    shown.change();
    let theme = Theme::dark();
    is_drawn("memory", &crate::drawn::screen(&shown.app, &shown.state, &theme), &theme);
}

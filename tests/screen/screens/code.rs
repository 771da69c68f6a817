//! The code in the source view, on instructions as a rank sends them.

use super::numbers::trapped;
use super::*;
use crate::screenshots::is_drawn;
use rankscope::controller::state::{CodeWish, Lookup, ShownCode};
use rankscope::model::{CodePlace, Instruction, ProcessState, SourcePlace, VirtualAddress};
use rankscope::ui::keys::Chord;
use rankscope::ui::theme::{BUILT_IN, ThemeSearch};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

/// The instructions of the simulated code, of four bytes each; those of `flux` begin at the sixth.
const COUNT: u64 = 4_000;
const LOADED: u64 = 0x5555_5555_4000;
const STOPPED: u64 = 0x40;

struct Simulated {
    state: State,
    app: App,
    wishes: Vec<CodeWish>,
}

fn instruction(number: u64, current: bool) -> Instruction {
    let offset = number * 4;
    let (name, from) = if offset < 0x18 { ("start", 0) } else { ("flux", 0x18) };
    let text = match number {
        3_000 => "call   0x555555554000 <start>".to_owned(),
        n if n % 7 == 0 => format!("movsd  0x{n:x}(%rsi),%xmm0"),
        n => format!("add    $0x{n:x},%eax"),
    };
    Instruction {
        code: CodePlace {
            module: Some("/home/me/flux".into()),
            offset,
            address: Some(VirtualAddress(LOADED + offset)),
        },
        function: Some((name.into(), offset - from)),
        source: (from > 0)
            .then(|| SourcePlace { file: "/home/me/flux.c".into(), line: 4 + (number / 6).min(3) as u32 }),
        bytes: vec![0; 4],
        text,
        current,
    }
}

impl Simulated {
    fn start((width, height): (u16, u16)) -> Self {
        let (state, app) = trapped(width, height);
        let mut this = Self { state, app, wishes: Vec::new() };
        this.keys("2 m");
        this
    }

    fn keys(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for chord in Chord::parse_sequence(keys).unwrap() {
            effects = self.app.chord(chord, Instant::now(), &self.state);
            self.settle();
        }
        effects
    }

    /// Answers what the screen asks for, until it asks for nothing new.
    fn settle(&mut self) {
        for _ in 0..6 {
            let Some(gaze) = self.app.settle(&self.state, Instant::now()).gaze else { return };
            let changed = gaze.code != self.state.gaze.code;
            self.state.gaze = gaze;
            let Some(wish) = self.state.gaze.code.filter(|_| changed) else { continue };
            self.wishes.push(wish);
            let at = wish.at.map_or(STOPPED, |at| at.0 - LOADED) / 4;
            let numbers = at.saturating_sub(wish.before.into())..(at + u64::from(wish.count)).min(COUNT);
            let page = numbers.map(|number| instruction(number, number * 4 == STOPPED)).collect();
            let pages = self.state.inspection.code.pages + 1;
            self.state.inspection.code = ShownCode { page: Lookup::Known(page), answered: Some(wish), pages };
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
fn code_is_shown_in_the_place_of_the_source() {
    assert_snapshot!("code_80x24", Simulated::start(CLASSIC).text());
    assert_snapshot!("code_200x60", Simulated::start((200, 60)).text());
    let mut back = Simulated::start(CLASSIC);
    back.keys("m");
    assert!(back.text().contains("2 source") && back.text().contains("The flux between"), "{}", back.text());
}

#[test]
fn code_is_drawn_in_every_theme() {
    let mut shown = Simulated::start(CLASSIC);
    for (name, _) in BUILT_IN {
        let theme = ThemeSearch::default().load(name).0;
        let depth = if *name == "ansi16" { ColourDepth::Named } else { ColourDepth::True };
        assert_snapshot!(format!("code_{name}"), styled(&shown.buffer(&theme.adapted(depth))));
    }
    shown.app.view.ascii = true;
    let letters = text(&shown.buffer(&Theme::dark().adapted(ColourDepth::None)));
    assert!(letters.is_ascii(), "{letters}");
    assert_snapshot!("code_ascii", letters);
}

#[test]
fn the_cursor_leaves_the_function_by_pages() {
    let mut shown = Simulated::start(CLASSIC);
    let asked = shown.wishes.len();
    shown.keys("j j");
    assert_eq!(shown.wishes.len(), asked, "what is on the screen is not asked for again");
    for _ in 0..40 {
        shown.keys("ctrl-d");
    }
    assert!(shown.wishes.len() > asked, "more code was read");
    assert!(shown.wishes.iter().all(|wish| wish.count < 100), "a page at a time: {:?}", shown.wishes);
    let text = shown.text();
    assert!(!text.contains("555555554040"), "{text}");
    for _ in 0..60 {
        shown.keys("ctrl-u");
    }
    assert!(shown.text().contains("<start>:"), "{}", shown.text());
    shown.keys("g .");
    let text = shown.text();
    assert!(text.lines().any(|line| line.contains('▶') && line.contains("555555554040")), "{text}");
}

#[test]
fn a_search_reads_further_than_the_screen() {
    let mut shown = Simulated::start(CLASSIC);
    shown.keys("/ 0 x 5 7 8 ( enter");
    let text = shown.text();
    assert!(text.contains("movsd  0x578("), "{text}");
}

#[track_caller]
fn command(effects: Vec<Effect>) -> String {
    match effects.as_slice() {
        [Effect::Execute(line)] => line.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn keys_act_on_the_instruction_under_the_cursor() {
    let mut shown = Simulated::start(CLASSIC);
    shown.keys("j");
    assert_eq!(command(shown.keys("b")), "break *0x555555554044");
    assert_eq!(command(shown.keys("t")), "tbreak *0x555555554044");
    assert_eq!(command(shown.keys("u")), "advance *0x555555554044");
    assert_eq!(command(shown.keys("x")), "stepi");
}

#[test]
fn without_source_code_is_shown_by_itself() {
    let (mut state, app) = trapped(80, 24);
    let mut groups = Vec::new();
    for (ranks, of) in state.ranks.groups() {
        if let ProcessState::Stopped(stop) = of {
            let mut stop = stop.clone();
            stop.frame.source = None;
            groups.push((ranks.clone(), ProcessState::Stopped(stop)));
        }
    }
    for (ranks, of) in &groups {
        state.ranks.change(ranks, of);
    }
    let frames: Vec<_> = state.inspection.stack.value().unwrap().iter().cloned().collect();
    let bare = frames.into_iter().map(|frame| rankscope::model::Frame { source: None, ..frame }).collect();
    state.inspection.stack =
        Lookup::Known(rankscope::controller::state::FoldedStack::new(bare, &rankscope::model::MyCode::default()));
    let mut shown = Simulated { state, app, wishes: Vec::new() };
    shown.settle();
    let text = shown.text();
    assert!(text.contains("2 code") && text.contains("555555554040"), "{text}");
    shown.keys("2 m");
    assert!(shown.text().contains("only the code can be shown"), "{}", shown.text());
}

#[test]
fn the_mouse_chooses_instructions_turns_them_and_sets_breakpoints() {
    let mut shown = Simulated::start(CLASSIC);
    let row_of = |shown: &Simulated, address: &str| {
        let text = shown.text();
        text.lines().position(|line| line.contains(address)).unwrap_or_else(|| panic!("{address}: {text}")) as u16
    };
    let event = |kind, column, row| MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    let left = MouseEventKind::Down(MouseButton::Left);
    let at = row_of(&shown, "555555554048");
    shown.app.mouse(event(left, 20, at), &shown.state);
    assert_eq!(command(shown.keys("b")), "break *0x555555554048", "the key is for the instruction that was clicked");
    let effects = shown.app.mouse(event(left, 0, at + 1), &shown.state);
    assert_eq!(command(effects), "break *0x55555555404c", "a click in the margin");
    let first = shown.text();
    for _ in 0..9 {
        shown.app.mouse(event(MouseEventKind::ScrollDown, 20, at), &shown.state);
        shown.settle();
    }
    assert_ne!(shown.text(), first);
    assert!(!shown.text().contains("555555554040"), "{}", shown.text());
    for _ in 0..12 {
        shown.app.mouse(event(MouseEventKind::ScrollUp, 20, at), &shown.state);
        shown.settle();
    }
    assert!(shown.text().contains("555555554040"), "{}", shown.text());
}

#[test]
fn code_can_be_drawn_in_every_size() {
    for (width, height) in [(1, 1), (7, 30), (24, 6), (25, 7), (56, 18), (57, 40), (80, 24), (200, 8), (300, 90)] {
        let mut shown = Simulated::start((width, height));
        for keys in ["j j", "G", "l l l", "g g", "z"] {
            shown.keys(keys);
            shown.text();
        }
    }
}

#[test]
fn screenshots_of_the_code() {
    let shown = Simulated::start((100, 30));
    let theme = Theme::dark();
    is_drawn("code", &crate::drawn::screen(&shown.app, &shown.state, &theme), &theme);
}

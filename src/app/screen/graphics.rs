//! Finds out how the terminal shows pictures.

use super::answers::{Answers, QUESTION};
use super::late_answers::LateAnswers;
use super::terminal::Screen;
use super::typed;
use crate::config;
use crossterm::event::Event;
use crossterm::terminal::{WindowSize, window_size};
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};
use ui::theme::Theme;
use ui::{CellSize, Graphics};

/// A terminal that takes longer shows pictures with characters.
const PATIENCE: Duration = Duration::from_millis(300);

/// Returns the graphics of a terminal that has not been asked.
pub(super) fn at_first(setting: config::Graphics, ascii: bool, theme: &Theme) -> Graphics {
    let in_pixels = setting != config::Graphics::None && !ascii && theme.has_known_colours();
    if in_pixels { Graphics::Unasked } else { Graphics::Blocks }
}

/// The terminal's answer.
pub(super) struct Asked {
    pub(super) graphics: Graphics,
    /// Keys that were typed meanwhile.
    pub(super) typed: Vec<Event>,
    pub(super) late: LateAnswers,
}

/// Asks the terminal, which has a moment to answer.
pub(super) fn ask(screen: &mut Screen, setting: config::Graphics) -> io::Result<Asked> {
    if !io::stdin().is_terminal() {
        // The keyboard is another file, which crossterm may be reading still.
        let graphics = chosen(setting, &Answers::default(), window_size().ok().as_ref());
        return Ok(Asked { graphics, typed: Vec::new(), late: LateAnswers::default() });
    }
    let is_answered = |bytes: &[u8]| Answers::among(bytes).attributes.is_some();
    let answers = Answers::among(&screen.ask(QUESTION, PATIENCE, is_answered)?);
    let late = match answers.attributes {
        Some(_) => LateAnswers::default(),
        None => LateAnswers::missing(Instant::now(), answers.begun),
    };
    if !answers.kitty {
        // A terminal that does not know the question may have shown it.
        screen.redraw()?;
    }
    let graphics = chosen(setting, &answers, window_size().ok().as_ref());
    Ok(Asked { graphics, typed: typed::events_of(&answers.typed), late })
}

/// Terminals with sixels that have kitty's protocol as well mostly lack its placeholders.
fn chosen(setting: config::Graphics, answers: &Answers, window: Option<&WindowSize>) -> Graphics {
    let is_kitty = match setting {
        config::Graphics::None => return Graphics::Blocks,
        config::Graphics::Kitty => true,
        config::Graphics::Sixel => false,
        config::Graphics::Auto if answers.has_sixels() => false,
        config::Graphics::Auto if answers.kitty => true,
        config::Graphics::Auto => return Graphics::Blocks,
    };
    let cell = match answers.cell {
        Some((width, height)) => CellSize::new(width, height),
        // The terminal scales kitty's pictures to their cells; sixels of another size would cover what is beside them.
        None => window.and_then(cell_in).or(is_kitty.then_some(CellSize::USUAL)),
    };
    cell.map_or(Graphics::Blocks, if is_kitty { Graphics::Kitty } else { Graphics::Sixel })
}

/// The size of a cell as the kernel knows it (`TIOCGWINSZ`).
fn cell_in(window: &WindowSize) -> Option<CellSize> {
    let side = |pixels: u16, cells: u16| Some(u32::from(pixels.checked_div(cells)?));
    CellSize::new(side(window.width, window.columns)?, side(window.height, window.rows)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Graphics::{Auto, Kitty, None as Never, Sixel};

    const KITTY: &str = "\x1b_Gi=31;OK\x1b\\";
    const TEN: CellSize = CellSize::USUAL;

    fn choice(setting: config::Graphics, answers: &str) -> Graphics {
        chosen(setting, &Answers::among(answers.as_bytes()), None)
    }

    #[test]
    fn the_terminal_decides() {
        let kitty = format!("{KITTY}\x1b[6;16;8t\x1b[?62;c");
        let sixel = "\x1b[6;16;8t\x1b[?62;4c";
        assert_eq!(choice(Auto, &kitty), Graphics::Kitty(TEN));
        assert_eq!(choice(Auto, sixel), Graphics::Sixel(TEN));
        assert_eq!(choice(Auto, &format!("{KITTY}{sixel}")), Graphics::Sixel(TEN));
        for nothing in ["", "\x1b[?62;c", "\x1b[6;16;8t\x1b[?1;2c", "\x1b_Gi=31;ENODATA\x1b\\\x1b[6;16;8t\x1b[?1c"] {
            assert_eq!(choice(Auto, nothing), Graphics::Blocks, "{nothing:?}");
        }
        assert_eq!((choice(Never, &kitty), choice(Kitty, sixel)), (Graphics::Blocks, Graphics::Kitty(TEN)));
        assert_eq!(
            (choice(Sixel, &kitty), choice(Kitty, "")),
            (Graphics::Sixel(TEN), Graphics::Kitty(CellSize::USUAL))
        );
    }

    #[test]
    fn a_terminal_that_says_no_size_or_an_absurd_one() {
        assert_eq!(choice(Auto, &format!("{KITTY}\x1b[?62;c")), Graphics::Kitty(CellSize::USUAL));
        assert_eq!(choice(Auto, "\x1b[?62;4c"), Graphics::Blocks);
        for size in ["99999;99999", "0;0", "16;0", "16;65", "4294967312;8"] {
            assert_eq!(choice(Auto, &format!("{KITTY}\x1b[6;{size}t\x1b[?62;c")), Graphics::Blocks, "{size}");
        }
        let window = |width, height| WindowSize { rows: 24, columns: 80, width, height };
        let sixels = Answers::among(b"\x1b[?62;4c");
        let with = |window: WindowSize| chosen(Auto, &sixels, Some(&window));
        assert_eq!(with(window(640, 384)), Graphics::Sixel(CellSize::USUAL));
        assert_eq!((with(window(0, 0)), with(window(65535, 384))), (Graphics::Blocks, Graphics::Blocks));
    }

    #[test]
    fn no_terminal_is_asked_without_known_colours() {
        let dark = Theme::dark();
        assert_eq!(at_first(Auto, false, &dark), Graphics::Unasked);
        let none = dark.clone().adapted(ui::theme::ColourDepth::None);
        assert_eq!(at_first(Sixel, false, &none), Graphics::Blocks);
        assert_eq!((at_first(Never, false, &dark), at_first(Kitty, true, &dark)), (Graphics::Blocks, Graphics::Blocks));
    }
}

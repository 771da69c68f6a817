//! Adapts a theme to a terminal with fewer colours.

use super::Role;
use ratatui::style::{Color, Style};

/// The number of colours that the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourDepth {
    /// 16 million.
    True,
    /// The 256 of xterm: its cube of 6 levels and 24 greys.
    Indexed,
    /// The 16 that the user's terminal theme names.
    Named,
    /// No colours: modifiers only.
    None,
}

impl ColourDepth {
    /// Guesses from the environment: `NO_COLOR` (no-color.org: set and not empty), `COLORTERM`, `TERM`.
    pub fn from_environment(get: impl Fn(&str) -> Option<String>) -> Self {
        let term = get("TERM").unwrap_or_default();
        if get("NO_COLOR").is_some_and(|value| !value.is_empty()) || term == "dumb" || term.starts_with("vt1") {
            return Self::None;
        }
        if get("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit") || term.ends_with("-direct") {
            return Self::True;
        }
        if term.contains("256color") { Self::Indexed } else { Self::Named }
    }

    pub(super) fn colour(self, colour: Color) -> Color {
        if self == Self::Indexed { indexed(colour) } else { colour }
    }

    pub(super) fn adapt(self, style: Style, role: Role) -> Style {
        match self {
            Self::True => style,
            Self::Indexed => Style { fg: style.fg.map(indexed), bg: style.bg.map(indexed), ..style },
            // Colours cannot be mapped to 16 well: themes for such terminals name theirs.
            Self::Named => style,
            Self::None => Style::new().add_modifier(role.colourless()),
        }
    }
}

const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

fn indexed(colour: Color) -> Color {
    let Color::Rgb(r, g, b) = colour else { return colour };
    let nearest = |c: u8| (0u8..6).min_by_key(|&i| LEVELS[i as usize].abs_diff(c)).unwrap_or(0);
    let distance = |x: (u8, u8, u8)| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(x.0, r) + square(x.1, g) + square(x.2, b)
    };
    let (i, j, k) = (nearest(r), nearest(g), nearest(b));
    let cube = (LEVELS[i as usize], LEVELS[j as usize], LEVELS[k as usize]);
    let mean = ((u32::from(r) + u32::from(g) + u32::from(b)) / 3) as u8;
    let step = (mean.saturating_sub(3) / 10).min(23);
    let level = 8 + 10 * step;
    if distance((level, level, level)) < distance(cube) {
        Color::Indexed(232 + step)
    } else {
        Color::Indexed(16 + 36 * i + 6 * j + k)
    }
}

/// Returns black or white, whichever has more contrast with a background.
pub(crate) fn text_on(colour: Color) -> Color {
    let level = |step: u8| LEVELS.get(usize::from(step)).copied().unwrap_or(255);
    let (red, green, blue) = match colour {
        Color::Rgb(red, green, blue) => (red, green, blue),
        Color::Indexed(index @ 232..) => [8 + 10 * (index - 232); 3].into(),
        Color::Indexed(index @ 16..) => {
            let at = index - 16;
            (level(at / 36), level(at / 6 % 6), level(at % 6))
        }
        Color::Black | Color::Blue | Color::Red | Color::Magenta | Color::DarkGray => (0, 0, 0),
        _ => (255, 255, 255),
    };
    let light = 2 * u32::from(red) + 5 * u32::from(green) + u32::from(blue);
    if light > 8 * 120 { Color::Black } else { Color::White }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read_on_a_colour() {
        let dark = [Color::Rgb(0x26, 0x33, 0x6b), Color::Indexed(17), Color::Indexed(235), Color::Blue];
        let light =
            [Color::Rgb(0xff, 0xe9, 0xa0), Color::Indexed(229), Color::Indexed(250), Color::White, Color::Yellow];
        assert!(dark.into_iter().all(|colour| text_on(colour) == Color::White));
        assert!(light.into_iter().all(|colour| text_on(colour) == Color::Black));
    }

    #[test]
    fn the_environment_decides() {
        let with = |pairs: &'static [(&str, &str)]| {
            ColourDepth::from_environment(|name| pairs.iter().find(|p| p.0 == name).map(|p| p.1.to_owned()))
        };
        assert_eq!(with(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), ColourDepth::True);
        assert_eq!(with(&[("TERM", "xterm-256color")]), ColourDepth::Indexed);
        assert_eq!(with(&[("TERM", "xterm")]), ColourDepth::Named);
        assert_eq!(with(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]), ColourDepth::None);
        assert_eq!(with(&[("NO_COLOR", ""), ("COLORTERM", "24bit")]), ColourDepth::True);
        assert_eq!(with(&[("TERM", "vt100")]), ColourDepth::None);
    }

    #[test]
    fn fine_colours_become_the_nearest_of_256() {
        assert_eq!(indexed(Color::Rgb(255, 0, 0)), Color::Indexed(196));
        assert_eq!(indexed(Color::Rgb(0, 0, 0)), Color::Indexed(16));
        assert_eq!(indexed(Color::Rgb(28, 28, 28)), Color::Indexed(234));
        assert_eq!(indexed(Color::Red), Color::Red);
    }
}

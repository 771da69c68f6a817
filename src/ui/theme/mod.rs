//! Themes: a style for each role, read from `themes/*.toml`.
//!
//! Views name roles, never colours. A role that a theme omits takes the style of the part before its last dot. Errors
//! in a theme are warnings with file and line; they never end the program.

mod colour;
mod load;
mod parse;
mod ramp;
mod role;

pub use colour::ColourDepth;
pub(crate) use colour::text_on;
pub use load::{BUILT_IN, ThemeSearch};
pub use parse::ThemeWarning;
pub use role::Role;

use ratatui::style::{Color, Style};

/// A style for every role.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    name: String,
    styles: Vec<Style>,
    /// Colours from that of the lowest to that of the highest numbers; empty without colours.
    ramp: Vec<Color>,
}

impl Theme {
    /// The built-in dark theme, for tests and as a fallback.
    pub fn dark() -> Self {
        ThemeSearch::default().load("dark").0
    }

    /// The name as given with `--theme`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// True if the terminal shows colours.
    pub(crate) fn has_colours(&self) -> bool {
        !self.ramp.is_empty()
    }

    /// The colour of a place in a range, from 0 to 1; `None` without colours.
    pub(crate) fn heat(&self, level: f64) -> Option<Color> {
        self.ramp.get(Self::step(level, self.ramp.len())).copied()
    }

    /// The colours from that of the lowest to that of the highest numbers; none if the terminal shows no colours.
    pub(crate) fn ramp(&self) -> &[Color] {
        &self.ramp
    }

    /// The number, among so many colours, of that of a place in a range.
    pub(crate) fn step(level: f64, colours: usize) -> usize {
        ((level * colours as f64) as usize).min(colours.saturating_sub(1))
    }

    fn with_ramp(self) -> Self {
        let stops = [Role::Heat1, Role::Heat2, Role::Heat3, Role::Heat4, Role::Heat5].map(|role| self.style(role).fg);
        Self { ramp: ramp::between(&stops), ..self }
    }

    /// Adapts the theme to a terminal with fewer colours.
    pub fn adapted(mut self, depth: ColourDepth) -> Self {
        for (role, style) in Role::ALL.iter().zip(&mut self.styles) {
            *style = depth.adapt(*style, *role);
        }
        self.ramp = match depth {
            ColourDepth::None => Vec::new(),
            depth => self.ramp.into_iter().map(|colour| depth.colour(colour)).collect(),
        };
        self
    }
}

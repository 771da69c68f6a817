//! Themes: a style for each role, read from `themes/*.toml`.
//!
//! Views name roles, never colours. A role that a theme omits takes the style of the part before its last dot. Errors
//! in a theme are warnings with file and line; they never end the program.

mod colour;
mod load;
mod parse;
mod role;

pub use colour::ColourDepth;
pub use load::{BUILT_IN, ThemeSearch};
pub use parse::ThemeWarning;
pub use role::Role;

use ratatui::style::Style;

/// A style for every role.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    name: String,
    styles: Vec<Style>,
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

    /// Adapts the theme to a terminal with fewer colours.
    pub fn adapted(mut self, depth: ColourDepth) -> Self {
        for (role, style) in Role::ALL.iter().zip(&mut self.styles) {
            *style = depth.adapt(*style, *role);
        }
        self
    }
}

//! Parses a theme: `inherits`, a `[palette]` of names, and a colour or `{ fg, bg, modifiers }` for each role.

use super::Role;
use ratatui::style::{Color, Modifier, Style};
use std::{collections::HashMap, fmt};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A fault in a theme; the rest of the theme applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeWarning {
    /// The file, or the name of a built-in theme.
    pub file: String,
    /// Counted from 1; `None` if it concerns the whole file.
    pub line: Option<usize>,
    /// The fault, and the substitute.
    pub message: String,
}

impl fmt::Display for ThemeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// A style before the palettes of all its parents are known: colours by name or `#rrggbb`.
#[derive(Clone, Debug, Default)]
pub(super) struct StyleText {
    fg: Option<(String, usize)>,
    bg: Option<(String, usize)>,
    modifiers: Modifier,
}

/// One theme file as written.
#[derive(Debug, Default)]
pub(super) struct ThemeText {
    pub(super) inherits: Option<String>,
    pub(super) palette: HashMap<String, Color>,
    pub(super) styles: Vec<(String, StyleText)>,
    pub(super) warnings: Vec<ThemeWarning>,
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    out: ThemeText,
}

/// Parses a theme; faulty entries become warnings.
pub(super) fn parse(file: &str, text: &str) -> ThemeText {
    let mut reader = Reader { file, text, out: ThemeText::default() };
    match DeTable::parse(text) {
        Ok(table) => reader.top(table.get_ref()),
        Err(error) => {
            let at = error.span().map(|span| span.start);
            reader.warn(at, format!("{}; theme ignored", error.message()));
        }
    }
    reader.out
}

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        self.text.as_bytes().iter().take(at).filter(|&&b| b == b'\n').count() + 1
    }

    fn warn(&mut self, at: Option<usize>, message: String) {
        let line = at.map(|at| self.line(at));
        self.out.warnings.push(ThemeWarning { file: self.file.to_owned(), line, message });
    }

    fn top(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let at = value.span().start;
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("inherits", DeValue::String(parent)) => self.out.inherits = Some(parent.to_string()),
                ("inherits", _) => self.warn(Some(at), "\"inherits\" must name a theme".into()),
                ("palette", DeValue::Table(palette)) => self.palette(palette),
                ("palette", _) => self.warn(Some(at), "\"palette\" must be a table of colours".into()),
                (name, _) => self.role(name.to_owned(), key.span().start, value),
            }
        }
    }

    fn palette(&mut self, table: &DeTable<'_>) {
        for (name, value) in table {
            match value.get_ref().as_str().and_then(|text| text.parse::<Color>().ok()) {
                Some(colour) => {
                    self.out.palette.insert(name.get_ref().to_string(), colour);
                }
                None => {
                    let text = format!("invalid colour {:?}: expected \"#rrggbb\" or a name; ignored", name.get_ref());
                    self.warn(Some(value.span().start), text);
                }
            }
        }
    }

    fn role(&mut self, name: String, at: usize, value: &Spanned<DeValue<'_>>) {
        if let DeValue::Table(table) = value.get_ref()
            && !table.keys().any(|key| matches!(key.get_ref().as_ref(), "fg" | "bg" | "modifiers"))
        {
            for (key, inner) in table {
                self.role(format!("{name}.{}", key.get_ref()), key.span().start, inner);
            }
            return;
        }
        let known = Role::ALL.iter().any(|role| {
            role.name() == name || role.name().strip_prefix(&name).is_some_and(|rest| rest.starts_with('.'))
        });
        if !known {
            return self.warn(Some(at), format!("unknown role {name:?}; ignored"));
        }
        let mut style = StyleText::default();
        match value.get_ref() {
            DeValue::String(colour) => style.fg = Some((colour.to_string(), self.line(value.span().start))),
            DeValue::Table(table) => self.style(&name, table, &mut style),
            _ => {
                let text = format!("{name:?} must be a colour or {{ fg, bg, modifiers }}; ignored");
                return self.warn(Some(value.span().start), text);
            }
        }
        self.out.styles.push((name, style));
    }

    fn style(&mut self, name: &str, table: &DeTable<'_>, style: &mut StyleText) {
        for (key, value) in table {
            let at = value.span().start;
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("fg", DeValue::String(colour)) => style.fg = Some((colour.to_string(), self.line(at))),
                ("bg", DeValue::String(colour)) => style.bg = Some((colour.to_string(), self.line(at))),
                ("modifiers", DeValue::Array(words)) => {
                    for word in words {
                        match word.get_ref().as_str().and_then(modifier) {
                            Some(modifier) => style.modifiers |= modifier,
                            None => {
                                let text = "unknown modifier: expected bold, dim, italic, underlined or reversed; \
                                    ignored";
                                self.warn(Some(word.span().start), text.into());
                            }
                        }
                    }
                }
                (other, _) => {
                    self.warn(Some(key.span().start), format!("unexpected {other:?} in {name:?}; ignored"));
                }
            }
        }
    }
}

fn modifier(word: &str) -> Option<Modifier> {
    Some(match word {
        "bold" => Modifier::BOLD,
        "dim" => Modifier::DIM,
        "italic" => Modifier::ITALIC,
        "underlined" => Modifier::UNDERLINED,
        "reversed" => Modifier::REVERSED,
        _ => return None,
    })
}

impl StyleText {
    /// The style with its colour names resolved; an unknown name is a warning and no colour.
    pub(super) fn resolve(
        &self,
        file: &str,
        palette: &HashMap<String, Color>,
        warnings: &mut Vec<ThemeWarning>,
    ) -> Style {
        let mut look_up = |named: &Option<(String, usize)>| {
            let (name, line) = named.as_ref()?;
            let found = palette.get(name).copied().or_else(|| name.parse().ok());
            if found.is_none() {
                let message = format!("unknown colour {name:?}: expected a palette name or \"#rrggbb\"; ignored");
                warnings.push(ThemeWarning { file: file.to_owned(), line: Some(*line), message });
            }
            found
        };
        let (fg, bg) = (look_up(&self.fg), look_up(&self.bg));
        Style { fg, bg, ..Style::new().add_modifier(self.modifiers) }
    }
}

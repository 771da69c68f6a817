//! Finds a theme by name: first in the user's directory, then among the built-in ones; themes inherit from parents.

use super::{
    Role, Theme, ThemeWarning,
    parse::{StyleText, ThemeText, parse},
};
use ratatui::style::Style;
use std::{collections::HashMap, fs, path::PathBuf};

/// The built-in themes: name and text.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("ansi16", include_str!("../../../themes/ansi16.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
];

/// The sources of themes.
#[derive(Clone, Debug, Default)]
pub struct ThemeSearch {
    /// The user's directory of `NAME.toml` files, searched before the built-in themes; `None` without one.
    pub directory: Option<PathBuf>,
}

impl ThemeSearch {
    /// Fails for an unknown theme, with a list of the known ones.
    pub fn must_have(&self, name: &str) -> Result<(), String> {
        let names = self.names();
        if names.iter().any(|known| known == name) {
            return Ok(());
        }
        Err(format!("no theme {name:?}; available: {}", names.join(", ")))
    }

    /// The names of all themes, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = BUILT_IN.iter().map(|theme| theme.0.to_owned()).collect();
        let files = self.directory.as_ref().and_then(|directory| fs::read_dir(directory).ok());
        for entry in files.into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "toml")
                && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
            {
                names.push(stem.to_owned());
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// Loads a theme, with warnings for faulty entries; `dark` if there is no such theme.
    pub fn load(&self, name: &str) -> (Theme, Vec<ThemeWarning>) {
        let mut warnings = Vec::new();
        let mut chain: Vec<(String, ThemeText)> = Vec::new();
        let mut visited: Vec<(String, bool)> = Vec::new();
        let mut next = Some(name.to_owned());
        while let Some(wanted) = next.take() {
            // A user's theme may inherit the built-in one of the same name.
            let shadowed = visited.iter().any(|(seen, user)| *seen == wanted && *user);
            let found = if shadowed { None } else { self.read_user(&wanted, &mut warnings) };
            let user = found.is_some();
            let built_in = BUILT_IN.iter().find(|theme| theme.0 == wanted).map(|t| (t.0.to_owned(), t.1.to_owned()));
            let again = visited.iter().any(|seen| *seen == (wanted.clone(), user));
            if again || (shadowed && built_in.is_none()) {
                let message = format!("\"inherits\" forms a loop at {wanted:?}; ignored");
                warnings.push(ThemeWarning { file: wanted, line: None, message });
                break;
            }
            match found.or(built_in) {
                Some((file, text)) => {
                    let mut theme = parse(&file, &text);
                    warnings.append(&mut theme.warnings);
                    next.clone_from(&theme.inherits);
                    visited.push((wanted, user));
                    chain.push((file, theme));
                }
                None => {
                    let known = self.names().join(", ");
                    let message = format!("no such theme; available: {known}; using \"dark\"");
                    warnings.push(ThemeWarning { file: wanted.clone(), line: None, message });
                    next = (wanted != "dark").then(|| "dark".to_owned());
                }
            }
        }
        if chain.iter().all(|(_, theme)| theme.styles.is_empty())
            && let Some((file, text)) = BUILT_IN.first()
        {
            chain.push(((*file).to_owned(), parse(file, text)));
        }
        (build(name, &chain, &mut warnings), warnings)
    }

    fn read_user(&self, name: &str, warnings: &mut Vec<ThemeWarning>) -> Option<(String, String)> {
        if name.contains(['/', '\\']) {
            return None;
        }
        let path = self.directory.as_ref()?.join(format!("{name}.toml"));
        let file = path.display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => Some((file, text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                warnings.push(ThemeWarning { file, line: None, message: format!("cannot be read: {error}") });
                None
            }
        }
    }
}

fn build(name: &str, chain: &[(String, ThemeText)], warnings: &mut Vec<ThemeWarning>) -> Theme {
    let mut palette = HashMap::new();
    for (_, theme) in chain.iter().rev() {
        palette.extend(theme.palette.clone());
    }
    let mut written: HashMap<&str, (&str, &StyleText)> = HashMap::new();
    for (file, theme) in chain.iter().rev() {
        written.extend(theme.styles.iter().map(|(role, style)| (role.as_str(), (file.as_str(), style))));
    }
    let mut resolved: HashMap<&str, Style> = HashMap::new();
    let mut order: Vec<_> = written.iter().collect();
    order.sort_by_key(|entry| entry.0);
    for (role, (file, style)) in order {
        resolved.insert(role, style.resolve(file, &palette, warnings));
    }
    let styles = Role::ALL
        .iter()
        .map(|role| {
            let mut key = role.name();
            loop {
                if let Some(style) = resolved.get(key) {
                    return *style;
                }
                match key.rsplit_once('.') {
                    Some((shorter, _)) => key = shorter,
                    None => return Style::default(),
                }
            }
        })
        .collect();
    Theme { name: name.to_owned(), styles, ramp: Vec::new() }.with_ramp()
}

//! The screen's options, from the configuration and the environment.

use crate::config::{Config, Graphics};
use crate::own_directories::own_directories;
use std::{env, path::PathBuf};
use ui::keys::KeyMap;
use ui::theme::{ColourDepth, Theme, ThemeSearch};

/// Options of the screen.
#[derive(Debug)]
pub struct Options {
    /// The colours in use.
    pub theme: Theme,
    /// The key bindings in use.
    pub keys: KeyMap,
    /// Errors in the theme and the configuration, to show to the user.
    pub warnings: Vec<String>,
    /// The file of the command history; `None` if it is not kept.
    pub history: Option<PathBuf>,
    /// True if the terminal reports clicks and the wheel; selecting text then needs shift.
    pub mouse: bool,
    /// How pictures are drawn.
    pub graphics: Graphics,
    /// True if the terminal does not show Unicode.
    pub ascii: bool,
    /// True if the screen is for one job: if that cannot be started, the screen is left.
    pub one_job: bool,
    /// The function that restores the terminal when a signal ends the process.
    pub last_words: LastWords,
}

/// Called with the bytes that restore the terminal before it is taken, and with `None` after it was given back.
pub type LastWords = fn(Option<&[u8]>);

/// Returns a search of the user's own themes and the built-in ones.
pub(crate) fn own_themes() -> ThemeSearch {
    ThemeSearch { directory: own_directories().map(|directories| directories.config_dir().join("themes")) }
}

/// Returns the file of the command history.
pub(crate) fn history_file() -> Option<PathBuf> {
    own_directories().map(|dirs| dirs.state_dir().unwrap_or(dirs.data_dir()).join("history"))
}

impl Options {
    /// Returns the configured options; `theme` and `mouse` are the command line's.
    pub fn new(config: &Config, theme: Option<&str>, mouse: bool) -> Self {
        let get = |name: &str| env::var(name).ok();
        let depth = ColourDepth::from_environment(get);
        let fitting = if depth == ColourDepth::Named { "ansi16" } else { "dark" };
        let name = theme.or(config.theme.as_deref()).unwrap_or(fitting);
        let search = own_themes();
        let (theme, faults) = search.load(name);
        let mut keys = KeyMap::default();
        let mut warnings = config.warnings.clone();
        warnings.extend(faults.iter().map(ToString::to_string));
        let file = config.path.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
        warnings.extend(keys.configure(&config.keys).iter().map(|fault| format!("{file}{fault}")));
        Self {
            theme: theme.adapted(depth),
            keys,
            warnings,
            history: history_file(),
            mouse: mouse || config.mouse.unwrap_or(false),
            graphics: config.graphics.unwrap_or_default(),
            ascii: !speaks_unicode(get),
            one_job: false,
            last_words: |_| (),
        }
    }
}

/// True if the locale's characters include Unicode (locale(7): the first variable that is set counts).
fn speaks_unicode(get: impl Fn(&str) -> Option<String>) -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| get(name).filter(|value| !value.is_empty()));
    // A machine with no locale at all is more often a container behind a modern terminal than an old console.
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || locale == "c" || locale == "posix"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_is_off_until_it_is_asked_for() {
        let configured = |mouse| Config { mouse, ..Config::default() };
        assert!(!Options::new(&configured(None), None, false).mouse);
        assert!(!Options::new(&configured(Some(false)), None, false).mouse);
        assert!(Options::new(&configured(Some(true)), None, false).mouse);
        assert!(Options::new(&configured(None), None, true).mouse);
    }

    #[test]
    fn the_locale_tells_of_unicode() {
        let with = |pairs: &'static [(&str, &str)]| {
            speaks_unicode(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned()))
        };
        assert!(with(&[("LANG", "de_DE.UTF-8")]) && with(&[]) && with(&[("LANG", "C")]));
        assert!(!with(&[("LANG", "en_US.ISO-8859-1")]));
        assert!(!with(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "de_DE@euro")]));
    }
}

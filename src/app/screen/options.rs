//! How the screen is to be, from configuration and environment.

use crate::config::Config;
use crate::own_directories::own_directories;
use std::{env, path::PathBuf};
use ui::keys::KeyMap;
use ui::theme::{ColourDepth, Theme, ThemeSearch};

/// How the screen is to be.
#[derive(Debug)]
pub struct Options {
    /// Colours.
    pub theme: Theme,
    /// Keys.
    pub keys: KeyMap,
    /// What was wrong with theme and configuration.
    pub warnings: Vec<String>,
    /// Where typed commands are kept.
    pub history: Option<PathBuf>,
    /// The terminal reports clicks and the wheel; selecting text then needs shift.
    pub mouse: bool,
    /// The terminal has no Unicode.
    pub ascii: bool,
    /// The screen is for one job: when that cannot be started, there is nothing to show.
    pub one_job: bool,
    /// Who writes to the terminal when a signal ends the process.
    pub last_words: LastWords,
}

/// Called with the bytes that give the terminal back before it is taken, and with `None` when it has been given back.
pub type LastWords = fn(Option<&[u8]>);

/// The user's own themes, and those compiled in.
pub(crate) fn own_themes() -> ThemeSearch {
    ThemeSearch { directory: own_directories().map(|directories| directories.config_dir().join("themes")) }
}

impl Options {
    /// What the user configured; `theme` and `mouse` are what the command line says.
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
            history: own_directories().map(|dirs| dirs.state_dir().unwrap_or(dirs.data_dir()).join("history")),
            mouse: mouse || config.mouse.unwrap_or(false),
            ascii: !speaks_unicode(get),
            one_job: false,
            last_words: |_| (),
        }
    }
}

/// What the locale says of the terminal's characters (locale(7): the first of these that is set holds).
fn speaks_unicode(get: impl Fn(&str) -> Option<String>) -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| get(name).filter(|value| !value.is_empty()));
    // A machine without any locale set is far more often a container behind a modern terminal than an old console.
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

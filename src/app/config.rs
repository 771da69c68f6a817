//! The user's configuration: a TOML file. An invalid entry is reported and left at its default.

use crate::own_directories::own_directories;
use clap::ValueEnum;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// How pictures are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Graphics {
    /// In pixels if the terminal says that it can
    #[default]
    Auto,
    /// With characters
    None,
    /// In pixels, in the protocol of kitty
    Kitty,
    /// In pixels, as sixels
    Sixel,
}

/// The user's configuration, as read from the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Name of the theme; `None` for the default one.
    pub theme: Option<String>,
    /// True if the terminal reports clicks and the wheel; `None` if not configured.
    pub mouse: Option<bool>,
    /// True for lines of text in place of the screen; `None` if not configured.
    pub plain: Option<bool>,
    /// How pictures are drawn; `None` if not configured.
    pub graphics: Option<Graphics>,
    /// Names and values of settings, as `set` takes them.
    pub settings: Vec<(String, String)>,
    /// Key bindings, which the screen parses.
    pub keys: toml::Table,
    /// The file it was read from; `None` if there is no file.
    pub path: Option<PathBuf>,
    /// One message for each invalid entry: its position, and the value used instead.
    pub warnings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    theme: Option<String>,
    mouse: Option<bool>,
    plain: Option<bool>,
    graphics: Option<Graphics>,
    #[serde(default)]
    settings: BTreeMap<String, toml::Value>,
    #[serde(default)]
    keys: toml::Table,
}

impl Config {
    /// Reads the given file, or the user's own if it exists.
    pub fn load(given: Option<&Path>) -> Self {
        let own = own_path();
        let Some(path) = given.map(Path::to_owned).or_else(|| own.filter(|path| path.exists())) else {
            return Self::default();
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Self { path: Some(path.clone()), ..Self::parse(&text, &path) },
            Err(error) => Self {
                warnings: vec![format!("cannot read {}: {error}; using the defaults", path.display())],
                ..Self::default()
            },
        }
    }

    fn parse(text: &str, path: &Path) -> Self {
        let raw: Raw = match toml::from_str(text) {
            Ok(raw) => raw,
            Err(error) => {
                let place = error.span().map_or_else(String::new, |span| {
                    let before = text.get(..span.start).unwrap_or("");
                    let line = before.matches('\n').count() + 1;
                    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
                    format!(":{line}:{column}")
                });
                let warning = format!("{}{place}: {}; using the defaults", path.display(), error.message());
                return Self { warnings: vec![warning], ..Self::default() };
            }
        };
        let mut config = Self {
            theme: raw.theme,
            mouse: raw.mouse,
            plain: raw.plain,
            graphics: raw.graphics,
            keys: raw.keys,
            ..Self::default()
        };
        for (name, value) in raw.settings {
            match value {
                toml::Value::Integer(number) => config.settings.push((name, number.to_string())),
                toml::Value::Float(number) => config.settings.push((name, number.to_string())),
                toml::Value::String(text) => config.settings.push((name, text)),
                other => config.warnings.push(format!(
                    "{}: {name} must be a number, not {}; using its default",
                    path.display(),
                    other.type_str()
                )),
            }
        }
        config
    }
}

/// Returns the path of the user's own file, whether or not it exists.
pub fn own_path() -> Option<PathBuf> {
    Some(own_directories()?.config_dir().join("config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Config {
        Config::parse(text, Path::new("c.toml"))
    }

    #[test]
    fn what_is_there_is_read() {
        let config = parse(
            "theme = \"light\"\nmouse = true\nplain = true\ngraphics = \"sixel\"\n[settings]\npatience = 2.5\nlist-size = 20\n[keys.normal]\ng = \"go\"\n",
        );
        assert_eq!((config.theme.as_deref(), config.mouse, config.plain), (Some("light"), Some(true), Some(true)));
        assert_eq!(config.graphics, Some(Graphics::Sixel));
        assert_eq!(config.settings, [("list-size".into(), "20".into()), ("patience".into(), "2.5".into())]);
        assert!(config.keys.contains_key("normal"));
        assert!(config.warnings.is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let config = parse("theme = \"light\"\ncolour = 3\n");
        assert_eq!(config.theme, None);
        assert!(config.warnings[0].starts_with("c.toml:2:1: unknown field `colour`"), "{:?}", config.warnings);
        let unknown = &parse("graphics = \"png\"\n").warnings[0];
        assert!(unknown.starts_with("c.toml:1:12: unknown variant `png`") && unknown.contains("`auto`"), "{unknown}");
        assert!(parse("theme = ").warnings[0].starts_with("c.toml:1:"));
        assert!(parse("[settings]\npatience = [1]\n").warnings[0].contains("patience must be a number, not array"));
        let missing = Config::load(Some(Path::new("/does/not/exist.toml")));
        assert!(missing.warnings[0].contains("/does/not/exist.toml") && missing.warnings[0].contains("defaults"));
    }
}

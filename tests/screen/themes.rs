//! Every built-in theme has every role and is readable, and a user's broken theme does no harm.

use rankscope::ui::theme::{BUILT_IN, ColourDepth, Role, Theme, ThemeSearch};
use ratatui::style::{Color, Style};
use std::fs;

fn relative_luminance(colour: Color) -> Option<f64> {
    let Color::Rgb(r, g, b) = colour else { return None };
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    Some(0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b))
}

/// WCAG 2.1 contrast of a role's foreground and background; `None` for colours that the terminal chooses.
fn contrast(theme: &Theme, style: Style) -> Option<f64> {
    let text = theme.style(Role::Text);
    let a = relative_luminance(style.fg.or(text.fg)?)?;
    let b = relative_luminance(style.bg.or(text.bg)?)?;
    Some((a.max(b) + 0.05) / (a.min(b) + 0.05))
}

#[test]
fn built_in_themes_load_without_a_warning() {
    for (name, _) in BUILT_IN {
        let (theme, warnings) = ThemeSearch::default().load(name);
        assert_eq!(warnings, [], "{name}");
        assert_eq!(theme.name(), *name);
    }
}

#[test]
fn built_in_themes_write_down_every_role() {
    // `dark` and `ansi16` are the roots that others inherit from: roles missing there would be undefined.
    for (name, text) in BUILT_IN.iter().filter(|theme| !theme.1.contains("inherits")) {
        for role in Role::ALL {
            let key = role.name();
            let written =
                text.lines().any(|l| l.starts_with(&format!("{key} =")) || l.starts_with(&format!("\"{key}\" =")));
            assert!(written, "{name} has no {key}");
        }
    }
}

#[test]
fn words_are_readable_on_their_ground() {
    for (name, _) in BUILT_IN {
        let theme = ThemeSearch::default().load(name).0;
        let wanted = if *name == "high-contrast" { 7.0 } else { 4.5 };
        // Pixels are no words.
        let is_word = |role: &&Role| !matches!(role, Role::Border) && !role.name().starts_with("heat.");
        for role in Role::ALL.iter().filter(is_word) {
            if let Some(contrast) = contrast(&theme, theme.style(*role)) {
                assert!(contrast >= wanted, "{name}: {} has a contrast of {contrast:.1}", role.name());
            }
        }
        // Code keeps its colours on the current line and on selected rows.
        for ground in [Role::LineCurrent, Role::Selection, Role::SelectionPassive] {
            for role in [Role::CodeKeyword, Role::CodeComment, Role::CodeNumber, Role::ValueName, Role::ValueType] {
                let style = Style { bg: theme.style(ground).bg, ..theme.style(role) };
                if let Some(contrast) = contrast(&theme, style) {
                    assert!(contrast >= 3.0, "{name}: {} on {} has {contrast:.1}", role.name(), ground.name());
                }
            }
        }
    }
}

#[test]
fn no_colour_leaves_modifiers_only() {
    let theme = Theme::dark().adapted(ColourDepth::None);
    for role in Role::ALL {
        let style = theme.style(*role);
        assert_eq!((style.fg, style.bg), (None, None), "{}", role.name());
    }
    for role in [Role::Selection, Role::Cursor, Role::LineCurrent, Role::ValueChanged, Role::Mark] {
        assert!(!theme.style(role).add_modifier.is_empty(), "{} cannot be seen", role.name());
    }
}

#[test]
fn faults_in_a_users_theme_are_placed_and_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let search = ThemeSearch { directory: Some(directory.path().to_owned()) };
    let put = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    put(
        "mine.toml",
        "inherits = \"light\"\nerror = \"nocolour\"\n\"proces.running\" = \"red\"\nkey = { fg = \"red\", modifiers = [\"loud\"], size = 3 }\n\
         process.running = \"#010203\"\n[palette]\nblue = \"#12\"\n",
    );
    let (theme, warnings) = search.load("mine");
    let places: Vec<_> = warnings.iter().map(|warning| (warning.line, warning.message.clone())).collect();
    let has = |line: usize, words: &str| places.iter().any(|(at, text)| *at == Some(line) && text.contains(words));
    assert!(has(2, "nocolour") && has(3, "proces.running") && has(4, "modifier") && has(4, "size"), "{places:?}");
    assert!(has(7, "blue"), "{places:?}");
    assert_eq!(places.len(), 5, "{places:?}");
    assert!(warnings[0].file.ends_with("mine.toml"));
    assert_eq!(theme.style(Role::ProcessRunning).fg, Some(Color::Rgb(1, 2, 3)));
    assert_eq!(theme.style(Role::Warning), search.load("light").0.style(Role::Warning));

    put("broken.toml", "text = \n");
    let (theme, warnings) = search.load("broken");
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].line, Some(1));
    assert_eq!(theme.style(Role::Error), Theme::dark().style(Role::Error));

    let (_, warnings) = search.load("nowhere");
    assert!(warnings[0].message.contains("high-contrast, light, mine"), "{warnings:?}");
}

#[test]
fn themes_inherit_across_directories_and_loops_end() {
    let directory = tempfile::tempdir().unwrap();
    let search = ThemeSearch { directory: Some(directory.path().to_owned()) };
    let put = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    put("dark.toml", "inherits = \"dark\"\n[palette]\nred = \"#ff0000\"\n");
    let (theme, warnings) = search.load("dark");
    assert_eq!(warnings, []);
    assert_eq!(theme.style(Role::Error).fg, Some(Color::Rgb(255, 0, 0)));
    assert_eq!(theme.style(Role::Note), Theme::dark().style(Role::Note));

    put("a.toml", "inherits = \"b\"\n");
    put("b.toml", "inherits = \"a\"\nerror = \"red\"\n");
    let (theme, warnings) = search.load("a");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(theme.style(Role::Error).fg, Some(Color::Red));
}

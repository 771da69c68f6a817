//! `screenshots/*.svg`, drawn by the real screen; a stale picture is a failure, `UPDATE=1` draws them again.

mod screen;
mod support;

use rankscope::controller::State;
use rankscope::ui::theme::{Theme, ThemeSearch};
use rankscope::ui::{action::ViewId, app::App};
use screen::{job, picture::svg, settle};
use std::{env, fs, path::Path};

fn check(name: &str, title: &str, theme: &Theme, app: &mut App, state: &mut State) {
    settle(app, state);
    let picture = svg(&screen::screen(app, state, theme), theme, title);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots").join(format!("{name}.svg"));
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, picture).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == picture, "screenshots/{name}.svg is stale; UPDATE=1 cargo test --test screenshots draws it again");
}

fn app(width: u16, height: u16) -> App {
    let mut app = App::default();
    app.resize(width, height);
    app
}

#[test]
fn overview() {
    let mut state = job::at_breakpoint(8);
    check("overview", "rankscope", &Theme::dark(), &mut app(120, 36), &mut state);
}

#[test]
fn diverged_ranks() {
    let mut app = app(120, 36);
    app.view.current = ViewId::Ranks;
    app.view.zoom = true;
    check("ranks", "rankscope", &Theme::dark(), &mut app, &mut job::diverged(512));
}

#[test]
fn merged_stacks() {
    let mut app = app(120, 36);
    app.view.current = ViewId::Stack;
    app.view.merged = true;
    app.view.zoom = true;
    check("merged", "rankscope", &Theme::dark(), &mut app, &mut job::diverged(64));
}

#[test]
fn variables() {
    let mut app = app(120, 36);
    app.view.current = ViewId::Variables;
    app.view.variables.open.extend(["here".to_owned(), "here.halo".to_owned()]);
    check("variables", "rankscope", &Theme::dark(), &mut app, &mut job::diverged(64));
}

#[test]
fn light() {
    let theme = ThemeSearch::default().load("light").0;
    check("light", "rankscope", &theme, &mut app(120, 36), &mut job::diverged(64));
}

//! `screenshots/*.svg`, drawn by the real screen on simulated ranks that are driven by keys; a stale picture is a
//! failure, `UPDATE=1 cargo test --test screen screenshots` draws them again.

use crate::driver::Driver;
use crate::picture::svg;
use rankscope::model::ProcessSet;
use rankscope::ui::theme::{Theme, ThemeSearch};
use ratatui::buffer::Buffer;
use std::path::{Path, PathBuf};
use std::{env, fs};

const SIZE: (u16, u16) = (120, 36);

fn check(name: &str, driver: &Driver) {
    is_drawn(name, &driver.buffer(), &driver.theme);
}

pub fn is_drawn(name: &str, buffer: &Buffer, theme: &Theme) {
    let picture = svg(buffer, theme, "rankscope");
    if env::var_os("UPDATE").is_some() {
        return keep(name, &picture);
    }
    assert!(
        is_kept(name, &picture),
        "screenshots/{name}.svg is stale; UPDATE=1 cargo test --test screen screenshots draws it again"
    );
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots").join(format!("{name}.svg"))
}

pub fn keep(name: &str, picture: &str) {
    fs::create_dir_all(path(name).parent().unwrap()).unwrap();
    fs::write(path(name), picture).unwrap();
}

pub fn is_kept(name: &str, picture: &str) -> bool {
    fs::read_to_string(path(name)).is_ok_and(|kept| kept == picture)
}

/// A job with a bug in rank 5: it has crashed, eight ranks were stepped further, the others are at a breakpoint.
fn hunt(ranks: u32) -> Driver {
    hunt_on(ranks, SIZE)
}

fn hunt_on(ranks: u32, size: (u16, u16)) -> Driver {
    let mut driver = Driver::start("stencil", &["crash", "5"], ranks, size);
    driver.command("break kernel").command("break stencil.c:55 if it > 20").go("c c c c");
    driver.command("focus 5").go("c");
    driver.command("focus 8-15").go("n n n n n");
    driver
}

fn part(driver: &mut Driver, ranks: &str, command: &str) {
    let set = ProcessSet::parse(ranks).unwrap();
    driver.drive(&set, |driver| _ = driver.command(&format!("[{ranks}] {command}")));
}

#[test]
fn overview() {
    let mut driver = hunt(64);
    driver.keys("a 1 g g l l l l l 2");
    check("overview", &driver);
}

#[test]
fn diverged_ranks() {
    let mut driver = hunt(512);
    part(&mut driver, "37-511:31", "next");
    part(&mut driver, "100-180", "next 3");
    driver.command("[300-303,400] kill").until("the killed to be gone", |state| state.ranks.ended().len() == 5);
    driver.command("[410-418] hold").keys("a 1 z g g j j l l l l l l l l v j j l l l l l l l");
    check("ranks", &driver);
}

#[test]
fn merged_stacks() {
    let mut driver = hunt_on(64, (100, 18));
    part(&mut driver, "16-31", "finish");
    driver.command("[all] tbreak halo");
    part(&mut driver, "40-60", "go");
    part(&mut driver, "41-59:2", "finish");
    driver.keys("a 3 z j j");
    check("merged", &driver);
}

#[test]
fn variables() {
    let mut driver = hunt(64);
    driver.keys("4 g g l z").command("print rod[1]");
    check("variables", &driver);
}

#[test]
fn light() {
    let mut driver = hunt(64);
    driver.theme = ThemeSearch::default().load("light").0;
    driver.keys("4 g g l 2 g");
    check("light", &driver);
}

#[test]
fn ranks_as_a_grid() {
    let mut driver = hunt(64);
    driver.command("layout 8x8").keys("a 1 j l l l l l");
    check("layout", &driver);
}

#[test]
fn coloured_ranks() {
    let mut driver = hunt(64);
    driver.command("layout 8x8").command("focus all - 5").command("colour by rod[1].t").keys("1 j j l l l");
    check("colours", &driver);
}

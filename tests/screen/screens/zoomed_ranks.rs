//! The map of ranks, where cells stand for several ranks: zooming into parts of it.

use super::{CLASSIC, diverged, in_kernel};
use crate::driver::Driver;
use insta::assert_snapshot;
use rankscope::model::{ProcessSet, Rank};
use rankscope::ui::action::ViewId;
use ratatui::crossterm::event::{MouseButton, MouseEventKind};

/// The line with the way to the part that is shown; empty if all ranks are.
fn path(driver: &Driver) -> String {
    let text = driver.text();
    let way = text.lines().find(|line| line.starts_with(" all > ")).unwrap_or_default();
    way.split("  ").next().unwrap_or_default().trim().to_owned()
}

fn cursor(driver: &Driver) -> u32 {
    driver.app.view.ranks.cursor
}

/// 10,000 ranks in two rows of 50 cells.
fn many() -> Driver {
    let mut driver = in_kernel(CLASSIC, 10_000);
    driver.keys("1");
    driver
}

#[test]
fn enter_zooms_into_a_cell_and_then_focuses_on_its_ranks() {
    let mut driver = many();
    assert!(driver.text().contains("enter zoom in"), "{}", driver.text());
    driver.keys("j l l enter");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 5200-5299", 5200));
    assert_eq!(driver.state().focus.set.len(), 10_000, "enter has not changed the focus");
    let text = driver.text();
    assert!(text.contains("- zooms out, esc shows all") && text.contains("enter focus"), "{text}");
    assert_snapshot!("cell_80x24", text);
    driver.keys("l enter");
    assert_eq!(driver.state().focus.set.to_string(), "5201");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 5200-5299", 5201), "the focus leaves the zoom");
    driver.keys("-");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("", 5201));
    driver.keys("-");
    assert!(driver.text().contains("all ranks are shown"), "{}", driver.text());
}

#[test]
fn steps_of_zooming_show_a_quarter_around_the_cursor() {
    let mut driver = diverged((200, 60), 65_536);
    driver.command("focus all").keys("1 g g j l l l z +");
    assert_snapshot!("quarter_200x60", driver.text());
    let mut ways = vec![path(&driver)];
    while !driver.text().contains("each cell is one rank") {
        driver.keys("+");
        ways.extend(Some(path(&driver)).filter(|way| ways.last() != Some(way)));
        assert!(ways.len() < 12, "{ways:?}");
    }
    assert!(ways.iter().all(|way| way.starts_with("all > ")), "{ways:?}");
    let deepest = ways.len();
    assert!(deepest > 1, "{ways:?}");
    // Each step back shows what was shown before.
    for way in ways.iter().rev().skip(1) {
        driver.keys("-");
        assert_eq!(path(&driver), *way);
    }
    driver.keys("+ esc");
    assert_eq!(path(&driver), "", "esc shows all ranks at once");
    assert!(driver.app.view.zoom, "the view still fills the screen");
    driver.keys("esc");
    assert!(!driver.app.view.zoom);
}

#[test]
fn the_part_follows_the_cursor() {
    let mut driver = many();
    driver.keys("j l l enter");
    assert_eq!(path(&driver), "all > 5200-5299");
    driver.keys("h");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 5100-5199", 5199));
    driver.keys("l j");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 5200-5299", 5250));
    driver.keys("G");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 9900-9999", 9999));
    driver.keys("g g");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 0-99", 0));
    // The next rank of the focus, from the other end of it.
    driver.keys(",");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 9900-9999", 9999));
    driver.command("focus 4711,4712");
    assert_eq!((path(&driver).as_str(), cursor(&driver)), ("all > 4700-4799", 4711));
    driver.keys("m");
    assert_eq!(path(&driver), "all > 4700-4799", "another density");
    driver.app.resize(200, 60);
    driver.settle();
    assert_eq!(path(&driver), "all > 4700-4799", "another size of the terminal");
}

#[test]
fn space_marks_the_ranks_of_a_cell_and_enter_focuses_on_them() {
    let mut driver = many();
    driver.keys("l space l l space enter");
    assert_eq!(driver.state().focus.set.to_string(), "100-199,300-399");
    assert_eq!(path(&driver), "", "enter with marks does not zoom");
    driver.command("focus all").keys("1 g g l space space");
    assert!(driver.app.view.ranks.marks.is_empty());
    // A range has the whole cells at its ends.
    driver.keys("v l l enter");
    assert_eq!(driver.state().focus.set.to_string(), "100-399");
    // Marks are kept while zooming, and esc clears them before the zoom.
    driver.command("focus all").keys("1 g g l enter space - l space");
    assert_eq!(driver.app.view.ranks.marks, ProcessSet::parse("100,200-299").unwrap());
    driver.keys("+ esc");
    assert!(driver.app.view.ranks.marks.is_empty() && !path(&driver).is_empty());
    driver.keys("2 esc");
    assert!(!driver.app.view.ranks.zoom.is_empty(), "esc in another view leaves the map alone");
    driver.keys("1 esc");
    assert_eq!((path(&driver).as_str(), driver.app.view.current), ("", ViewId::Ranks));
}

#[test]
fn a_click_in_a_zoomed_map_selects_the_rank_of_its_cell() {
    let mut driver = many();
    driver.keys("j l l enter");
    // Two rows of 50 ranks behind a label of 6 columns.
    driver.mouse(MouseEventKind::Down(MouseButton::Left), (6 + 3, 1));
    assert_eq!((cursor(&driver), driver.state().lead), (5203, Rank(5203)));
    driver.mouse(MouseEventKind::Down(MouseButton::Left), (6 + 3, 3));
    assert_eq!(cursor(&driver), 5203, "the line below the cells is no cell");
    driver.keys("m");
    driver.mouse(MouseEventKind::Down(MouseButton::Left), (6 + 3, 3));
    assert_eq!(cursor(&driver), 5203, "nor is it where there are more rows of cells");
}

#[test]
fn a_plane_is_zoomed_in_both_directions() {
    let mut driver = in_kernel((200, 60), 16_384);
    driver.command("layout 4x64x64").keys("1 ] j j l l l z +");
    let shown = path(&driver);
    assert!(shown.starts_with("all > rows ") && shown.contains(", columns "), "{}", driver.text());
    assert_snapshot!("plane_200x60", driver.text());
    let at = cursor(&driver);
    driver.keys("[");
    assert_eq!((path(&driver), cursor(&driver)), (shown.clone(), at - 64 * 64), "the same part of another plane");
    driver.keys("- enter");
    assert_ne!(path(&driver), shown);
    driver.command("layout none");
    assert_eq!(path(&driver), "", "another arrangement shows all ranks");
}

#[test]
fn colours_are_those_of_the_cells_of_the_part() {
    let mut driver = in_kernel(CLASSIC, 8192);
    driver.command("layout 64x128").command("colour by rank / 128").keys("1 g g");
    let before = driver.state().inspection.colours.clone().unwrap();
    driver.keys("j j l l +");
    let colours = driver.state().inspection.colours.clone().unwrap();
    assert_ne!(colours.cells, before.cells, "the smaller cells have been asked for");
    assert!(!colours.stale && colours.known.len() == 8192);
    let text = driver.text();
    assert!(text.contains("0 min 0 on 0") && text.contains("9 max 63 on 8064"), "the scale stays: {text}");
    assert_snapshot!("coloured_80x24", text);
    driver.keys("enter enter enter");
    let text = driver.text();
    let cell = cursor(&driver);
    assert!(text.contains(&format!("  {cell}: {}", cell / 128)), "{text}");
    driver.command("layout none").command("colour by rank % 7").keys("g g l enter");
    assert!(driver.text().contains("colour by rank % 7"), "{}", driver.text());
    assert!(!driver.state().inspection.colours.as_ref().unwrap().stale);
}

#[test]
fn hosts_and_the_ranks_of_a_host_are_zoomed_into() {
    let ranks = |host: u32| ProcessSet::range(host * 256, (host + 1) * 256);
    let hosts = (0..128).map(|host| (format!("node{host:03}"), ranks(host))).collect();
    let mut driver = Driver::start_on(hosts, "stencil", &[], 32_768, CLASSIC);
    driver.command("break kernel").keys("esc").go("c c").command("layout hosts").keys("esc 1 l l");
    assert!(driver.text().contains("enter zoom in"), "{}", driver.text());
    driver.keys("enter");
    let text = driver.text();
    let on = format!("node{:03}", cursor(&driver) / 256);
    assert!(path(&driver).starts_with("all > node") && path(&driver).contains(&on), "{text}");
    let outer = path(&driver);
    driver.keys("j enter");
    let text = driver.text();
    assert!(path(&driver).starts_with(&format!("{outer} > ")), "{text}");
    assert_snapshot!("hosts_80x24", text);
    // Below the last row that is shown are the next ranks.
    let before = cursor(&driver);
    driver.keys("j j j j");
    assert!(cursor(&driver) > before && path(&driver).starts_with("all > "), "{}", driver.text());
    driver.keys("k k k k -");
    assert_eq!(path(&driver), outer);
    driver.keys("esc");
    assert_eq!(path(&driver), "");
}

#[test]
fn where_each_rank_has_a_cell_the_keys_say_so() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("1 +");
    assert!(driver.text().contains("each cell is one rank: there is nothing to zoom into"), "{}", driver.text());
    driver.keys("-");
    assert!(driver.text().contains("all ranks are shown"), "{}", driver.text());
    driver.keys("l enter");
    assert_eq!(driver.state().focus.set.to_string(), "1");
}

#[test]
fn a_million_ranks_fill_the_rows_of_the_screen() {
    for (size, rows) in [((80, 24), 15), ((200, 60), 42)] {
        let mut driver = Driver::start("stencil", &[], 1 << 20, size);
        driver.keys("1 z");
        let text = driver.text();
        let cells = text.lines().filter(|line| line.contains("SSSSSSSSSS ")).count();
        assert!(cells >= rows, "{cells}\n{text}");
    }
}

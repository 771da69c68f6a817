//! `layout hosts`: the ranks by the hosts on which they run.

use super::CLASSIC;
use crate::drawn::styled;
use crate::driver::Driver;
use insta::assert_snapshot;
use rankscope::model::{ProcessSet, Rank};
use rankscope::ui::theme::{ColourDepth, Theme};
use ratatui::crossterm::event::MouseEventKind;

/// Ranks one after the other on hosts that have so many each.
fn hosts(names: &[&str], each: u32) -> Vec<(String, ProcessSet)> {
    let sets = (0..).step_by(each as usize).map(|first| ProcessSet::range(first, first + each));
    names.iter().map(|&name| name.to_owned()).zip(sets).collect()
}

/// Simulated ranks at a breakpoint, by their hosts.
fn by_hosts(hosts: Vec<(String, ProcessSet)>, ranks: u32, size: (u16, u16)) -> Driver {
    let mut driver = Driver::start_on(hosts, "stencil", &[], ranks, size);
    driver.command("break kernel").keys("esc").go("c c").command("layout hosts").keys("esc 1");
    driver
}

/// The place of a text on the screen.
#[track_caller]
fn place_of(driver: &Driver, wanted: &str) -> (u16, u16) {
    let text = driver.text();
    let found = text.lines().enumerate().find_map(|(row, line)| {
        let at = line.find(wanted)?;
        Some((line[..at].chars().count() as u16, row as u16))
    });
    found.unwrap_or_else(|| panic!("no {wanted:?} in\n{text}"))
}

#[test]
fn each_host_has_a_row_with_its_name() {
    let names = ["node01.cluster.example.org", "node02.cluster.example.org", "login.example.org"];
    let mut driver = by_hosts(hosts(&names, 4), 14, CLASSIC);
    driver.keys("j l");
    assert_eq!((driver.app.view.ranks.cursor, driver.state().lead), (5, Rank(5)));
    let text = driver.text();
    assert!(text.contains(" 5 on node02.cluster.example.org  ranks 4-7"), "{text}");
    assert_snapshot!("three_80x24", text);
    driver.theme = Theme::dark().adapted(ColourDepth::None);
    assert_snapshot!("three_no_colour_styled", styled(&driver.buffer()));
    // The last row has two ranks, whose host is not known.
    driver.keys("l l j j");
    assert_eq!(driver.app.view.ranks.cursor, 13);
    assert!(driver.text().contains(" 13 on <unknown host>  ranks 12-13"), "{}", driver.text());
    driver.keys("j");
    assert_eq!(driver.app.view.ranks.cursor, 13, "the cursor stays at the end");
    let (column, row) = place_of(&driver, " 9B");
    driver.click(column + 1, row);
    assert_eq!((driver.app.view.ranks.cursor, driver.state().lead), (9, Rank(9)));
    // The name is no cell.
    driver.click(0, row - 1);
    assert_eq!(driver.app.view.ranks.cursor, 9);
    driver.mouse(MouseEventKind::ScrollUp, (column, row));
    assert_eq!(driver.app.view.ranks.cursor, 1);
    driver.command("layout none");
    assert!(!driver.text().contains("node0"), "{}", driver.text());
}

#[test]
fn a_job_of_one_host_is_a_row() {
    let driver = by_hosts(Vec::new(), 8, CLASSIC);
    let text = driver.text();
    assert!(text.contains("simulated  0B 1B") && text.contains(" 0 on simulated  ranks 0-7"), "{text}");
}

#[test]
fn narrow_terminals_cut_the_names() {
    let names = ["a-cluster-with-a-long-name-001", "a-cluster-with-a-long-name-002"];
    let mut driver = by_hosts(hosts(&names, 4), 8, (30, 8));
    driver.keys("j");
    assert_snapshot!("narrow_30x8", driver.text());
    assert_eq!(driver.app.view.ranks.cursor, 4);
    let (column, row) = place_of(&driver, " 6B");
    driver.click(column + 1, row);
    assert_eq!(driver.app.view.ranks.cursor, 6);
}

#[test]
fn ranks_that_are_dealt_out_in_turn_stand_by_their_hosts() {
    let dealt = |host: u32| (0..2000).filter(|rank| rank % 3 == host).map(Rank).collect();
    let dealt = (0..3).map(|host| (format!("n{host}"), dealt(host))).collect();
    let mut driver = by_hosts(dealt, 2000, CLASSIC);
    // Each host has two rows.
    driver.keys("j j");
    assert_eq!(driver.app.view.ranks.cursor, 1);
    let text = driver.text();
    assert!(text.contains(" 1 on n1  ranks 1-1999:3  8 ranks a cell"), "{text}");
    driver.keys("l");
    assert_eq!(driver.app.view.ranks.cursor, 25);
    driver.command("colour by rank");
    assert_snapshot!("dealt_out_80x24", driver.text());
    driver.keys("m m G");
    assert_eq!(driver.app.view.ranks.cursor, 1999);
    assert!(driver.text().contains("1999"), "{}", driver.text());
}

#[test]
fn a_cell_is_a_host_where_not_every_host_has_a_row() {
    let names: Vec<String> = (0..1024).map(|host| format!("node{host:04}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut driver = by_hosts(hosts(&names, 4), 4096, CLASSIC);
    driver.keys("l j");
    let text = driver.text();
    assert!(text.contains(" hosts a cell"), "{text}");
    assert_snapshot!("thousand_80x24", text);
    driver.keys("z");
    assert_snapshot!("thousand_zoomed_80x24", driver.text());
}

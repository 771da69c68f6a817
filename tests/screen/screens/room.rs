//! Narrow screens: cut text has a sign, and the most important text is kept.

use super::*;
use rankscope::ui::layer::{Layer, Opened, Page};

fn row<'a>(text: &'a str, with: &str) -> &'a str {
    text.lines().find(|line| line.contains(with)).unwrap_or_else(|| panic!("{with} is not in\n{text}"))
}

#[test]
fn source_that_is_scrolled_sideways_says_so_until_the_next_stop() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("2 l");
    let scrolled = driver.text();
    assert!(scrolled.contains("37  …int i = 1") && scrolled.contains("38  double before"), "{scrolled}");
    driver.keys("g .");
    assert!(driver.text().contains("37      for (int i"), "{}", driver.text());
    driver.keys("l l").go("n");
    assert!(driver.text().contains("37      for (int i"), "{}", driver.text());
}

#[test]
fn a_message_that_is_cut_says_so() {
    let mut driver = in_kernel(CLASSIC, 8);
    let long = format!("print {}", "1 + ".repeat(30));
    driver.command(&long).keys("esc 9");
    let text = driver.text();
    assert!(row(&text, ":print 1 +").ends_with('…'), "{text}");
}

#[test]
fn a_page_says_how_much_is_below_it() {
    let mut driver = in_kernel(CLASSIC, 8);
    let lines: Vec<String> = (0..40).map(|n| format!("row {n}")).collect();
    driver.app.view.layers.push(Layer::Page(Page {
        title: "list ring.c:1,40".into(),
        lines: lines.clone(),
        top: 0,
        opened: Opened::Known,
        failed: false,
    }));
    assert!(driver.text().contains("list ring.c:1,40  26 more below, j k scroll"), "{}", driver.text());
    // A long command is cut before the hint about more rows.
    let title = "print a_name_that_is_so_long_that_the_popup_has_no_room_for_it + another_one_of_the_kind".to_owned();
    driver.app.view.layers.clear();
    driver.app.view.layers.push(Layer::Page(Page { title, lines, top: 0, opened: Opened::Known, failed: false }));
    assert!(driver.text().contains("…  26 more below, j k scroll"), "{}", driver.text());
}

#[test]
fn a_value_has_the_room_of_its_type() {
    let mut driver = in_kernel((120, 36), 8);
    driver.command("display *c").keys("esc");
    let text = driver.text();
    let value = row(&text, "▸ 1: *c").to_owned();
    assert!(value.ends_with('…') && value.contains("flux = 0, id"), "{text}");
    assert!(row(&text, "iteration  ").ends_with("int"), "{text}");
}

#[test]
fn a_pointer_is_shown_as_an_array_by_a_key() {
    let mut driver = in_kernel((120, 36), 8);
    driver.keys("4 g g enter");
    assert!(driver.text().contains("*(c) is one value; @ shows an array"), "{}", driver.text());
    driver.keys("@");
    assert!(driver.text().contains(":display *(c)@"), "{}", driver.text());
    driver.keys("esc j @");
    assert!(driver.app.view.layers.is_empty(), "a member that is no pointer is not asked about");
}

#[test]
fn the_columns_of_breakpoints_are_there_for_all_rows_or_for_none() {
    for width in 40..100 {
        let mut driver = Driver::start("stencil", &[], 8, CLASSIC);
        driver.command("break kernel").command("[0-3] break 70 if rank > 2 && size == 8");
        driver.command("disable 1").keys("6");
        driver.app.resize(width, 24);
        driver.settle();
        let text = driver.text();
        let rows: Vec<&str> = ["  1 kernel", "  2 stencil"].iter().map(|with| row(&text, with)).collect();
        let ends: Vec<bool> =
            [("all", rows[0]), ("0-3", rows[1])].iter().map(|(ranks, row)| row.ends_with(ranks)).collect();
        assert!(ends[0] == ends[1], "{width}\n{text}");
        let whole = rows[1].contains("size == 8");
        assert!(whole || rows[1].contains('…'), "{width}\n{text}");
    }
}

#[test]
fn enter_shows_the_whole_of_a_line_that_is_cut() {
    let mut driver = in_kernel(CLASSIC, 8);
    let long = format!("print {}", "1 + ".repeat(30)).trim_end().to_owned();
    driver.command(&long).keys("esc 9 g g");
    let at = (0..driver.app.view.log.len()).find(|at| driver.app.view.log.get(*at).unwrap().text == long).unwrap();
    driver.keys(&"j ".repeat(at)).keys("enter");
    let text = driver.text();
    let page: Vec<&str> = text.lines().filter_map(|row| row.strip_prefix("│ ")?.strip_suffix("│")).collect();
    assert_eq!(page.iter().map(|row| row.trim()).collect::<Vec<_>>().join(" "), long, "{text}");
    driver.keys("enter");
    assert!(driver.app.view.layers.is_empty());
    // So is the ranks' output; the tab stops stay where they were.
    driver.keys("5 g g enter");
    let text = driver.text();
    let shown = driver.state().output.get(0).unwrap();
    let title = format!("output of {}", shown.ranks);
    assert!(row(&text, &title).starts_with('╭') && text.contains(shown.text.trim_end()), "{text}");
}

#[test]
fn messages_and_output_are_scrolled_sideways() {
    let mut driver = in_kernel(CLASSIC, 8);
    let long = format!("print {}777 +", "1 + ".repeat(30));
    driver.command(&long).keys("esc 9");
    assert!(!driver.text().contains("777"), "{}", driver.text());
    driver.keys("l l l l l l l l l");
    assert!(driver.text().contains("777"), "{}", driver.text());
    driver.keys("h h h h h h h h h");
    assert!(driver.text().contains(":print 1 + 1"), "{}", driver.text());
    driver.keys("5");
    let words = driver.state().output.get(0).unwrap().text.clone();
    assert!(driver.text().contains(&words), "{}", driver.text());
    driver.keys("l");
    assert!(!driver.text().contains(&words) && driver.text().contains(&words[9..]), "{}", driver.text());
}

#[test]
fn a_page_of_one_long_line_is_read_to_its_end() {
    let mut driver = in_kernel(CLASSIC, 8);
    let line = (0..600).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    driver.app.view.layers.push(Layer::Page(Page {
        title: "message".into(),
        lines: vec![line],
        top: 0,
        opened: Opened::Known,
        failed: false,
    }));
    assert!(driver.text().contains("word0 ") && !driver.text().contains("word599"), "{}", driver.text());
    driver.keys("G");
    assert!(driver.text().contains("word599") && !driver.text().contains("more below"), "{}", driver.text());
}

#[test]
fn why_a_condition_failed_is_read_whole_below_the_place() {
    let mut driver = Driver::start("stencil", &[], 8, CLASSIC);
    driver.command("break kernel if no_such_variable[5].member > 3").keys("esc").go("c");
    let text = driver.text();
    let mut rows = text.lines().skip_while(|row| !row.contains("B 0-7"));
    assert!(!rows.next().unwrap().contains('\u{2026}'), "{text}");
    let below: String = rows.take_while(|row| row.starts_with("     ")).map(str::trim).collect::<Vec<_>>().join(" ");
    let note = driver.state().ranks.groups().find_map(|(_, of)| match of {
        rankscope::model::ProcessState::Stopped(stop) => stop.note.clone(),
        _ => None,
    });
    let squeezed = |text: &str| text.replace(' ', "");
    assert_eq!(squeezed(&below), squeezed(&note.unwrap()), "{text}");
}

#[test]
fn running_ranks_are_counted_once() {
    let mut driver = Driver::start("spin", &[], 4, CLASSIC);
    let status = |driver: &Driver| driver.text().lines().rev().nth(1).unwrap().to_owned();
    driver.command("[1-3] go").until("three to run", |state| state.ranks.stopped().to_string() == "0");
    driver.keys("esc");
    driver.app.view.notice = None;
    let line = status(&driver);
    assert_eq!(line.matches("running").count(), 1, "{line}");
    // A notice takes the place of the groups.
    driver.command("set patience 4");
    let line = status(&driver);
    assert!(line.contains("patience is 4 s") && line.matches("3 running").count() == 1, "{line}");
}

//! Pictures in the pixels of the terminal: terminals that answer as one with kitty's protocol, with sixels, with nothing,
//! or with nonsense.

use crate::support::{build::build, marks::source, pty::Terminal, wait::wait_on};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const SIZE: (u16, u16) = (100, 30);
/// The end of the question.
const QUESTION: &str = "\x1b[16t\x1b[c";
const KITTY: &str = "\x1b_Gi=31;OK\x1b\\\x1b[6;16;8t\x1b[?62;c";
const SIXEL: &str = "\x1b[6;16;8t\x1b[?62;4;22c";
/// The character of a placeholder.
const PLACEHOLDER: char = '\u{10EEEE}';
const HALF_BLOCK: char = '▀';
/// The legend of a picture with a NaN.
const LEGEND: &str = "NaN";

/// A program at a stop with the array `field` of 200 x 300 numbers on the screen, of which one is NaN.
fn at_an_array(words: &[&str]) -> Terminal {
    let program = build("gcc", "array_view.c", &["-g", "-O0", "-lm"]).display().to_string();
    let text = std::fs::read_to_string(source("array_view.c")).unwrap();
    let line = text.lines().position(|line| line.contains("/* filled */")).unwrap() + 1;
    let place = format!("array_view.c:{line}");
    // An editor that ends at once.
    let arguments = [&["VISUAL=true", RANKSCOPE, "run", "-n", "1"], words, &["--", &program]].concat();
    let mut terminal = Terminal::start("env", &arguments, SIZE);
    terminal.see(&["0S"]).send(&format!(":break {place}\r")).see(&["breakpoint 1"]).send("c").see(&["0B"]);
    terminal.send(":array field\r").see(&["field[0][0] = "]).send("z");
    terminal.until("the array alone", |text| !text.contains("2 source"));
    assert!(!terminal.so_far().contains(QUESTION), "asked before there was a picture");
    terminal
}

/// The same with the picture, on a terminal that answers; `is_drawn` says that it is on the screen in pixels. A busy host
/// may give an answer too late: then once more.
fn at_a_picture(answer: &str, is_drawn: impl Fn(&str) -> bool) -> Terminal {
    for _ in 0..5 {
        let mut terminal = at_an_array(&[]);
        terminal.answer(QUESTION, answer).send("m");
        let drawn = |terminal: &mut Terminal| {
            let (written, text) = (terminal.so_far(), terminal.text());
            let legend = text.contains(LEGEND);
            (legend && (is_drawn(&written) || text.contains(HALF_BLOCK))).then(|| is_drawn(&written))
        };
        if wait_on(&mut terminal, drawn, |terminal| format!("a picture; the screen:\n{}", terminal.text())) {
            return terminal;
        }
    }
    panic!("the answer always came too late");
}

/// What is between two marks, for each place where they are.
fn between<'a>(text: &'a str, from: &str, until: &str) -> Vec<&'a str> {
    text.split(from).skip(1).map(|part| part.split(until).next().unwrap()).collect()
}

fn number(text: &str, name: &str) -> u32 {
    let digits = text.split(',').find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).unwrap();
    digits.parse().unwrap()
}

/// The first bytes of base64.
fn decoded(text: &str, count: usize) -> Vec<u8> {
    let value = |sign: u8| match sign {
        b'A'..=b'Z' => sign - b'A',
        b'a'..=b'z' => sign - b'a' + 26,
        b'0'..=b'9' => sign - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let bits: Vec<u8> = text.bytes().take(count.div_ceil(3) * 4).map(value).collect();
    let three =
        |four: &[u8]| four.iter().fold(0_u32, |all, bits| all << 6 | u32::from(*bits)).to_be_bytes()[1..].to_vec();
    bits.chunks(4).flat_map(three).take(count).collect()
}

fn leave(mut terminal: Terminal) -> String {
    terminal.send("q").see(&["kill them and quit"]).send("k");
    assert_eq!(terminal.exit_status(), 0);
    terminal.until_given_back();
    terminal.written()
}

#[test]
fn a_picture_in_kittys_protocol() {
    let mut terminal = at_a_picture(KITTY, |written| written.contains(PLACEHOLDER));
    assert!(!terminal.text().contains(HALF_BLOCK));
    // A line that is typed below covers nothing.
    terminal.send(":print 41 + 1\r").see(&["41 + 1 = 42"]);
    let placed = terminal.so_far().matches(PLACEHOLDER).count();
    // A page over it: it is drawn with characters as long as that is there.
    terminal.send("?").see(&["esc closes"]).until("characters beside the page", |text| text.contains(HALF_BLOCK));
    terminal.send("\u{1b}").until("the picture again", |text| !text.contains(HALF_BLOCK) && text.contains(LEGEND));
    let written = leave(terminal);
    assert_eq!(written.matches(PLACEHOLDER).count(), 2 * placed, "placed again");
    let heads = between(&written, "\x1b_Ga=T,", ";");
    assert_eq!(heads.len(), 1, "the picture was sent more than once: {heads:?}");
    // The zoomed view has 100 x 26 cells: 800 x 416 pixels.
    let (columns, lines) = (number(heads[0], "c"), number(heads[0], "r"));
    assert_eq!((columns, lines, placed), (100, 26, 2600), "{heads:?}");
    let data: Vec<&str> = between(&written, "\x1b_G", "\x1b\\");
    let data: String =
        data.iter().filter(|part| part.contains("m=")).map(|part| part.split_once(';').unwrap().1).collect();
    let head = decoded(&data, 24);
    assert_eq!(&head[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(*head[at..].first_chunk().unwrap());
    assert_eq!((side(16), side(20)), (8 * columns, 16 * lines));
    println!("kitty: {} bytes for {columns} x {lines} cells", data.len());
    assert!((2_000..60_000).contains(&data.len()), "{}", data.len());
    let (_, end) = written.rsplit_once("\x1b_Ga=T,").unwrap();
    assert!(end.contains("\x1b_Ga=d,d=I,i=7498497,q=2\x1b\\"), "the terminal keeps the picture");
}

#[test]
fn a_picture_in_sixels() {
    let mut terminal = at_a_picture(SIXEL, |written| written.contains("\x1bP"));
    assert!(!terminal.text().contains(HALF_BLOCK));
    terminal.send(":print 41 + 1\r").see(&["41 + 1 = 42"]);
    let pictures = |terminal: &Terminal| terminal.so_far().matches("\x1bP").count();
    assert_eq!(pictures(&terminal), 1, "the picture was sent again");
    terminal.send("?").see(&["esc closes"]).until("characters beside the page", |text| text.contains(HALF_BLOCK));
    terminal.send("\u{1b}");
    let again = |terminal: &mut Terminal| (pictures(terminal) == 2).then_some(());
    wait_on(&mut terminal, again, |terminal| format!("the picture again; the screen:\n{}", terminal.text()));
    terminal.until("the legend below it", |text| text.contains(LEGEND) && !text.contains(HALF_BLOCK));
    let written = leave(terminal);
    assert!(!written.contains("\x1b_Ga=T") && !written.contains("\x1b_Ga=d"));
    let sent = between(&written, "\x1bP0;1;0q", "\x1b\\");
    assert_eq!((sent.len(), sent[0]), (2, sent[1]));
    assert!(sent[0].starts_with("\"1;1;800;416#0;2;"), "{:.40}", sent[0]);
    println!("sixel: {} bytes", sent[0].len());
    assert!((20_000..300_000).contains(&sent[0].len()), "{}", sent[0].len());
}

#[test]
fn a_terminal_without_an_answer_has_half_blocks_and_loses_no_key() {
    let mut terminal = at_an_array(&[]);
    // Typed while the screen waits.
    terminal.answer(QUESTION, "S").send("m").see(&[LEGEND, "mean "]);
    terminal.until("half blocks", |text| text.contains(HALF_BLOCK));
    // An answer after the time: "3" and "9" would go to other views, "q" would ask.
    terminal.send("\x1b_Gi=31;EINVAL:39q\x1b\\\x1b[?62;4c").send(":print 41 + 1\r").see(&["41 + 1 = 42", LEGEND]);
    assert!(terminal.text().contains(HALF_BLOCK));
    // The same keys from a person are keys.
    terminal.send("m").see(&["field[0][0] = "]).send("m").until("half blocks", |text| text.contains(HALF_BLOCK));
    let written = leave(terminal);
    assert_eq!(written.matches(QUESTION).count(), 1, "asked once");
    assert!(!written.contains("\x1bP") && !written.contains("\x1b_Ga=T"));
}

#[test]
fn a_terminal_that_lies_about_its_cells_has_half_blocks() {
    let mut terminal = at_an_array(&[]);
    terminal.answer(QUESTION, "\x1b_Gi=31;OK\x1b\\\x1b[6;99999;99999t\x1b[?62;4c").send("m");
    terminal.until("half blocks", |text| text.contains(HALF_BLOCK) && text.contains(LEGEND));
    let written = leave(terminal);
    assert!(!written.contains("\x1bP") && !written.contains("\x1b_Ga=T"));
}

#[test]
fn no_terminal_is_asked_if_pictures_have_characters() {
    let mut terminal = at_an_array(&["--graphics", "none"]);
    terminal.send("m").until("half blocks", |text| text.contains(HALF_BLOCK) && text.contains(LEGEND));
    assert!(!leave(terminal).contains(QUESTION));
}

#[test]
fn a_picture_is_sent_again_after_an_editor_and_in_another_size() {
    let mut terminal = at_a_picture(KITTY, |written| written.contains(PLACEHOLDER));
    let sent = |terminal: &Terminal| terminal.so_far().matches("\x1b_Ga=T,").count();
    assert_eq!(sent(&terminal), 1);
    terminal.send(":edit 1\r").see(&["has not changed", LEGEND]);
    wait_on(
        &mut terminal,
        |terminal| (sent(terminal) == 2).then_some(()),
        |_| "the picture after the editor".to_owned(),
    );
    let written = terminal.so_far();
    // It was deleted before the terminal was given to the editor.
    let (before, after) = written.rsplit_once("\x1b[?1049l").unwrap();
    assert!(before.contains("\x1b_Ga=d,d=I,i=7498497,q=2\x1b\\"), "{before:?}");
    assert_eq!(after.matches("\x1b_Ga=T,").count(), 1);
    // The font may be another one, too.
    terminal.resize(60, 20);
    let asked = |terminal: &mut Terminal| (terminal.so_far().matches(QUESTION).count() >= 2).then_some(());
    wait_on(&mut terminal, asked, |_| "the question after the change of the size".to_owned());
    terminal.until("the legend at the new place", |text| text.lines().count() <= 20 && text.contains(LEGEND));
    leave(terminal);
}

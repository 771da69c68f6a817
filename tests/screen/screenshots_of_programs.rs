//! `screenshots/*.svg` of real programs that hang, crash and compute wrong numbers: what the terminal shows after the
//! keys of the pages that have these pictures.

use crate::drawn::shown;
use crate::picture::svg;
use crate::screenshots::{is_kept, keep};
use crate::support::build::build;
use crate::support::marks::source;
use crate::support::pty::Terminal;
use crate::support::wait::wait_on;
use rankscope::ui::theme::Theme;
use ratatui::buffer::{Buffer, Cell};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const SIZE: (u16, u16) = (100, 24);
/// Looks until two of a job agree that it has not moved: on a busy host, ranks may have had no processor between them.
const MOST_LOOKS: usize = 60;

/// Ends the title behind the command: the names of the host and of the session are others in each run.
fn leave_out_session(buffer: &mut Buffer) {
    let columns = buffer.area.width;
    let title: Vec<Cell> = (0..columns).map(|column| buffer[(column, 0)].clone()).collect();
    let Some(end) = title.windows(4).position(|word| word.iter().map(Cell::symbol).eq([" ", "o", "n", " "])) else {
        return;
    };
    let rule = &title[0];
    let start = title[..end].iter().rposition(|cell| cell == rule).unwrap() + 1;
    let rules = std::iter::repeat_n(rule, title.len() - 2 - end);
    let row = rules.chain(&title[start..=end]).chain([rule]);
    (start as u16..columns).zip(row).for_each(|(column, cell)| buffer[(column, 0)] = cell.clone());
}

/// Compares the terminal with its picture: what is not asked for may still be on its way.
#[track_caller]
fn check(name: &str, terminal: &mut Terminal, words: &[&str]) {
    terminal.see(words);
    let theme = Theme::dark();
    let picture = |terminal: &Terminal| {
        let mut buffer = shown(&terminal.screen());
        leave_out_session(&mut buffer);
        svg(&buffer, &theme, "rankscope")
    };
    if std::env::var_os("UPDATE").is_some() {
        let (mut last, mut same) = (String::new(), 0);
        let is_still = |terminal: &mut Terminal| {
            let now = picture(terminal);
            same = if now == last { same + 1 } else { 0 };
            last = now;
            (same == 500).then_some(())
        };
        wait_on(terminal, is_still, Terminal::text);
        return keep(name, &last);
    }
    let look = |terminal: &mut Terminal| is_kept(name, &picture(terminal)).then_some(());
    wait_on(terminal, look, |terminal| {
        format!("screenshots/{name}.svg (UPDATE=1 draws it again); the screen:\n{}", terminal.text())
    });
}

/// Waits until every rank is in this state: a key moves only those that have stopped by then.
fn see_ranks(terminal: &mut Terminal, ranks: usize, state: char) {
    let words: Vec<String> = (0..ranks).map(|rank| format!(" {rank}{state} ")).collect();
    terminal.see(&words.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Sixteen copies of a program.
fn copies(file: &str) -> Terminal {
    let program = build("gcc", file, &["-g", "-O0"]).display().to_string();
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "16", "--", &program], SIZE);
    see_ranks(&mut terminal, 16, 'S');
    terminal
}

#[test]
fn hang() {
    let program = build("mpicc.mpich", "deadlock.c", &["-g", "-O0"]).display().to_string();
    let words = ["run", "mpirun.mpich", "-n", "8", program.as_str()];
    // Too low for the stack, whose frames inside of the library are others in each run.
    let mut terminal = Terminal::start(RANKSCOPE, &words, (SIZE.0, 14));
    terminal.see(&["started main"]).send("1");
    see_ranks(&mut terminal, 8, 'S');
    for look in 0.. {
        terminal.send("c");
        see_ranks(&mut terminal, 8, 'R');
        terminal.send("\u{3}");
        see_ranks(&mut terminal, 8, 'S');
        // The lead has moved to another rank where that stopped sooner.
        terminal.send("gg").send("W").see(&["why: "]);
        let all = ["deadlock: ranks 2,5 wait for each other.", "since the last look: ranks 0-7 are where they were."];
        if all.iter().all(|words| terminal.text().contains(words)) {
            break;
        }
        assert!(look < MOST_LOOKS, "{}", terminal.text());
        terminal.send("\u{1b}").until("no page", |text| !text.contains("why: "));
    }
    check("hang", &mut terminal, &["look at: focus 2,5"]);
}

#[test]
fn crash() {
    let mut terminal = copies("assemble.c");
    terminal.send("c").see(&["3!", "12!", "row is a null pointer"]);
    terminal.send("1gglll2");
    check("crash", &mut terminal, &["3 stack ─ merged 3,12"]);
}

#[test]
fn array() {
    let program = build("gcc", "array_view.c", &["-g", "-O0", "-lm"]).display().to_string();
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "-n", "4", "--", &program], SIZE);
    see_ranks(&mut terminal, 4, 'S');
    let text = std::fs::read_to_string(source("array_view.c")).unwrap();
    let line = text.lines().position(|line| line.contains("/* filled */")).unwrap() + 1;
    terminal.send(&format!(":tbreak array_view.c:{line}\r")).see(&["temporary breakpoint 1"]);
    terminal.send("c").see(&["0B", "3B"]);
    terminal.send(":array field\r").see(&["field[0][0] = "]);
    terminal.send("mS").see(&["60000 elements", "mean of "]);
    check("array", &mut terminal, &["A array", "mean of "]);
}

#[test]
fn numbers() {
    let mut terminal = copies("upwind.c");
    terminal.send(":catch fpe\r").see(&["catchpoint 1"]);
    terminal.send("c").see(&["6!", "9!", "division by zero"]);
    terminal.send("1ggllllll2");
    check("numbers", &mut terminal, &["3 stack ─ merged 6,9"]);
}

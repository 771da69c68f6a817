//! The memory view of real programs: it follows the program from stop to stop, and compares the ranks.

use crate::support::build::build;
use crate::support::marks::line;
use crate::support::pty::Terminal;

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const SIZE: (u16, u16) = (120, 40);

/// Stops both ranks before the bytes change.
fn stopped() -> Terminal {
    let program = build("gcc", "memory_view.c", &["-g", "-O0"]);
    let arguments = ["run", "-n", "2", "--", &program.display().to_string()];
    let mut terminal = Terminal::start(RANKSCOPE, &arguments, SIZE);
    let place = format!(":break memory_view.c:{}\r", line("memory_view.c", "different"));
    terminal.see(&["started"]).send(&place).see(&["breakpoint 1"]).send("c").see(&["0B 1B"]);
    terminal
}

#[test]
fn bytes_that_a_step_changes_are_marked_until_the_next() {
    let mut terminal = stopped();
    let differs = |text: &str| text.contains("≠a0") || text.contains("≠a1");
    terminal.send(":memory bytes\r").see(&["M memory", "≠ on ", "text .[3 "]).until("the byte that differs", differs);
    // One rank is shown, whichever stops first.
    terminal.send(":focus 0\r").see(&["bytes  rank 0", " a0 00"]);
    terminal.send("n").see(&["◆11"]);
    terminal.send("n").see(&["◆22"]).until("the mark before to go", |text| !text.contains("◆11"));
    terminal.send("n").see(&["◆33"]);
}

#[test]
fn an_address_in_memory_is_followed_and_left_again() {
    let mut terminal = stopped();
    terminal.send(":memory &first\r").see(&["M memory", "&first", "+0x0 = 0x01"]);
    terminal.send("]]]").see(&["8-byte integers", "+0x0 = 1"]);
    terminal.send("l").see(&["+0x8"]).send("\r").see(&["+0x0 = 2"]);
    terminal.send("\u{7f}").see(&["&first", "+0x8"]);
}

#[test]
fn a_pointer_is_shown_with_the_symbol_at_its_address() {
    let mut terminal = stopped();
    terminal.send(":memory &function\r").see(&["M memory", "&function"]);
    terminal.send("[").see(&["pointers", " <main>"]);
}

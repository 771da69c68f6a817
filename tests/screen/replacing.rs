//! Commands that write files ask on the screen before they replace one.

use crate::support::pty::Terminal;

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");

#[test]
fn a_file_that_exists_is_replaced_only_after_a_question() {
    let arguments = ["run", "--engine", "fake", "-n", "2", "--", "stencil"];
    let mut terminal = Terminal::start(RANKSCOPE, &arguments, (120, 40));
    terminal.see(&["started"]).send(":save rank r.npy\r").see(&["wrote r.npy"]);
    let file = terminal.home.path().join("r.npy");
    std::fs::write(&file, "mine").unwrap();
    terminal.send(":save rank r.npy\r").see(&["r.npy exists. Replace it?"]).send("n");
    terminal.until("no question", |text| !text.contains("Replace it?"));
    terminal.send(":print 6 * 7\r").see(&["= 42"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    terminal.send(":save rank r.npy\r").see(&["r.npy exists. Replace it?"]).send("y").see(&["replaced r.npy"]);
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x93NUMPY"));
    terminal.send(":save rank %r.npy\r").see(&["2 files"]);
    terminal.send(":save rank %r.npy\r").see(&["2 files exist, 0.npy among them. Replace them?"]).send("y");
    terminal.see(&["2 of them replaced"]);
}

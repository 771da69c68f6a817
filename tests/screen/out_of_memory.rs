//! The first screen says which rank the kernel killed for memory. Where no control group can be made, tests/run leaves this
//! out.

use crate::support::build::build;
use crate::support::control_group::ControlGroup;
use crate::support::pty::Terminal;

#[test]
fn a_rank_that_the_kernel_killed_for_memory_is_on_the_first_screen() {
    let group = ControlGroup::new();
    let program = build("gcc", "failing.c", &["-g", "-O0", "-fstack-protector-all", "-w", "-pthread", "-lm"]);
    let mut arguments = group.enter(env!("CARGO_BIN_EXE_rankscope"));
    arguments.extend(["run", "-n", "2", "--", program.to_str().unwrap(), "memory"].map(str::to_owned));
    let mut terminal = Terminal::start("/bin/sh", &arguments, (160, 40));
    let words = "killed by SIGKILL (out of memory";
    terminal
        .see(&["0S 1S"])
        .send("c")
        .until(words, |text| text.lines().any(|row| row.contains("K 1  ") && row.contains(words)));
    terminal.send("qk");
    terminal.exit_status();
}

//! Functions that gave their frames up are in the stack all the same, as gdb has them.

use crate::beside_gdb::Beside;
use crate::driver::{build, line_of};

const SOURCE: &str = include_str!("../programs/tailing.c");

#[test]
fn frames_that_were_given_up_are_those_gdb_finds() {
    for level in ["-O1", "-O2", "-O3"] {
        for version in ["-gdwarf-4", "-gdwarf-5"] {
            let program = build(SOURCE, &[version, level]);
            let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(SOURCE, "/* stop */")));
            beside.stack();
            let frames = if level == "-O1" { 5 } else { 4 };
            for frame in 0..frames {
                beside.select_frame(frame);
                beside.print(&["n", "sink"]);
            }
            beside.go_on();
            beside.stack();
            beside.judge();
        }
    }
}

//! Frames of libraries are one line in the text of stacks, and all in JSON.

use crate::support::batch::{Place, json};
use crate::support::build::build;
use crate::support::marks::line;

#[test]
fn a_stack_leads_from_the_users_code_into_one_line_for_the_library() {
    let program = build("gcc", "library_calls.c", &["-g", "-O0", "-pthread"]);
    let program = program.to_str().unwrap();
    let frames = json(&["-n", "2"], &[program], "go\nwait\nwhere\n").of("stack").pop().unwrap()["frames"].clone();
    let frames = frames.as_array().unwrap();
    let inside = frames.len() - 2;
    assert!(inside > 1, "raise is several frames of the C library: {frames:#?}");

    let script = "go\nwait\nwhere\nwhere -all\nwhere -merge\nwhere 1\n";
    let outcome = Place::new().run(&["run", "-n", "2", "--batch", "-", program], script).expect(0);
    let stacks: Vec<&str> = outcome.text.lines().skip_while(|line| !line.contains("#")).collect();
    let (folded, rest) = stacks.split_at(3);
    assert!(folded[0].starts_with(&format!("[0-1] #{:<2} raise", inside - 1)), "{stacks:#?}");
    assert!(folded[0].ends_with(&format!(" … {inside} frames")), "{stacks:#?}");
    let complain = format!(" at library_calls.c:{}", line("library_calls.c", "raises"));
    assert!(folded[1].ends_with(&complain) && folded[2].contains(" main ("), "{stacks:#?}");
    let (all, rest) = rest.split_at(frames.len());
    assert!(all[0].starts_with("[0-1] #0 ") && all[inside].ends_with(&complain), "{stacks:#?}");
    assert!(rest[0].starts_with("[0-1] main") && rest[1].ends_with(&complain), "{stacks:#?}");
    assert!(rest[2].contains("raise") && rest[2].ends_with(&format!(" … {inside} frames")), "{stacks:#?}");
    assert!(rest[3].starts_with("[0-1] #0 ") && rest.len() == 5, "{stacks:#?}");
    assert_eq!(rest[4], "[0-1] (More stack frames follow...)");
}

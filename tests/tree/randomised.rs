//! With address randomisation on, equal ranks have equal stacks though every address differs.

use serde_json::Value;
use std::collections::BTreeSet;

fn session(options: &[&str]) -> Vec<Value> {
    let program = crate::support::build::plain("deep.c");
    let options = [&["-n", "4"], options].concat();
    let script = "break bottom\ngo\nwait\nwhere\nprint $pc\n";
    crate::support::batch::json(&options, &[program.to_str().unwrap()], script).expect(0).objects()
}

fn of<'a>(objects: &'a [Value], kind: &str) -> Vec<&'a Value> {
    objects.iter().filter(|object| object["type"] == kind).collect()
}

#[test]
fn stacks_merge_by_module_and_offset() {
    let objects = session(&["--randomise"]);
    let counters: BTreeSet<&str> = of(&objects, "value").iter().filter_map(|o| o["value"].as_str()).collect();
    assert!(counters.len() > 1, "nothing was randomised: {counters:?}");
    let stacks = of(&objects, "stack");
    assert_eq!(stacks.len(), 1, "{stacks:?}");
    assert_eq!(stacks[0]["ranks"], "0-3");
    let frames = stacks[0]["frames"].as_array().unwrap();
    assert!(frames.len() > 1);
    for frame in frames {
        assert_eq!(frame.get("address"), None, "an address of one rank is not that of all");
        assert!(frame["offset"].as_str().unwrap().starts_with("0x"));
    }
    let stops = of(&objects, "stopped");
    assert!(stops.iter().all(|stop| stop["ranks"] == "0-3"), "{stops:?}");
}

#[test]
fn without_it_addresses_are_equal_and_shown() {
    let objects = session(&[]);
    assert_eq!(of(&objects, "value").len(), 1);
    let stacks = of(&objects, "stack");
    assert!(stacks[0]["frames"][0]["address"].as_str().unwrap().starts_with("0x"));
}

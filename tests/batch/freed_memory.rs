//! Stops at a pointer to memory that was freed say so, where the heap proves it.

use crate::support::batch::json;
use crate::support::build::build;
use serde_json::{Value, json};
use std::path::Path;

/// Returns the cause of a stop of rank 1, which must be the same under both engines.
#[track_caller]
fn cause(program: &Path, how: &str) -> Value {
    let under = |engine| {
        let options = ["--engine", engine, "-n", "2"];
        let outcome = json(&options, &[program.to_str().unwrap(), how], "go\nwait stopped\nstatus\n");
        let stop = outcome.of("stopped").into_iter().find(|stop| stop["reason"] == "signal");
        stop.unwrap_or_else(|| panic!("{how}: {}{}", outcome.text, outcome.errors))["cause"].clone()
    };
    let native = under("native");
    assert_eq!(under("gdb"), native, "{how}: gdb and native");
    native
}

#[track_caller]
fn check(how: &str, kind: &str, text: &str) {
    let program = build("gcc", "freed.c", &["-g", "-O0", "-w", "-pthread"]);
    assert_eq!(cause(&program, how), json!({"kind": kind, "text": text}), "{how}");
}

#[test]
fn a_pointer_to_a_block_that_its_thread_has_freed_is_named() {
    let text = "node points to freed memory: node->next is glibc's link between free blocks";
    check("next", "freed_pointer", text);
    check("thread", "freed_pointer", text);
    check("marked", "freed_pointer", "one points to freed memory: one->next is glibc's mark of a free block");
    check("written", "freed_pointer", "node points to freed memory: node->next is a wild pointer");
}

#[test]
fn a_pointer_to_a_block_in_another_list_of_free_blocks_is_named() {
    let text = "last points to freed memory: last->next is glibc's link between free blocks";
    check("many", "freed_pointer", text);
    check("large", "freed_pointer", "block points to freed memory: block->next is a wild pointer");
}

#[test]
fn a_pointer_that_was_read_from_freed_memory_is_named() {
    let text = "node was read from freed memory: it is glibc's link between free blocks";
    check("walk", "freed_pointer", text);
}

#[test]
fn a_wild_pointer_in_memory_that_is_in_use_is_not_blamed_on_a_free() {
    check("again", "wild_pointer", "node->next is a wild pointer: nothing is mapped at its address");
    check("in-use", "wild_pointer", "node->next is a wild pointer: its value cannot be an address");
}

#[test]
fn a_call_of_a_member_of_a_deleted_object_is_named() {
    let program = build("g++", "deleted.cpp", &["-g", "-O0", "-w"]);
    let text = "shape points to freed memory: the pointer read from it is glibc's link between free blocks";
    assert_eq!(cause(&program, "call"), json!({"kind": "freed_pointer", "text": text}));
}

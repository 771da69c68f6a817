//! The contract of [`rankscope::engine::Engine`], checked on every engine with one program and the same tests; then the
//! specifics of each engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod session;

/// Turns each function into a test per engine that debugs processes.
macro_rules! of_processes {
    ($($name:ident),+ $(,)?) => {
        mod native {
            $(#[test]
            fn $name() {
                super::$name(crate::session::Kind::Native);
            })+
        }
        mod gdb {
            $(#[test]
            fn $name() {
                super::$name(crate::session::Kind::Gdb);
            })+
        }
    };
}

/// Turns each function into a test per engine.
macro_rules! contract {
    ($($name:ident),+ $(,)?) => {
        mod fake {
            $(#[test]
            fn $name() {
                super::$name(crate::session::Kind::Fake);
            })+
        }
        of_processes!($($name),+);
    };
}

mod attaching;
mod breakpoints;
mod condition_names;
mod damaged_core_files;
mod eight;
mod eight_ways;
mod ending;
mod examined;
mod fake;
mod first_stop;
mod following;
mod gdb_faults;
mod gdb_points;
mod gdb_printers;
mod gdb_threads;
mod gdb_tracing;
mod handed_signals;
mod handover;
mod hardware;
mod inspecting;
mod instructions;
mod interrupted_threads;
mod launching;
mod left_early;
mod libraries;
mod locking;
mod many;
mod many_threads;
mod moved;
mod native_stacks;
mod native_threads;
mod nonlocal;
mod odd_stacks;
mod pages;
mod parted;
mod places;
mod real_values;
mod sampling;
mod sandboxed;
mod signals;
mod stepping;
mod user_frames;

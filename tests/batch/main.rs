//! Scripts on the real binaries: their output and exit status, and gdb's output for the same commands.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod array_numbers;
mod as_gdb_runs;
mod as_gdb_shows;
mod bad_input;
mod barriers;
mod batch;
mod causes;
mod causes_of_ranks;
mod class_objects;
mod convenience;
mod core_files;
mod core_jobs;
mod counts;
mod demo;
mod displays;
mod eigen;
mod finding;
mod float_traps;
mod folded;
mod frame_arguments;
mod freed_memory;
mod function_names;
mod gdb_data;
mod gdb_events;
mod gdb_habits;
mod gdb_lines;
mod gdb_scripts;
mod gdb_tools;
mod gdb_without_locks;
mod moved_sources;
mod out_of_memory;
mod parsed_once;
mod print_settings;
mod printers;
mod program_start;
mod python_client;
mod queues;
mod rank_sets;
mod report;
mod report_page;
mod reported_errors;
mod saved_breakpoints;
mod saved_data;
mod saved_structs;
mod scripts;
mod skips;
mod standard_input;
mod started_again;
mod string_methods;
mod system_calls;
mod triage;
mod user_code;

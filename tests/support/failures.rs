//! A failure of each kind: the program, and what its stop says.

use super::build::build;
use std::path::PathBuf;

/// A program that fails, on the ranks above 0 or, if the variable [`EVERY_RANK`] is set, on all.
pub struct Failure {
    compiler: &'static str,
    file: &'static str,
    options: &'static [&'static str],
    /// The argument that chooses the failure.
    pub how: &'static str,
    /// The kind of the cause in JSON.
    pub kind: &'static str,
    /// The reason of the stop and the words of its cause, in text.
    pub reason: &'static str,
    pub words: &'static str,
}

pub const EVERY_RANK: &str = "EVERY_RANK";

const C: &[&str] = &["-g", "-O0", "-fstack-protector-all", "-w", "-pthread", "-lm"];

const fn in_c(how: &'static str, kind: &'static str, reason: &'static str, words: &'static str) -> Failure {
    Failure { compiler: "gcc", file: "failing.c", options: C, how, kind, reason, words }
}

/// All kinds but those that need an MPI or a limit of memory.
pub const FAILURES: [Failure; 14] = [
    in_c("assert", "assert", "SIGABRT", r#"assertion "n > 0 && "not empty"" failed, failing.c:"#),
    in_c("free", "abort", "SIGABRT", "free(): invalid pointer"),
    in_c("recursion", "stack_overflow", "SIGSEGV", "stack overflow: descend calls itself, the stack of 1 MiB is full"),
    in_c("null", "null_pointer", "SIGSEGV", "address 0x10 is not mapped: row is a null pointer"),
    in_c("wild", "wild_pointer", "SIGSEGV", "row is a wild pointer: its value cannot be an address"),
    in_c("element", "wild_pointer", "SIGSEGV", "data[i] is outside of the program's memory: i = 400000002"),
    in_c("divide", "fpe", "SIGFPE", "integer division by zero"),
    Failure {
        compiler: "gcc",
        file: "freed.c",
        options: &["-g", "-O0", "-w", "-pthread"],
        how: "next",
        kind: "freed_pointer",
        reason: "SIGSEGV",
        words: "node points to freed memory: node->next is glibc's link between free blocks",
    },
    Failure {
        compiler: "g++",
        file: "uncaught.cpp",
        options: &["-g", "-O0", "-pthread"],
        how: "logic",
        kind: "exception",
        reason: "SIGABRT",
        words: "uncaught std::out_of_range: index 9, uncaught.cpp:",
    },
    Failure {
        compiler: "g++",
        file: "uncaught.cpp",
        options: &["-g", "-O0", "-pthread"],
        how: "destructor",
        kind: "exception",
        reason: "SIGABRT",
        words: "mesh::Broken left a noexcept function: in a destructor",
    },
    Failure {
        compiler: "gfortran",
        file: "stops.f90",
        options: &["-g", "-O0", "-fcheck=all"],
        how: "bounds",
        kind: "fortran",
        reason: "error",
        words: "Index '7' of dimension 1 of array 'a' above upper bound of 3, stops.f90:",
    },
    Failure {
        compiler: "gcc",
        file: "sanitized.c",
        options: &["-g", "-O0", "-pthread", "-fsanitize=address"],
        how: "overflow",
        kind: "sanitizer",
        reason: "error",
        words: "AddressSanitizer: heap-buffer-overflow in put, sanitized.c:",
    },
    Failure {
        compiler: "gcc",
        file: "sanitized.c",
        options: &["-g", "-O0", "-pthread", "-fsanitize=undefined", "-fno-sanitize-recover=all"],
        how: "index",
        kind: "sanitizer",
        reason: "error",
        words: "UndefinedBehaviorSanitizer: index 7 out of bounds for type 'int [4]', sanitized.c:",
    },
    Failure {
        compiler: "gcc",
        file: "sanitized.c",
        options: &["-g", "-O0", "-pthread", "-fsanitize=thread"],
        how: "race",
        kind: "sanitizer",
        reason: "error",
        words: "ThreadSanitizer: data race in count, sanitized.c:",
    },
];

impl Failure {
    /// Compiles the program.
    pub fn program(&self) -> PathBuf {
        build(self.compiler, self.file, self.options)
    }
}

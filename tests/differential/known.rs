//! Differences that have a reason which is not a fault of ours. They are counted apart, not as equal.

use crate::tally::{Difference, GIVES_UP};
use crate::walk::AT_ENTRY;

/// A reason and how its differences are recognised.
struct Reason {
    why: &'static str,
    holds: fn(&Difference) -> bool,
}

const REASONS: &[Reason] = &[
    Reason { why: "gdb gives up on the list for one variable in it", holds: |d| d.gdb == GIVES_UP },
    Reason {
        why: "gdb has no value, we find what the caller passed (it stops at main and at calls of inlined functions)",
        holds: |d| d.gdb.contains("optimized out") && !d.ours.contains("optimized out") && !d.ours.contains("error:"),
    },
    Reason {
        why: "gdb takes an empty range at the entry of a function for the place of a variable",
        holds: |d| {
            let none = d.ours.contains("optimized out") && !d.gdb.contains("optimized out");
            let other = d.place.starts_with("walk.c") && d.question.contains(" result");
            (none || other) && d.place.ends_with(AT_ENTRY) && d.question.starts_with("#0 ")
        },
    },
    Reason {
        why: "gdb's printers of the library know std::string by one of its descriptions only, others are spelled out",
        holds: |d| d.ours.ends_with("std::string") && d.gdb.contains(&format!("class {STRING} [with ")),
    },
    Reason {
        why: "gdb's printers of the library fail where the compiler has left out the class of a member",
        holds: |d| {
            let nothing = d.gdb.is_empty() || d.gdb.starts_with('$') && d.gdb.ends_with(" =");
            nothing && d.ours.contains("_M_dataplus = <incomplete type>")
        },
    },
    Reason {
        why: "gdb reads a virtual base class of what is behind a reference from beyond it",
        holds: |d| {
            d.gdb.contains("_vptr$basic_istream")
                && d.ours.len() > 100
                && without_words(&d.ours) == without_words(&d.gdb)
        },
    },
    Reason {
        why: "gdb cannot read a name of C++ that it lists itself",
        holds: |d| {
            let unread = d.gdb.starts_with("error: A syntax error") && !d.ours.contains('<');
            d.question.contains("::")
                && (unread || d.question.contains("(char)") && d.gdb.starts_with("error: No type"))
        },
    },
    Reason {
        why: "gdb adds that the variable has no value yet, as its compiler has noted",
        holds: |d| d.gdb.trim_start().strip_prefix("[uninitialized] ") == Some(&d.ours),
    },
    Reason {
        why: "gdb's printers take a class within a container for the container",
        holds: |d| d.gdb.contains("std::map<> ") || d.gdb.contains("std::multimap<> "),
    },
    Reason {
        why: "gdb does no arithmetic with what refers to a pointer by a typedef",
        holds: |d| {
            d.question.ends_with(" + 1") && d.gdb.contains("not a number or boolean") && d.ours.contains(" *) 0x")
        },
    },
    Reason {
        why: "gdb leaves out the padding behind the last member where a member has variants",
        holds: |d| {
            let padded = |gdb: u64| [2, 4, 8].iter().any(|unit| d.ours.parse() == Ok(gdb.next_multiple_of(*unit)));
            d.place.contains("rustc") && d.question.contains(" sizeof(") && d.gdb.parse().is_ok_and(padded)
        },
    },
    // It says so itself; the program comes to the same numbers as we do.
    Reason {
        why: "gdb has no conversions of integers of 128 bits",
        holds: |d| {
            d.question.contains(" as ")
                && d.gdb == "error: That operation is not available on integers of more than 8 bytes."
        },
    },
    // The location has pieces for some bytes only (`DW_OP_piece 8` of 24), and no implicit pointer: rustc makes none.
    Reason {
        why: "gdb takes what no piece of a location describes for implicit pointers",
        holds: |d| is_rust(d) && d.gdb.replace("<synthetic pointer>", "<optimized out>") == d.ours,
    },
    // `info address` says that it is constant (`DW_AT_const_value`); which alternative it is gdb looks up at address 0.
    Reason {
        why: "gdb looks for the alternative of a constant in memory",
        holds: |d| {
            let nowhere = d.gdb.starts_with("error: Cannot access memory at address 0x0")
                || d.gdb.ends_with("(Cannot access memory at address 0x0)>");
            let known = d.ours.starts_with("core::option::Option<") || d.question.contains(" sizeof(");
            is_rust(d) && nowhere && known
        },
    },
    // Its first character, which is there, is another one.
    Reason {
        why: "gdb shows a NUL for a text whose length is optimised out",
        holds: |d| {
            is_fortran(d) && d.gdb == r"'\000'" && d.ours == "<error reading variable: failed to get range bounds>"
        },
    },
    Reason {
        why: "gdb finds a Fortran module only from code that uses it",
        holds: |d| is_fortran(d) && d.gdb.contains("No symbol \""),
    },
    Reason {
        why: "bounds that are not set yet, which gdb believes",
        holds: |d| is_fortran(d) && d.gdb.contains("more than max-value-size"),
    },
    Reason {
        why: "the elements were optimised out, gdb does not look at the bounds then",
        holds: |d| d.place.starts_with("values.c") && d.question.contains("vector"),
    },
];

const STRING: &str = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";

/// With one spelling of `std::string`: gdb has the short one where its printers of the library meet the one description of
/// it that they know, of as many as there are files.
pub fn with_short_strings(text: &str) -> String {
    text.replace(STRING, "std::string").replace("std::string >", "std::string>")
}

/// The names of members without their values.
fn without_words(text: &str) -> Vec<&str> {
    text.split(['{', ',', '}']).map(|part| part.split(" = ").next().unwrap_or_default()).collect()
}

fn is_fortran(difference: &Difference) -> bool {
    [".f90", ".f ", "gfortran", "mpif90"].iter().any(|word| difference.place.contains(word))
}

fn is_rust(difference: &Difference) -> bool {
    difference.place.contains("rustc")
}

/// Why a difference is none of ours.
pub fn reason(difference: &Difference) -> Option<&'static str> {
    REASONS.iter().find(|reason| (reason.holds)(difference)).map(|reason| reason.why)
}

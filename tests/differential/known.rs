//! Differences that have a reason which is not a fault of ours. They are counted apart, not as equal.

use crate::tally::Difference;
use crate::walk::AT_ENTRY;

/// A reason and how its differences are recognised.
struct Reason {
    why: &'static str,
    holds: fn(&Difference) -> bool,
}

const REASONS: &[Reason] = &[
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
        why: "of a class gdb spells out methods and access, too",
        holds: |d| d.gdb.contains(" {\n") && (d.gdb.contains(");\n") || d.gdb.contains(" [with ")),
    },
    Reason {
        why: "gdb's printers of the library know std::string by one of its descriptions only",
        holds: |d| d.gdb.contains(STRING) && spelled_out(&d.ours) == spelled_out(&d.gdb),
    },
    Reason {
        why: "gdb cannot read a name of C++ that it lists itself",
        holds: |d| d.question.contains("::") && d.gdb.starts_with("error: A syntax error") && !d.ours.contains('<'),
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

/// Without what `std::string` and blanks make different.
fn spelled_out(text: &str) -> String {
    text.replace(STRING, "std::string").replace(' ', "")
}

fn is_fortran(difference: &Difference) -> bool {
    [".f90", ".f ", "gfortran"].iter().any(|word| difference.place.contains(word))
}

/// Why a difference is none of ours.
pub fn reason(difference: &Difference) -> Option<&'static str> {
    REASONS.iter().find(|reason| (reason.holds)(difference)).map(|reason| reason.why)
}

//! Differences with a reason that is no fault of ours. They are counted apart, not as equal.

use crate::tally::{Difference, GIVES_UP};
use crate::walk::AT_ENTRY;

/// A reason and the test that recognises its differences.
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
        why: "gdb keeps 32 bits of the length of a string, and shows none where they are negative",
        holds: |d| d.gdb.contains("\"\"") && without_faults(&d.ours) == d.gdb,
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
    // Each file that uses `std::string` describes its members. The linker keeps the code of the first file, and `maint
    // info symtabs` shows that gdb attributes it to the file it has read last. With clang, four files place the
    // constructor in json_reader.cpp; gdb's block for it is in json_writer.cpp.
    Reason {
        why: "gdb shows a class as another file describes it than the one whose code the linker kept",
        holds: |d| {
            let heading = format!("class {STRING} [with _CharT = char");
            let whole = |text: &str| text.replace("class std::string ", &format!("class {STRING} "));
            d.place.starts_with("jsoncpp ") && [&d.ours, &d.gdb].iter().all(|text| whole(text).starts_with(&heading))
        },
    },
    // The debug information has the members below a function of which only instances have code (as clang writes it);
    // gdb descends only into functions with code, and computes the size of the class without a member.
    Reason {
        why: "gdb does not read the members of a class that is declared in a function which is only inlined",
        holds: |d| {
            let heading = d.gdb.split_once("    <no data fields>\n").map(|(heading, _)| heading);
            let spelled = heading.is_some_and(|heading| heading.ends_with("{\n") && d.ours.starts_with(heading));
            d.place.contains("clang++") && (spelled || d.gdb == "{<No data fields>}" && d.ours.starts_with('{'))
        },
    },
    // check_pieced_synthetic_pointer finds no piece after the last one, and so no piece that is not such a pointer.
    Reason {
        why: "gdb calls what is behind the last piece of a value a synthetic pointer",
        holds: |d| {
            d.gdb.contains("<synthetic pointer>")
                && d.ours.contains("<optimized out>")
                && d.gdb.replace("<synthetic pointer>", "<optimized out>") == d.ours
        },
    },
    // `end` of copy_str, inlined into copy_str_noinline, is that function's %rsi at entry. gdb takes what *this* frame
    // passes on instead, and shows the right value one frame further out, where it is named end@entry.
    Reason {
        why: "gdb takes what an inlined function was entered with from the call that its frame makes",
        holds: |d| {
            let question = d.question.trim_start_matches("#1 ").trim_start_matches('*');
            d.place.starts_with("fmt g++ -g -O2 fmt::v9::detail::buffer<char>::append<char>") && question == "end"
        },
    },
    // The debug information has `unsigned __int128`, which gdb's C++ parser takes for `unsigned int` and another word.
    Reason {
        why: "gdb puts a word into the name of a type that its parser does not know",
        holds: |d| d.ours != d.gdb && d.gdb.replace("unsigned int __int128", "unsigned __int128") == d.ours,
    },
    // The underlying type of `enum class E { a, b }` is `int` according to the debug information (DW_AT_type of the
    // enumeration); gdb 13 looks at the enumerators alone (process_enumeration_scope).
    Reason {
        why: "gdb takes an enumeration without negative enumerators for unsigned, whatever is beneath it",
        holds: |d| d.ours != d.gdb && in_thirty_two_bits(&d.ours) == d.gdb && d.question.contains("arg"),
    },
    // val_print_string takes an int: the length of a std::string that is not constructed yet is arbitrary; gdb drops
    // its upper half, and the rest may be negative.
    Reason {
        why: "gdb keeps the length of a text in 32 bits and shows one that does not fit as empty",
        holds: |d| d.gdb == "\"\"" && d.ours.starts_with('"') && d.ours.ends_with("..."),
    },
    Reason {
        why: "gdb leaves out the padding behind the last member where a member has variants",
        holds: |d| {
            let padded = |gdb: u64| [2, 4, 8].iter().any(|unit| d.ours.parse() == Ok(gdb.next_multiple_of(*unit)));
            d.place.contains("rustc") && d.question.contains(" sizeof(") && d.gdb.parse().is_ok_and(padded)
        },
    },
    // gdb reports this itself; the program computes the same numbers as we do.
    Reason {
        why: "gdb has no conversions of integers of 128 bits",
        holds: |d| {
            d.question.contains(" as ")
                && d.gdb == "error: That operation is not available on integers of more than 8 bytes."
        },
    },
    // In Rust these are the library's `PartialEq`, which gdb does not call.
    Reason {
        why: "gdb compares no texts",
        holds: |d| {
            d.question.contains(" == ")
                && is_rust(d)
                && d.gdb == "error: Structure has no component named operator==."
                && ["true", "false"].contains(&d.ours.as_str())
        },
    },
    // The location has pieces for some bytes only (`DW_OP_piece 8` of 24), and no implicit pointer: rustc writes none.
    Reason {
        why: "gdb takes what no piece of a location describes for implicit pointers",
        holds: |d| {
            let nothing = d.ours == "<optimized out>" && d.gdb.ends_with("(<synthetic pointer>)");
            is_rust(d) && (nothing || d.gdb.replace("<synthetic pointer>", "<optimized out>") == d.ours)
        },
    },
    // `info address` calls it constant (`DW_AT_const_value`); gdb reads the discriminant at address 0.
    Reason {
        why: "gdb looks for the alternative of a constant in memory",
        holds: |d| {
            let nowhere = d.gdb.starts_with("error: Cannot access memory at address 0x0")
                || d.gdb.ends_with("(Cannot access memory at address 0x0)>");
            let known = d.ours.starts_with("core::option::Option<") || d.question.contains(" sizeof(");
            is_rust(d) && nowhere && known
        },
    },
    // The first character, which is present, is a different one.
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
        holds: |d| is_fortran(d) && equal_but_for_what_is_too_long(d),
    },
    Reason {
        why: "the elements were optimised out, gdb does not look at the bounds then",
        holds: |d| d.place.starts_with("values.c") && d.question.contains("vector"),
    },
];

const STRING: &str = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";

/// Replaces the spellings of `std::string` by one: gdb has the short one if its library printers meet the one
/// description of it that they know, of one per file.
pub fn with_short_strings(text: &str) -> String {
    text.replace(STRING, "std::string").replace("std::string >", "std::string>")
}

/// The text with negative numbers of a type written as unsigned 32-bit numbers.
fn in_thirty_two_bits(text: &str) -> String {
    let (before, type_) = text.rsplit_once("type_ = ").unwrap_or(("", text));
    let end = type_.find(|c: char| !(c == '-' || c.is_ascii_digit())).unwrap_or(type_.len());
    let (number, rest) = type_.split_at(end);
    let Ok(number) = number.parse::<i32>() else { return text.to_owned() };
    let name = if before.is_empty() { "" } else { "type_ = " };
    format!("{before}{name}{}{rest}", number as u32)
}

/// The member names without their values.
/// Puts an empty string in the place of each that cannot be read.
fn without_faults(text: &str) -> String {
    let mut parts = text.split("<error: Cannot access memory at address ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |sum, part| sum + "\"\"" + part.split_once('>').map_or("", |(_, rest)| rest))
}

fn without_words(text: &str) -> Vec<&str> {
    text.split(['{', ',', '}']).map(|part| part.split(" = ").next().unwrap_or_default()).collect()
}

/// True if gdb refuses a value, or some of its components, for its length, and all others are equal.
fn equal_but_for_what_is_too_long(difference: &Difference) -> bool {
    const END: &str = "which is more than max-value-size";
    let Difference { ours, gdb, .. } = difference;
    if !gdb.contains(END) || gdb.starts_with("error: ") || gdb.starts_with("<error reading variable ") {
        return gdb.contains(END);
    }
    let mut parts = gdb.split("<error reading variable: value requires ");
    let Some(mut left) = parts.next().and_then(|first| ours.strip_prefix(first)) else { return false };
    for part in parts {
        let Some((_, equal)) = part.split_once(&format!("{END}>")) else { return false };
        let Some(at) = left.find(equal) else { return false };
        left = left.get(at + equal.len()..).unwrap_or_default();
    }
    left.is_empty()
}

fn is_fortran(difference: &Difference) -> bool {
    [".f90", ".f ", "gfortran", "mpif90"].iter().any(|word| difference.place.contains(word))
}

fn is_rust(difference: &Difference) -> bool {
    difference.place.contains("rustc")
}

/// The reason why a difference is not our fault.
pub fn reason(difference: &Difference) -> Option<&'static str> {
    REASONS.iter().find(|reason| (reason.holds)(difference)).map(|reason| reason.why)
}

#[test]
fn what_is_too_long_explains_no_other_component() {
    let difference = |ours: &str, gdb: &str| Difference {
        place: "a.f90".into(),
        question: String::new(),
        ours: ours.into(),
        gdb: gdb.into(),
    };
    let long = "<error reading variable: value requires 9 bytes, which is more than max-value-size>";
    let gdb = format!("( a = 1, b = {long}, c = 2, d = {long} )");
    assert!(equal_but_for_what_is_too_long(&difference("( a = 1, b = (), c = 2, d = (3) )", &gdb)));
    assert!(!equal_but_for_what_is_too_long(&difference("( a = 1, b = (), c = 3, d = (3) )", &gdb)));
    assert!(!equal_but_for_what_is_too_long(&difference("( a = 0, b = (), c = 2, d = (3) )", &gdb)));
    assert!(!equal_but_for_what_is_too_long(&difference("1", "2")));
}

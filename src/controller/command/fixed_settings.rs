//! Settings of gdb that have one value here: scripts that set this value go on, and any other is refused.

/// A setting of gdb that cannot be changed here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FixedSetting {
    /// gdb's words after `set`.
    pub(super) name: &'static str,
    /// What `show` shows.
    pub(super) value: &'static str,
    /// Other spellings of the value.
    others: &'static [&'static str],
    /// What rankscope does, and how to get something else.
    pub(super) words: &'static str,
}

const fn fixed(name: &'static str, value: &'static str, words: &'static str) -> FixedSetting {
    FixedSetting { name, value, others: &[], words }
}

const fn spelled(
    name: &'static str,
    value: &'static str,
    others: &'static [&'static str],
    words: &'static str,
) -> FixedSetting {
    FixedSetting { name, value, others, words }
}

const UNPAGED: &str = "output is never paged or truncated";
const TOGETHER: &str =
    "all threads of a rank stop together; \"hold\" holds ranks, \"set scheduler-locking on\" holds threads";
const QUIET: &str = "only stops and ends of ranks are reported; \"threads\" and \"libraries\" list the others";
const UNDONE: &str = "a function that gets a signal is always undone, and the expression fails";
const RADIX: &str = "\"print/x EXPRESSION\" shows a value in hexadecimal, and 0x10 is always 16";

/// In the order of gdb's manual.
const FIXED: &[FixedSetting] = &[
    fixed("startup-with-shell", "off", "the program is started without a shell: a script can expand and redirect"),
    fixed("detach-on-fork", "on", "\"set follow-fork-mode both\" keeps both processes"),
    fixed("follow-exec-mode", "same", "an exec is followed in the same rank"),
    fixed("schedule-multiple", "off", TOGETHER),
    fixed("non-stop", "off", TOGETHER),
    fixed("step-mode", "off", "a step passes over functions without lines; \"stepi\" goes into them"),
    fixed("stop-on-solib-events", "0", "\"catch load\" stops when a library is loaded"),
    spelled("breakpoint pending", "auto", &["on"], "a location that does not exist yet is pending"),
    fixed(
        "can-use-hw-watchpoints",
        "1",
        "where the processor cannot watch, rankscope steps; \"info watchpoints\" says which",
    ),
    fixed("unwind-on-signal", "on", UNDONE),
    fixed("unwindonsignal", "on", UNDONE),
    spelled("language", "auto", &["local"], "expressions use the language of the frame"),
    fixed("multiple-symbols", "all", "a name means all functions that have it"),
    fixed("max-value-size", "unlimited", "\"set print-elements N\" limits what is printed of a value"),
    fixed("backtrace past-main", "off", "stacks end with main"),
    fixed("backtrace past-entry", "off", "stacks end with main"),
    fixed("print demangle", "on", "names are shown demangled"),
    fixed("print asm-demangle", "on", "names are shown demangled"),
    fixed("print sevenbit-strings", "off", "bytes that are no characters are shown as octal numbers"),
    fixed("print vtbl", "off", "\"info vtbl OBJECT\" shows the tables"),
    fixed("print symbol-filename", "off", "\"symbol ADDRESS\" and \"info line\" name the place of an address"),
    fixed("print thread-events", "off", QUIET),
    fixed("print inferior-events", "off", QUIET),
    fixed("print symbol-loading", "off", QUIET),
    fixed("print finish", "on", "\"finish\" shows the value that the function returns"),
    fixed("pagination", "off", UNPAGED),
    spelled("height", "unlimited", &["0"], UNPAGED),
    spelled("width", "unlimited", &["0"], UNPAGED),
    fixed("history save", "on", "the full screen saves its history"),
    fixed("disassemble-next-line", "off", "\"on stop x/i $pc\" shows the next instruction at each stop"),
    fixed("style enabled", "off", "choose a theme: rankscope --theme NAME"),
    fixed("verbose", "off", "rankscope --log FILE writes what it does"),
    fixed("trace-commands", "off", "--json names the command of each answer"),
    fixed("debuginfod enabled", "off", "rankscope downloads nothing"),
    fixed("input-radix", "10", RADIX),
    fixed("output-radix", "10", RADIX),
    fixed("radix", "10", RADIX),
];

/// Returns gdb's words after `set`.
pub(super) fn fixed_names() -> impl Iterator<Item = &'static str> {
    FIXED.iter().map(|setting| setting.name)
}

/// Finds the setting that the words after `set` name, and the value after them.
pub(super) fn find_fixed(text: &str) -> Option<(&'static FixedSetting, &str)> {
    FIXED.iter().find_map(|setting| {
        let mut rest = text.trim();
        for word in setting.name.split(' ') {
            let after = rest.strip_prefix(word)?;
            if !after.is_empty() && !after.starts_with(char::is_whitespace) {
                return None;
            }
            rest = after.trim_start();
        }
        Some((setting, rest))
    })
}

impl FixedSetting {
    /// True if a value is what rankscope does; none is gdb's `on`.
    pub(super) fn accepts(&self, value: &str) -> bool {
        let value = if value.is_empty() { "on" } else { value };
        value == self.value || self.others.contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_that_is_fixed_is_accepted() {
        let accepts = |text: &str| find_fixed(text).map(|(setting, value)| setting.accepts(value));
        for text in
            ["pagination off", "width  0", "breakpoint pending on", "history save", "print demangle", "language auto"]
        {
            assert_eq!(accepts(text), Some(true), "{text}");
        }
        for text in ["pagination", "pagination on", "width 80", "print vtbl", "history save off", "language c"] {
            assert_eq!(accepts(text), Some(false), "{text}");
        }
        for text in ["paginations off", "history size 3", "breakpoint", "print", ""] {
            assert_eq!(accepts(text), None, "{text}");
        }
    }

    #[test]
    fn no_setting_is_there_twice() {
        let names: std::collections::BTreeSet<&str> = fixed_names().collect();
        assert_eq!(names.len(), FIXED.len());
        assert!(fixed_names().all(|name| crate::command::variable_table::find(name).is_none()));
    }
}

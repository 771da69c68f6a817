//! gdb's console output before a stop, the only source of some reasons.

/// Console output since the program was last resumed.
#[derive(Debug, Default)]
pub(in crate::gdb) struct StopWords(String);

impl StopWords {
    pub(in crate::gdb) fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    pub(in crate::gdb) fn clear(&mut self) {
        self.0.clear();
    }

    pub(in crate::gdb) fn name_temporary_breakpoint(&self, number: u64) -> bool {
        self.0.contains(&format!("emporary breakpoint {number}, "))
    }

    /// True if gdb has deleted a watchpoint and stopped because an optimised variable lost its value.
    pub(in crate::gdb) fn gave_up_watchpoint(&self, number: u64) -> bool {
        self.0.contains(&format!("atchpoint {number} deleted."))
    }

    /// Parses `Catchpoint 3 (signal SIGUSR1), …`.
    pub(in crate::gdb) fn caught_signal(&self) -> Option<&str> {
        self.0.split("(signal ").nth(1).and_then(|rest| rest.split(')').next())
    }

    /// Returns gdb's error in evaluating a condition.
    pub(in crate::gdb) fn condition_error(&self) -> Option<String> {
        const OUT_OF_SCOPE: &str = "Watchpoint condition cannot be tested in the current scope";
        if self.0.contains(OUT_OF_SCOPE) {
            return Some(OUT_OF_SCOPE.to_owned());
        }
        let (_, words) = self.0.split_once("Error in testing ")?;
        let why = words.lines().nth(1).or_else(|| words.lines().next())?;
        Some(format!("cannot evaluate the condition: {}", why.trim()))
    }

    /// Returns a note for an unexpected stop: a watchpoint, for example, that was set by gdb's own command.
    pub(in crate::gdb) fn note(&self, reason: &str) -> Option<String> {
        let said: Vec<_> = self.0.lines().map(str::trim).filter(|line| !line.is_empty()).take(4).collect();
        match (reason, said.is_empty()) {
            ("", true) => None,
            (_, true) => Some(format!("gdb: {reason}")),
            _ => Some(format!("gdb: {}", said.join("; "))),
        }
    }
}

//! The user's own commands, and the commands that run by themselves.

use crate::command::{Countdown, Occasion, Statement};
use model::{BreakpointId, ProcessSet, Tally};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A command that the user defined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// Its lines.
    pub body: Vec<Statement>,
    /// The text that `help` shows.
    pub page: Vec<Statement>,
}

impl Definition {
    /// Returns the text that `help` shows.
    pub fn help(&self, name: &str) -> String {
        let mut text = format!("{name}, defined by you");
        if self.page.is_empty() {
            text.push_str("; \"document\" describes it");
        }
        let page: String = self.page.iter().map(ToString::to_string).collect();
        let body: String = self.body.iter().map(ToString::to_string).collect();
        let _ = write!(text, "\n{page}");
        for line in body.lines() {
            let _ = writeln!(text, "  {line}");
        }
        text.trim_end().to_owned()
    }
}

/// The scripts of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scripts {
    /// The commands that the user defined.
    pub definitions: BTreeMap<String, Definition>,
    /// The commands of breakpoints.
    pub commands: BTreeMap<BreakpointId, Vec<Statement>>,
    /// The formats of tracepoints that print, in quotes.
    pub formats: BTreeMap<BreakpointId, String>,
    /// The stops that breakpoints have left on each rank.
    pub countdowns: BTreeMap<BreakpointId, (Countdown, Tally)>,
    /// The commands for stops and exits.
    pub occasions: BTreeMap<Occasion, String>,
}

/// The defined command that gdb runs at every stop.
const HOOK_STOP: &str = "hook-stop";

impl Scripts {
    /// Returns the command of an occasion.
    pub fn on(&self, occasion: Occasion) -> Option<&str> {
        let hook = || (occasion == Occasion::Stop && self.definitions.contains_key(HOOK_STOP)).then_some(HOOK_STOP);
        self.occasions.get(&occasion).map(String::as_str).or_else(hook)
    }

    /// True if the stop at a breakpoint is not reported.
    pub fn silences(&self, breakpoint: BreakpointId) -> bool {
        let first = self.commands.get(&breakpoint).and_then(|lines| lines.first());
        first.is_some_and(|first| first.head().text == "silent")
    }

    /// Begins to count the stops at a breakpoint.
    pub fn count_down(&mut self, breakpoint: BreakpointId, ranks: &ProcessSet, countdown: Countdown) {
        let stops = match countdown {
            Countdown::Disable(stops) => stops,
            Countdown::Delete => 1,
        };
        self.countdowns.insert(breakpoint, (countdown, Tally::of(ranks.clone(), stops)));
    }

    /// Counts a stop; returns the ranks that have used up theirs, and true if all ranks have.
    pub fn counted(&mut self, breakpoint: BreakpointId, ranks: &ProcessSet) -> Option<(Countdown, ProcessSet, bool)> {
        let (countdown, left) = self.countdowns.get_mut(&breakpoint)?;
        left.take(ranks, 1);
        let others = left.groups().iter().fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks));
        let (countdown, done, all) = (*countdown, ranks.difference(&others), others.is_empty());
        if all {
            self.countdowns.remove(&breakpoint);
        }
        (!done.is_empty()).then_some((countdown, done, all))
    }

    /// Drops what belongs to breakpoints that are gone.
    pub fn keep_those_of(&mut self, is_there: impl Fn(BreakpointId) -> bool) {
        self.commands.retain(|&id, _| is_there(id));
        self.formats.retain(|&id, _| is_there(id));
        self.countdowns.retain(|&id, _| is_there(id));
    }

    /// Drops what belongs to breakpoints.
    pub fn without_breakpoints(mut self) -> Self {
        self.keep_those_of(|_| false);
        self
    }

    /// Returns the commands that restore definitions and occasions.
    pub fn commands_to_restore(&self) -> String {
        let mut text = String::new();
        for (name, definition) in &self.definitions {
            text.push_str(&block(&format!("define {name}"), &definition.body, true));
            if !definition.page.is_empty() {
                text.push_str(&block(&format!("document {name}"), &definition.page, false));
            }
        }
        for (occasion, command) in &self.occasions {
            let _ = writeln!(text, "on {} {command}", occasion.word());
        }
        text
    }

    /// Returns the lines below a breakpoint in a list: the stops that it has left, its format and its commands.
    pub fn lines_of(&self, breakpoint: BreakpointId) -> String {
        let left = self.countdowns.get(&breakpoint).map(|(countdown, left)| {
            let then = if *countdown == Countdown::Delete { "deleted" } else { "disabled" };
            match left.greatest() {
                1 => format!("  {then} after the next stop\n"),
                stops => format!("  {then} after {stops} stops\n"),
            }
        });
        let format = self.formats.get(&breakpoint).map(|format| format!("  prints {format}\n"));
        let lines: String = self.commands.get(&breakpoint).into_iter().flatten().map(ToString::to_string).collect();
        let lines = lines.lines().map(|line| format!("  {line}\n"));
        left.into_iter().chain(format).chain(lines).collect::<String>().trim_end().to_owned()
    }

    /// Returns the commands that restore the stops that a breakpoint has left, as `enable once` and its like begin them;
    /// an empty text if they are not counted.
    pub fn countdown_of(&self, breakpoint: BreakpointId) -> String {
        let Some((countdown, left)) = self.countdowns.get(&breakpoint) else { return String::new() };
        match countdown {
            Countdown::Delete => "enable delete $bpnum\n".to_owned(),
            Countdown::Disable(_) => match left.greatest() {
                1 => "enable once $bpnum\n".to_owned(),
                stops => format!("enable count {stops} $bpnum\n"),
            },
        }
    }

    /// Returns the command that restores those of a breakpoint that was just set; an empty text if it has none.
    pub fn commands_of(&self, breakpoint: BreakpointId) -> String {
        self.commands.get(&breakpoint).map_or_else(String::new, |lines| block("commands", lines, true))
    }
}

fn block(head: &str, lines: &[Statement], indented: bool) -> String {
    let lines: String = lines.iter().map(ToString::to_string).collect();
    let indent = if indented { "  " } else { "" };
    let lines: String = lines.lines().map(|line| format!("{indent}{line}\n")).collect();
    format!("{head}\n{lines}end\n")
}

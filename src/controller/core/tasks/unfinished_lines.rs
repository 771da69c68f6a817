//! Text that scripts print: lines are reported when they are complete, as `printf` and `echo` may continue one.

use crate::command::CommandId;
use crate::core::by_content::by_content;
use model::ProcessSet;
use std::collections::BTreeMap;

/// A longer line is reported in parts.
const LONGEST: usize = 64 * 1024;

/// The unfinished lines of each script: the debugger's own has no ranks.
#[derive(Debug, Default)]
pub(in crate::core) struct UnfinishedLines(BTreeMap<CommandId, Vec<(ProcessSet, String)>>);

impl UnfinishedLines {
    /// Adds text; returns the lines that are now complete. Text of the debugger continues the lines of all ranks that
    /// have one; text of ranks continues their own lines, and one of the debugger.
    pub(in crate::core) fn print(
        &mut self,
        script: CommandId,
        texts: Vec<(ProcessSet, String)>,
    ) -> Vec<(ProcessSet, String)> {
        let before = self.0.remove(&script).unwrap_or_default();
        let mut lines: Vec<(ProcessSet, String)> = Vec::new();
        let mut rest = before.clone();
        for (ranks, text) in texts {
            if ranks.is_empty() {
                if rest.is_empty() {
                    rest.push((ProcessSet::new(), String::new()));
                }
                lines.extend(rest.drain(..).map(|(of, begun)| (of, begun + &text)));
                continue;
            }
            let mut left = ranks;
            for (of, begun) in &before {
                let those = if of.is_empty() { left.clone() } else { left.intersection(of) };
                if !those.is_empty() {
                    left.remove_all(&those);
                    lines.push((those, begun.clone() + &text));
                }
            }
            if !left.is_empty() {
                lines.push((left, text));
            }
        }
        let taken = lines.iter().fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks));
        let taken_own = !lines.is_empty();
        let kept = rest.into_iter().filter_map(|(ranks, begun)| {
            let those = ranks.difference(&taken);
            (!those.is_empty() || ranks.is_empty() && !taken_own).then_some((those, begun))
        });
        let mut unfinished: Vec<(ProcessSet, String)> = kept.collect();
        let mut finished = Vec::new();
        for (ranks, text) in by_content(lines) {
            let (whole, begun) = match text.rsplit_once('\n') {
                Some((whole, begun)) => (Some(whole), begun),
                None if text.len() > LONGEST => (Some(text.as_str()), ""),
                None => (None, text.as_str()),
            };
            if !begun.is_empty() {
                unfinished.push((ranks.clone(), begun.to_owned()));
            }
            finished.extend(whole.map(|whole| (ranks, whole.to_owned())));
        }
        if !unfinished.is_empty() {
            self.0.insert(script, by_content(unfinished));
        }
        finished
    }

    /// Takes the unfinished lines of a script.
    pub(in crate::core) fn finish(&mut self, script: CommandId) -> Vec<(ProcessSet, String)> {
        self.0.remove(&script).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(lines: &mut UnfinishedLines, texts: &[(&str, &str)]) -> Vec<String> {
        let texts = texts.iter().map(|(ranks, text)| (ProcessSet::parse(ranks).unwrap(), (*text).to_owned()));
        let shown = lines.print(CommandId(1), texts.collect());
        shown.into_iter().map(|(ranks, text)| format!("[{ranks}] {text}")).collect()
    }

    #[test]
    fn a_line_is_reported_when_it_is_complete() {
        let mut lines = UnfinishedLines::default();
        assert!(printed(&mut lines, &[("", "n = ")]).is_empty());
        assert!(printed(&mut lines, &[("0-2", "1"), ("3", "2")]).is_empty());
        assert!(printed(&mut lines, &[("0", ","), ("1-3", ";")]).is_empty());
        assert_eq!(printed(&mut lines, &[("", "\nnext ")]), ["[0] n = 1,", "[1-2] n = 1;", "[3] n = 2;"]);
        assert_eq!(printed(&mut lines, &[("1-3", "a\nb\n")]), ["[1-3] next a\nb"]);
        assert_eq!(lines.finish(CommandId(1)), [(ProcessSet::parse("0").unwrap(), "next ".to_owned())]);
        assert!(printed(&mut lines, &[("0-3", "\n")]).iter().eq(&["[0-3] "]));
    }
}

//! The report as text, for the output of the job.

use super::job_report::JobReport;
use crate::report::{Content, Report, text_lines};
use model::aif::FormatOptions;
use model::printable_lines;

impl JobReport {
    /// Returns the lines of the report: states, `why`, merged stacks, and what is not known.
    pub fn text(&self) -> Vec<String> {
        let mut lines = vec![printable_lines(&format!("report: {}", self.reason)).replace('\n', " ")];
        let mut section = |title: &str, contents: Vec<Content>| {
            let of = |content| text_lines(&Report { origin: None, content, limits: FormatOptions::default() });
            let found: Vec<String> = contents.into_iter().flat_map(of).collect();
            if title.is_empty() {
                lines.extend(found);
            } else if !found.is_empty() {
                lines.push(format!("{title}:"));
                lines.extend(found.into_iter().map(|line| format!("  {line}")));
            }
        };
        let sections = &self.sections;
        section("ranks", vec![self.status.clone()]);
        // Its lines begin with its name.
        section("", sections.why.clone());
        for stacks in &sections.trees {
            let numbers: Vec<String> = stacks.threads.iter().map(ToString::to_string).collect();
            let title = match numbers.as_slice() {
                [one] if one == "1" => "stacks".to_owned(),
                [one] => format!("stacks of thread {one}"),
                _ => format!("stacks of threads {}", numbers.join(", ")),
            };
            section(&title, vec![Content::Tree { tree: stacks.tree.clone(), all: false }]);
        }
        section("arguments and local variables", sections.variables.clone());
        section("limits", sections.limits.clone());
        section("core files", sections.cores.clone());
        let problem = |(ranks, why): &(_, String)| Content::Missing(Clone::clone(ranks), why.clone());
        section("not known", sections.problems.iter().map(problem).collect());
        lines
    }
}

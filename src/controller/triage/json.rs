//! The report as one JSON object, whose parts are the objects of batch output.

use super::callers::Caller;
use super::job_report::{JobReport, shortened};
use super::sections::ThreadStacks;
use crate::report::{Content, FullFrame, PrintedVariable, Report, json_lines};
use crate::state::OutputLine;
use model::aif::FormatOptions;
use model::{ProcessSet, Stream, printable_json};
use serde::Serialize;
use serde_json::value::RawValue;

/// The size that the data of a page should not exceed: it is sent by mail.
const LARGEST: usize = 960 << 10;
/// The variables that a report has; the next variant is taken if it is too large.
const BOUNDS: [Bounds; 5] = [
    Bounds { value: 400, lists: 128 },
    Bounds { value: 120, lists: 128 },
    Bounds { value: 30, lists: 128 },
    Bounds { value: 30, lists: 16 },
    Bounds { value: 30, lists: 2 },
];

#[derive(Clone, Copy)]
struct Bounds {
    /// Bytes of a value.
    value: usize,
    /// Lists of variables that differ, in one frame; further ones are omitted.
    lists: usize,
}

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    reason: &'a str,
    command: &'a str,
    session: &'a str,
    ranks: String,
    hosts: Vec<Host<'a>>,
    facts: Vec<Fact<'a>>,
    groups: Box<RawValue>,
    why: Vec<Box<RawValue>>,
    stacks: Vec<Stacks>,
    frames: Vec<Box<RawValue>>,
    variables: Vec<Box<RawValue>>,
    callers: Vec<CallerVariables<'a>>,
    /// Lists of variables that are not in the report.
    lists_omitted: usize,
    limits: Vec<Box<RawValue>>,
    cores: Vec<Box<RawValue>>,
    problems: Vec<Problem<'a>>,
    messages: Vec<Box<RawValue>>,
    output: Vec<Line<'a>>,
    output_omitted: u64,
    libraries: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct Host<'a> {
    host: &'a str,
    ranks: String,
}

#[derive(Serialize)]
struct Fact<'a> {
    name: &'a str,
    value: &'a str,
}

/// Merged stacks of threads.
#[derive(Serialize)]
struct Stacks {
    threads: Vec<u32>,
    trees: Vec<Box<RawValue>>,
}

/// The variables of a frame of the user's code that has called the innermost one.
#[derive(Serialize)]
struct CallerVariables<'a> {
    ranks: String,
    level: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    variables: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct Problem<'a> {
    ranks: String,
    message: &'a str,
}

#[derive(Serialize)]
struct Line<'a> {
    ranks: String,
    stream: Stream,
    seconds: f64,
    text: &'a str,
}

impl JobReport {
    /// Returns the report as JSON, with long values cut so that it can be sent by mail.
    pub fn json(&self) -> String {
        let mut text = String::new();
        for bounds in BOUNDS {
            // Strings, numbers and lists of them always serialise.
            text = serde_json::to_string(&self.whole(bounds)).unwrap_or_default();
            if size_in_page(&text) <= LARGEST {
                break;
            }
        }
        printable_json(&text).into_owned()
    }

    fn whole(&self, bounds: Bounds) -> Whole<'_> {
        let sections = &self.sections;
        let cut = |contents: &[Content]| raw(contents.iter().map(|content| within(content, bounds)));
        let of_callers = sections.callers.iter().flat_map(|(_, contents)| contents);
        let lists_omitted = sections.variables.iter().chain(of_callers).map(|content| omitted(content, bounds)).sum();
        Whole {
            kind: "report",
            reason: &self.reason,
            command: &self.command,
            session: &self.session,
            ranks: self.ranks().to_string(),
            hosts: self.hosts.iter().map(|(host, ranks)| Host { host, ranks: ranks.to_string() }).collect(),
            facts: self.facts.iter().map(|(name, value)| Fact { name, value }).collect(),
            groups: raw([self.status.clone()]).pop().unwrap_or_default(),
            why: raw(sections.why.iter().cloned()),
            stacks: sections.trees.iter().map(stacks).collect(),
            frames: cut(&sections.stacks),
            variables: cut(&sections.variables),
            callers: sections.callers.iter().map(|(caller, contents)| variables_of(caller, cut(contents))).collect(),
            lists_omitted,
            limits: raw(sections.limits.iter().cloned()),
            cores: raw(sections.cores.iter().cloned()),
            problems: sections.problems.iter().map(problem).collect(),
            messages: raw(self.messages.iter().cloned()),
            output: self.output.iter().map(line).collect(),
            output_omitted: self.omitted,
            libraries: raw(sections.libraries.iter().cloned()),
        }
    }
}

/// Returns the bytes that JSON takes in a page, where `<`, `>` and `&` are escaped: `\u003c`.
fn size_in_page(text: &str) -> usize {
    text.len() + 5 * text.bytes().filter(|byte| b"<>&".contains(byte)).count()
}

/// Returns the objects of batch output.
fn raw(contents: impl IntoIterator<Item = Content>) -> Vec<Box<RawValue>> {
    let lines = contents
        .into_iter()
        .flat_map(|content| json_lines(&Report { origin: None, content, limits: FormatOptions::default() }));
    lines.filter_map(|line| RawValue::from_string(line).ok()).collect()
}

fn stacks(of: &ThreadStacks) -> Stacks {
    let tree = Content::Tree { tree: of.tree.clone(), all: true };
    Stacks { threads: of.threads.iter().map(|thread| thread.0).collect(), trees: raw([tree]) }
}

fn variables_of(Caller { ranks, frame }: &Caller, variables: Vec<Box<RawValue>>) -> CallerVariables<'_> {
    let place = frame.source.as_ref();
    CallerVariables {
        ranks: ranks.to_string(),
        level: frame.level,
        function: frame.function.as_deref(),
        file: place.map(|place| &*place.file),
        line: place.map(|place| place.line),
        variables,
    }
}

fn problem((ranks, message): &(ProcessSet, String)) -> Problem<'_> {
    Problem { ranks: ranks.to_string(), message }
}

fn line(line: &OutputLine) -> Line<'_> {
    let seconds = (line.after.as_secs_f64() * 1e3).round() / 1e3;
    Line { ranks: line.ranks.to_string(), stream: line.stream, seconds, text: &line.text }
}

/// Counts the lists of variables that bounds leave out.
fn omitted(content: &Content, bounds: Bounds) -> usize {
    match content {
        Content::Variables(_, lists) => lists.len().saturating_sub(bounds.lists),
        _ => 0,
    }
}

fn within(content: &Content, bounds: Bounds) -> Content {
    let longest = bounds.value;
    let variable = |variable: &PrintedVariable| PrintedVariable {
        text: shortened(&variable.text, longest),
        type_name: shortened(&variable.type_name, longest),
        ..variable.clone()
    };
    let list = |list: &Result<Vec<PrintedVariable>, String>| match list {
        Ok(list) => Ok(list.iter().map(variable).collect()),
        Err(why) => Err(why.clone()),
    };
    match content {
        Content::FullStack(ranks, frames, user) => {
            let frame = |full: &FullFrame| FullFrame {
                frame: full.frame.clone(),
                arguments: list(&full.arguments),
                locals: list(&full.locals),
            };
            Content::FullStack(ranks.clone(), frames.iter().map(frame).collect(), user.clone())
        }
        Content::Variables(scope, lists) => {
            let short = |(ranks, list): &(ProcessSet, Vec<PrintedVariable>)| {
                (ranks.clone(), list.iter().map(variable).collect::<Vec<_>>())
            };
            Content::Variables(*scope, lists.iter().take(bounds.lists).map(short).collect())
        }
        other => other.clone(),
    }
}

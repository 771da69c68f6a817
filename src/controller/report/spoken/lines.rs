//! The lines of a report, as they are read aloud.

use super::sets::{divided, in_words, ranges, words};
use crate::report::stacks::text::{TreeLine, cut_words, looks_words, tree_lines};
use crate::report::{Content, Report, raw_text_lines};
use crate::sets::scope_of;
use model::{ArrayFinding, ProcessSet, SourcePlace, Stream, printable_lines};
use std::collections::BTreeMap;

/// Formats a report as lines to be read aloud; `text_of` returns the text of a source line, if it is known. As in
/// [`super::super::text_lines`], nothing in them can control the terminal.
pub fn spoken_lines(report: &Report, text_of: impl Fn(&SourcePlace) -> Option<String>) -> Vec<String> {
    let line = |line: String| legible(&printable_lines(line.trim_end()).replace('\n', "\\n"));
    said(report, text_of).into_iter().map(line).collect()
}

fn said(report: &Report, text_of: impl Fn(&SourcePlace) -> Option<String>) -> Vec<String> {
    let lines = || raw_text_lines(report);
    let changed = |change: fn(&str) -> String| -> Vec<String> {
        let change = |line: String| {
            let (set, text) = divided(&line);
            set.map_or_else(|| change(text), |set| format!("[{set}] {}", change(text)))
        };
        lines().into_iter().map(change).collect()
    };
    match report.content.without_threads() {
        Content::Stopped(_, stop) => {
            let mut told = in_words(&lines(), " ");
            let place = stop.shown_frame().source.as_ref();
            told.extend(place.and_then(|place| Some(source_line(place.line, text_of(place)?.trim()))));
            told
        }
        Content::Exited(..) | Content::Killed(..) | Content::Detached(_) | Content::Failed(..) => {
            in_words(&lines(), " ")
        }
        Content::Running(ranks) => vec![format!("{} running", words(&ranks.to_string()))],
        Content::Output(ranks, stream, text) => output(ranks, *stream, text),
        Content::LauncherOutput(text) => text.lines().map(|line| format!("launcher: {line}")).collect(),
        Content::Text(ranks, _) if ranks.is_empty() => lines(),
        Content::Stacks(_) | Content::FullStack(..) => in_words(&changed(frame), ": "),
        Content::Frame(_, shown, _) => {
            let mut told = in_words(&changed(frame), ": ");
            let place = shown.source.as_ref();
            told.extend(place.and_then(|place| Some(source_line(place.line, text_of(place)?.trim()))));
            told
        }
        Content::Tree { tree, all } => {
            let cut = tree.is_cut.then(|| cut_words(&tree.ranks));
            let looks = tree.looks.iter().flat_map(|looks| in_words(&looks_words(tree, looks), ": "));
            looks.chain(tree_lines(tree, *all).iter().map(call)).chain(cut).collect()
        }
        Content::Breakpoint(_) | Content::BreakpointForStart(_) | Content::Why(_) => {
            in_words(&changed(unindented), ": ")
        }
        Content::Instructions(..) => in_words(&changed(instruction), ": "),
        Content::Threads(..) => in_words(&changed(thread), ": "),
        Content::Registers(_) | Content::Signals(_) | Content::ProcessFacts(..) => in_words(&changed(row), ": "),
        Content::Settings(rows) => rows.iter().map(|(name, value)| format!("{name}: {value}")).collect(),
        Content::Comparison(expression, _) => {
            let value = |line: String| line.replacen("] = ", &format!("] {expression} = "), 1);
            in_words(&bars(lines().into_iter().map(value)), ": ")
        }
        Content::Statistics { .. } => in_words(&bars(lines().into_iter()), ": "),
        Content::Array(page) => {
            let has_heads = match &page.part.finding {
                ArrayFinding::Page(page) => page.section.axes.unwrap_or_default().columns.is_some(),
                _ => false,
            };
            in_words(&table(&lines(), has_heads), ": ")
        }
        Content::Source { first, lines, current, .. } => source(*first, lines, current),
        Content::Error { position: Some(position), .. } => {
            let mut told = lines();
            // The caret below the line.
            let marked = told.len().checked_sub(2).map(|at| told.split_off(at)).unwrap_or_default();
            let rest: String = marked.first().map_or("", |line| line.trim_start()).chars().skip(*position).collect();
            told.push(match rest.trim() {
                "" => "the error is at the end of the line".to_owned(),
                rest => format!("the error is at: {rest}"),
            });
            in_words(&told, ": ")
        }
        _ => in_words(&lines(), ": "),
    }
}

/// Replaces the few signs that the debugger's own sentences contain and that are read badly.
fn legible(line: &str) -> String {
    line.replace(" \u{2026} ", ", ").replace('\u{2026}', "...")
}

fn source_line(number: u32, text: &str) -> String {
    format!("line {number}: {text}")
}

fn output(ranks: &ProcessSet, stream: Stream, text: &str) -> Vec<String> {
    let who = words(&ranks.to_string());
    let what = if stream == Stream::Stderr { "error output" } else { "output" };
    text.lines().map(|line| format!("{who} {what}: {line}")).collect()
}

/// Turns `#0  kernel at ring.c:12` into `frame 0: kernel at ring.c:12`.
fn frame(text: &str) -> String {
    let found = text.strip_prefix('#').and_then(|rest| rest.split_once(' '));
    match found.filter(|(level, _)| level.starts_with(|c: char| c.is_ascii_digit())) {
        Some((level, rest)) => {
            let plural = if level.contains('-') { "s" } else { "" };
            format!("frame{plural} {}: {}", ranges(level), rest.trim_start())
        }
        None => text.trim_start().to_owned(),
    }
}

/// Says how deep a call of the merged stacks is: there are no columns to show it.
fn call(line: &TreeLine) -> String {
    let threads = match scope_of(&line.threads) {
        Some((ranks, None)) => words(&ranks.to_string()),
        Some((ranks, Some(group))) => words(&format!("{ranks}.{}", group.spelled())),
        None => format!("{}, {} threads", words(&line.threads.ranks().to_string()), line.threads.count()),
    };
    let share = line.share.as_ref().map_or_else(String::new, |share| format!("{share} of the looks, "));
    format!("{share}level {}, {threads}: {}", line.level, line.text)
}

fn unindented(text: &str) -> String {
    text.trim_start().to_owned()
}

fn instruction(text: &str) -> String {
    match text.strip_prefix("=> ") {
        Some(rest) => format!("current: {rest}"),
        None => text.trim_start().to_owned(),
    }
}

/// Turns `* 2 "worker" spin at threads.c:7` into `thread 2, current: "worker" spin at threads.c:7`.
fn thread(text: &str) -> String {
    let (current, rest) = match text.strip_prefix("* ") {
        Some(rest) => (", current", rest),
        None => ("", text.trim_start()),
    };
    rest.split_once(' ').map_or_else(|| text.to_owned(), |(id, rest)| format!("thread {id}{current}: {rest}"))
}

/// Turns columns into a label and its values.
fn row(text: &str) -> String {
    let cells = cells(text);
    match cells.split_first() {
        Some((label, [])) => label.clone(),
        Some((label, values)) => format!("{label}: {}", values.join(", ")),
        None => String::new(),
    }
}

/// The cells of columns: at least two blanks are between them, and one behind a long name.
fn cells(text: &str) -> Vec<String> {
    text.trim().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
}

/// Turns the bars of a histogram into their lowest values and their counts; those without a count are left out.
fn bars(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut told = Vec::new();
    let mut is_first = true;
    for line in lines {
        match bar(&line) {
            Some((_, 0)) => {}
            Some((from, count)) => {
                if std::mem::take(&mut is_first) {
                    told.push("how many from each value on:".to_owned());
                }
                told.push(format!("{from}: {count}"));
            }
            None => {
                is_first = true;
                told.push(line);
            }
        }
    }
    told
}

fn bar(line: &str) -> Option<(&str, u64)> {
    let mut words = line.strip_prefix("  ")?.split_whitespace();
    Some((words.next()?, words.next()?.parse().ok()?))
}

/// The first line is a heading, the next one has the heads of the columns.
fn table(lines: &[String], has_heads: bool) -> Vec<String> {
    let Some((heading, rows)) = lines.split_first() else { return Vec::new() };
    let mut told = vec![heading.clone()];
    for (index, line) in rows.iter().enumerate() {
        let cells = cells(line).join(", ");
        let is_head = has_heads && index == 0;
        told.push(match (is_head, line.trim_start().split_once("  ")) {
            (true, _) => format!("columns: {cells}"),
            (false, Some((label, _))) if has_heads => {
                format!("{label}: {}", cells.strip_prefix(label).unwrap_or(&cells).trim_start_matches([',', ' ']))
            }
            _ => cells,
        });
    }
    told
}

fn source(first: u32, lines: &[String], current: &BTreeMap<u32, ProcessSet>) -> Vec<String> {
    let line = |(number, text): (u32, &String)| match current.get(&number) {
        Some(ranks) => format!("{}, {} here: {text}", number, words(&ranks.to_string())),
        None if text.trim().is_empty() => format!("{number}: empty"),
        None => format!("{number}: {text}"),
    };
    (first..).zip(lines).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::CommandId;
    use crate::report::Origin;
    use model::aif::FormatOptions;
    use model::{ThreadId, ThreadInfo};

    fn lines(content: Content) -> Vec<String> {
        let origin = Some(Origin::typed(CommandId(1), "print counter+"));
        spoken_lines(&Report { origin, content, limits: FormatOptions::default() }, |_| None)
    }

    fn ranks(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn output_is_told_apart_from_what_the_debugger_says() {
        let text = "[0] it is\n\u{1b}[31mred".to_owned();
        let said = ["ranks 0 to 1 output: [0] it is", "ranks 0 to 1 output: \\u{1b}[31mred"];
        assert_eq!(lines(Content::Output(ranks("0-1"), Stream::Stdout, text)), said);
        assert_eq!(lines(Content::Output(ranks("3"), Stream::Stderr, "no\n".to_owned())), ["rank 3 error output: no"]);
        assert_eq!(lines(Content::LauncherOutput("[0] up\n".to_owned())), ["launcher: [0] up"]);
    }

    #[test]
    fn columns_become_a_label_and_its_values() {
        assert_eq!(row("rip            0x401136           0x401136 <main+4>"), "rip: 0x401136, 0x401136 <main+4>");
        let rows = ["[0] x: 3 values", "              12.5        3 ######", "              13.5        0"];
        let told = ["[0] x: 3 values", "how many from each value on:", "12.5: 3"];
        assert_eq!(bars(rows.into_iter().map(str::to_owned)), told);
        assert_eq!(frame("#6-7 MPI_Allreduce"), "frames 6 to 7: MPI_Allreduce");
        let settings = vec![("patience".to_owned(), "5".to_owned())];
        assert_eq!(lines(Content::Settings(settings)), ["patience: 5"]);
        let rows = ["[0] u: int [2][2]", "       [0]  [1]", "  [0]    1    2", "  [1]    3    4"];
        let rows = rows.map(str::to_owned);
        assert_eq!(table(&rows, true), ["[0] u: int [2][2]", "columns: [0], [1]", "[0]: 1, 2", "[1]: 3, 4"]);
    }

    #[test]
    fn the_current_thread_and_the_current_line_are_named() {
        let thread =
            |id, current| ThreadInfo { id: ThreadId(id), current, name: "worker".to_owned(), frame: None, user: None };
        let said = ["rank 0:", "thread 1, current: \"worker\" running", "thread 2: \"worker\" running"];
        assert_eq!(lines(Content::Threads(ranks("0"), vec![thread(1, true), thread(2, false)])), said);
        let text = ["int n;", "", "go();"].map(str::to_owned);
        let current = BTreeMap::from([(9, ranks("0-3"))]);
        assert_eq!(source(7, &text, &current), ["7: int n;", "8: empty", "9, ranks 0 to 3 here: go();"]);
    }

    #[test]
    fn the_place_of_an_error_is_said_without_a_caret() {
        let error = |position| Content::Error { ranks: ranks("0-3"), message: "syntax error".to_owned(), position };
        assert_eq!(lines(error(Some(13))), ["ranks 0 to 3: error: syntax error", "the error is at: +"]);
        assert_eq!(lines(error(Some(14)))[1], "the error is at the end of the line");
        assert_eq!(lines(error(None)), ["ranks 0 to 3: error: syntax error"]);
    }
}

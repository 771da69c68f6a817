//! The setup of a program that is kept from one session to the next, as a file of commands.

use crate::State;
use crate::command::{VARIABLES, lines_of};
use model::{Breakpoint, Point, PointAction, ProcessSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The file of commands of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedSetup {
    /// The file's path.
    pub path: PathBuf,
    /// True if the file existed at the start.
    pub exists: bool,
    /// True to run it when the job is ready, except in a script, which runs it by `source`.
    pub restores: bool,
}

/// Returns commands that restore breakpoints, groups, aliases, displayed expressions and settings. Watchpoints are left
/// out: the watched objects exist only at some moments.
pub fn commands(state: &State) -> String {
    written(state, true)
}

/// The same without the changes for the next start: the job is started with them.
pub fn run_commands(state: &State) -> String {
    written(state, false)
}

fn written(state: &State, with_start: bool) -> String {
    let mut text = format!("# {}\n", state.program.replace('\n', " "));
    for variable in VARIABLES {
        for (name, value) in state.variables.rows(Some(variable.name)) {
            if value != variable.default_text() {
                let _ = writeln!(text, "set {name} {}", variable.written(&value));
            }
        }
    }
    for line in lines_of(&state.start.changes).iter().filter(|_| with_start) {
        let _ = writeln!(text, "{line}");
    }
    for file in &state.printer_files {
        let _ = writeln!(text, "printers {}", written_word(file));
    }
    for name in state.variables.printers().disabled() {
        let (source, ty) = (exact(&name.source), exact(&name.ty));
        let _ = writeln!(text, "disable pretty-printer {} {}", written_word(&source), written_word(&ty));
    }
    for (name, ranks) in &state.groups {
        let _ = writeln!(text, "group {name} = {ranks}");
    }
    for (name, meaning) in &state.aliases {
        let _ = writeln!(text, "alias {name} = {meaning}");
    }
    for skipped in state.variables.skips().enabled() {
        let _ =
            writeln!(text, "skip {}", skipped.arguments().into_iter().map(written_word).collect::<Vec<_>>().join(" "));
    }
    text.push_str(&state.scripts.commands_to_restore());
    text.push_str(&points(state, false));
    for (_, displayed) in state.displays.enabled() {
        let _ = writeln!(text, "{}", displayed.command());
    }
    text
}

/// Returns the commands that restore breakpoints; gdb can run those of breakpoints that all ranks have.
pub fn breakpoint_commands(state: &State) -> String {
    points(state, true)
}

fn points(state: &State, for_gdb: bool) -> String {
    let (mut text, size) = (String::new(), state.size());
    for breakpoint in state.breakpoints.values() {
        if let Some(line) = point(breakpoint, size, for_gdb, state.scripts.formats.get(&breakpoint.request.id)) {
            let _ = writeln!(text, "{line}");
            let left = breakpoint.passing.greatest();
            if for_gdb && left > 0 {
                let _ = writeln!(text, "ignore $bpnum {left}");
            }
            if !breakpoint.request.enabled {
                text.push_str("disable $bpnum\n");
            }
            text.push_str(&state.scripts.countdown_of(breakpoint.request.id));
            text.push_str(&state.scripts.commands_of(breakpoint.request.id));
        }
    }
    text
}

/// Puts a word in quotes that has blanks.
fn written_word(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}

/// Returns the regular expression that only this text matches.
fn exact(text: &str) -> String {
    let mut expression = "^".to_owned();
    for c in text.chars() {
        if matches!(c, '.' | '*' | '+' | '?' | '[' | ']' | '^' | '$' | '\\') {
            expression.push('\\');
        }
        expression.push(c);
    }
    expression + "$"
}

fn point(breakpoint: &Breakpoint, size: u32, for_gdb: bool, format: Option<&String>) -> Option<String> {
    let request = &breakpoint.request;
    let is_of_all = breakpoint.ranks == ProcessSet::all(size);
    let mut line = match is_of_all {
        true if for_gdb => String::new(),
        true => "[all] ".to_owned(),
        false => format!("[{}] ", breakpoint.ranks),
    };
    match (&request.point, &request.action) {
        (Point::Watch(_), _) => return None,
        (Point::Catch(catch), _) if request.temporary => line.push_str(&format!("tcatch {catch}")),
        (Point::Catch(catch), _) => line.push_str(&format!("catch {catch}")),
        (Point::Place(place), PointAction::Stop) => {
            let name = match (request.temporary, request.hardware) {
                (false, false) => "break",
                (true, false) => "tbreak",
                (false, true) => "hbreak",
                (true, true) => "thbreak",
            };
            line.push_str(&format!("{name} {place}"));
        }
        (Point::Place(place), PointAction::Barrier) => line.push_str(&format!("barrier {place}")),
        (Point::Place(place), PointAction::Trace(shown)) => {
            let shown: String = shown.iter().map(|shown| format!(", {shown}")).collect();
            line.push_str(&match format {
                Some(format) => format!("dprintf {place}, {format}{shown}"),
                None => format!("trace {place}{shown}"),
            });
        }
    }
    if let Some(thread) = request.thread {
        let _ = write!(line, " thread {thread}");
    }
    if let Some(condition) = &request.condition {
        let _ = write!(line, " if {condition}");
    }
    // What is left of it; a command cannot set another number on some ranks.
    let left = breakpoint.passing.greatest();
    if left > 0 && !for_gdb {
        let _ = write!(line, " after {left}");
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse_line;
    use crate::state::{Displayed, Place, RankTable, Shown};
    use model::{BreakpointId, BreakpointRequest, Catch, LocationSpec, ThreadId};

    #[test]
    fn what_is_written_can_be_run() {
        let mut state = State { ranks: RankTable::new(4), program: "./ring".into(), ..State::default() };
        state.groups.insert("edge".into(), ProcessSet::range(0, 2));
        state.start.changes.arguments = Some(vec!["-n".into(), "a # b".into()]);
        state.start.changes.environment.insert("OMP_NUM_THREADS".into(), Some("2".into()));
        state.aliases.insert("bk".into(), "break kernel if".into());
        state.variables.set("patience", "7").unwrap();
        state.variables.set("directories", "\"/my src:$cwd\"").unwrap();
        state.variables.set("substitute-path", "/build /src").unwrap();
        state.variables.set("substitute-path", "/b \"/my src\"").unwrap();
        state.variables.set("dlopen_recalculate_on_match", "libcuda.so*:libm.so.6").unwrap();
        let shown = Shown::Value(Some(model::aif::FormatLetter::Hexadecimal));
        state.displays.add(&Displayed { expression: "p[0] + 1".to_owned(), shown, place: None });
        let place = Some(Place { ranks: ProcessSet::range(1, 3), thread: Some(ThreadId(2)) });
        let shown = Shown::Value(None);
        state.displays.add(&Displayed { expression: "i".to_owned(), shown, place });
        let mut add = |ranks, request: BreakpointRequest| {
            state.breakpoints.insert(request.id, Breakpoint::asked(request, ranks));
        };
        let place = |text: &str| LocationSpec::parse(text).unwrap();
        add(
            ProcessSet::all(4),
            BreakpointRequest {
                condition: Some("i > 3".into()),
                ignore: 2,
                thread: Some(ThreadId(1)),
                ..BreakpointRequest::at(BreakpointId(1), place("/src/ring.c:12"))
            },
        );
        add(
            ProcessSet::range(1, 3),
            BreakpointRequest {
                enabled: false,
                temporary: true,
                hardware: true,
                ..BreakpointRequest::at(BreakpointId(2), place("kernel"))
            },
        );
        add(
            ProcessSet::all(4),
            BreakpointRequest {
                action: PointAction::Trace(vec!["a".into(), "f(b, c)".into()]),
                ..BreakpointRequest::at(BreakpointId(3), place("*0x401136"))
            },
        );
        add(ProcessSet::all(4), BreakpointRequest::at(BreakpointId(4), Point::Catch(Catch::parse("throw").unwrap())));
        add(
            ProcessSet::all(4),
            BreakpointRequest {
                action: PointAction::Barrier,
                ..BreakpointRequest::at(BreakpointId(5), place("ring.c:20"))
            },
        );
        let text = commands(&state);
        assert_eq!(
            text,
            "# ./ring\nset directories \"/my src:$cwd:$cdir\"\nset dlopen_recalculate_on_match libcuda.so*:libm.so.6\n\
             set patience 7\nset substitute-path /build /src\nset substitute-path /b \"/my src\"\n\
             set args -n \"a # b\"\nset environment OMP_NUM_THREADS=2\ngroup edge = 0-1\n\
             alias bk = break kernel if\n[all] break /src/ring.c:12 thread 1 if i > 3 after 2\n\
             [1-2] thbreak kernel\ndisable $bpnum\n[all] trace *0x401136, a, f(b, c)\n[all] catch throw\n\
             [all] barrier ring.c:20\ndisplay/x p[0] + 1\n[1-2.2] display -here i\n"
        );
        for line in text.lines() {
            parse_line(line, &Default::default()).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}

//! The questions that both are asked at a stop.

use crate::judge::Judge;
use crate::mi::Value;
use crate::rust::rust_questions;
use crate::tally::{REFUSED, Tally};
use crate::witness::{Printed, Witness};
use rankscope::model::Frame;
use rankscope::model::aif::as_gdb_spells;

/// Number of frames whose variables are compared.
const FRAMES: usize = 4;
/// Number of variables per frame that are asked for one by one.
const VARIABLES: usize = 12;
/// Number of frames of a stack that are compared.
const DEPTH: u32 = 200;

/// gdb reports this as a Python exception, for strings and slices that are unset or partly optimised out.
const PRINTER_FAILS: &str = "a printer of the compiler fails in gdb";

/// Commands given to gdb before it is asked again: they make it allocate and free memory.
const BETWEEN: [&str; 4] =
    ["info frame", "info registers", "backtrace", "python [bytes([0xa5]) * size for size in range(16, 65536, 16)]"];

pub struct Stop<'a> {
    pub judge: &'a mut Judge,
    pub witness: &'a mut dyn Witness,
    pub tally: &'a mut Tally,
    pub place: String,
    /// True if the program is in Rust.
    pub rust: bool,
    /// True if the selected frame is in Fortran, which has its own questions.
    pub fortran: bool,
    /// Frames in gdb's stack when it was asked; `None` if it has others by now.
    pub depth: Option<usize>,
}

/// The output of `print` without the history number.
pub fn printed(answer: Result<String, String>) -> String {
    match answer {
        Ok(text) if text.starts_with('$') && text.ends_with(" =") && !text.contains(" = ") => String::new(),
        Ok(text) => text.split_once(" = ").map_or(text.as_str(), |(_, value)| value).to_owned(),
        Err(message) => format!("{REFUSED}{message}"),
    }
}

fn either(answer: Result<String, String>) -> String {
    answer.unwrap_or_else(|message| format!("{REFUSED}{message}"))
}

/// A function without its parameters; gdb's machine interface includes them for C++ functions.
fn without_parameters(name: &str) -> &str {
    let Some(open) = name.strip_suffix(')').or(name.strip_suffix(") const")).and_then(|_| {
        let mut depth = 0;
        name.char_indices().rev().find_map(|(at, c)| {
            depth += match c {
                ')' => 1,
                '(' => -1,
                _ => return None,
            };
            (depth == 0).then_some(at)
        })
    }) else {
        return name;
    };
    match &name[..open] {
        "" => name,
        rest if rest.ends_with("operator") => name,
        rest => rest,
    }
}

/// Sources with relative directories cannot be found: their base names are compared.
fn source(file: &str, line: &str) -> String {
    let file = if file.starts_with('/') { file } else { file.rsplit('/').next().unwrap_or(file) };
    if line.is_empty() { String::new() } else { format!(" {file}:{line}") }
}

/// The frame with its line truncated to 16 bits.
fn in_sixteen_bits(frame: &str) -> String {
    let line = |(rest, line): (&str, &str)| Some(format!("{rest}:{}", line.parse::<u32>().ok()? & 0xffff));
    frame.rsplit_once(':').and_then(line).unwrap_or_else(|| frame.to_owned())
}

fn gdb_frame(frame: &Value) -> String {
    let source = source(frame.text("fullname"), frame.text("line"));
    let address = frame.text("addr").trim_start_matches("0x").trim_start_matches('0');
    format!("0x{address} {}{source}", without_parameters(frame.text("func")))
}

fn own_frame(frame: &Frame) -> String {
    let source = frame.source.as_ref().map_or(String::new(), |place| source(&place.file, &place.line.to_string()));
    let address = frame.code.address.map_or(0, |address| address.0);
    format!("{address:#x} {}{source}", without_parameters(frame.function.as_deref().unwrap_or("??")))
}

/// The level of a Rust program's `main` in a stack that includes its callers.
fn main_with_callers(frames: &[String]) -> Option<usize> {
    let function = |frame: &String, wanted: &str| frame.split(' ').nth(1).is_some_and(|name| name.ends_with(wanted));
    let called = |pair: &[String]| match pair {
        [main, caller] => function(main, "::main") && caller.contains(" core::ops::function::FnOnce::call_once<fn()"),
        _ => false,
    };
    frames.windows(2).position(called)
}

impl Stop<'_> {
    pub fn compare(&mut self) {
        self.tally.stops += 1;
        let frames = self.stack();
        for level in 0..frames.min(FRAMES) as u32 {
            if self.depth.is_none() || !self.judge.select(level) || !self.has_source(level) {
                break;
            }
            let names = self.variables(level);
            for (name, value) in names.iter().take(VARIABLES) {
                self.questions(level, name, value);
            }
        }
    }

    /// True if the selected frame has an available source; false in the C library.
    fn has_source(&mut self, level: u32) -> bool {
        let said = self.judge.ask("-stack-info-frame").record;
        if said.get("frame").is_some_and(|frame| frame.text("level") != level.to_string()) {
            self.tally.explain("gdb selects another frame than the one it was asked for");
            return false;
        }
        let source = said.get("frame").map_or("", |frame| frame.text("fullname"));
        let ending = source.rsplit('.').next().unwrap_or_default();
        self.fortran = ["f", "f90"].contains(&ending.to_ascii_lowercase().as_str());
        source.starts_with('/')
    }

    fn stack(&mut self) -> usize {
        let said = self.judge.ask(&format!("-stack-list-frames 0 {DEPTH}")).record;
        self.depth = Some(said.list("stack").len());
        let mut theirs: Vec<String> = said.list("stack").iter().map(gdb_frame).collect();
        if let Some(main) = main_with_callers(&theirs).filter(|_| self.rust && self.tally.is_of_native()) {
            theirs.truncate(main + 1);
            self.tally.explain("gdb takes the namespace of the closures of main for main, and goes on behind it");
        }
        self.witness.agree_on_inlined(theirs.len());
        let ours = self.witness.stack(DEPTH);
        let ours: Vec<String> = ours.iter().map(own_frame).collect();
        for level in 0..ours.len().max(theirs.len()) {
            let (own, gdb) = (ours.get(level), theirs.get(level));
            if own.map(|own| in_sixteen_bits(own)) == gdb.cloned() && own != gdb {
                self.tally.explain("gdb keeps the line of the call of an inlined function in 16 bits");
                continue;
            }
            if own != gdb {
                // Frames after the first difference differ for the same reason.
                let some = |all: &[String]| {
                    all.iter().skip(level.saturating_sub(1)).take(4).cloned().collect::<Vec<_>>().join(" | ")
                };
                self.tally.compare("frame", &self.place, &format!("#{level}"), &some(&ours), &some(&theirs));
                return level;
            }
            self.tally.compare("frame", &self.place, "", "", "");
        }
        ours.len().min(theirs.len())
    }

    fn print(&mut self, level: u32, expression: &str) -> String {
        if self.depth.is_none() {
            return String::new();
        }
        let command = format!("print {expression}");
        let gdb = printed(self.judge.command(&command));
        let printer_fails = self.rust && self.tally.is_of_native() && !self.judge.mishaps.is_empty();
        let ours = self.witness.print(level, expression);
        // If gdb has no value, as with unset bounds, there is nothing to be data.
        if let Ok(Printed { as_text: Some(type_name), words }) = &ours
            && !words.starts_with("<error reading variable")
        {
            self.tally.text(type_name, &format!("{expression} = {}", words.chars().take(60).collect::<String>()));
        }
        let ours = either(ours.map(|printed| printed.words));
        // A missing object is an error in our answer and a value in gdb's, in the same words.
        let ours = match ours.strip_prefix(REFUSED) {
            Some(why) if gdb == format!("<{why}>") || gdb.ends_with(&format!("<error reading variable: {why}>")) => {
                gdb.clone()
            }
            Some("value has been optimized out") if gdb == "<optimized out>" => gdb.clone(),
            None if gdb.is_empty() && self.judge.mishaps.contains(&ours) => gdb.clone(),
            _ => ours,
        };
        if ours != gdb && printer_fails {
            self.tally.explain(PRINTER_FAILS);
            return gdb;
        }
        if ours != gdb && self.has_moved() {
            return gdb;
        }
        if self.agrees_by_parts(level, expression, &ours, &gdb) {
            return gdb;
        }
        let says = |judge: &mut Judge| printed(judge.command(&command)) == gdb;
        if ours != gdb && !gdb.starts_with(REFUSED) && self.differs_from_itself(says) {
            return gdb;
        }
        self.tally.compare("print", &self.place, &format!("#{level} {expression}"), &ours, &gdb);
        gdb
    }

    /// True if gdb reports that the printer of the variable's type failed after showing this much of it.
    pub fn printer_fails(&mut self, name: &str, shown: &str) -> bool {
        let fails = self.rust
            && self.tally.is_of_native()
            && printed(self.judge.command(&format!("print {name}"))) == shown
            && !self.judge.mishaps.is_empty();
        if fails {
            self.tally.explain(PRINTER_FAILS);
        }
        fails
    }

    /// True if gdb now counts the inlined functions that begin at the current location, which it hid before.
    pub fn has_moved(&mut self) -> bool {
        if !self.rust || !self.tally.is_of_native() {
            return false;
        }
        let depth = self.judge.ask(&format!("-stack-list-frames 0 {DEPTH}")).record.list("stack").len();
        if self.depth.is_some_and(|known| known != depth) {
            self.tally.explain("gdb hides the inlined functions that begin where it stands, and forgets to");
            self.depth = None;
        }
        self.depth.is_none()
    }

    /// True if gdb answers differently when asked again: it shows memory of its own, by mistake. The commands in
    /// between move that memory.
    pub fn differs_from_itself(&mut self, says: impl Fn(&mut Judge) -> bool) -> bool {
        let differs = BETWEEN.iter().any(|other| {
            // The answer does not matter.
            let _ = self.judge.command(other);
            !says(self.judge)
        });
        if differs {
            self.tally.explain("gdb says something else each time it is asked");
        }
        differs
    }

    fn type_of(&mut self, level: u32, expression: &str, expand: bool) -> String {
        if self.depth.is_none() {
            return String::new();
        }
        let (kind, command) = if expand { ("ptype", "ptype") } else { ("whatis", "whatis") };
        let gdb = either(self.judge.command(&format!("{command} {expression}")));
        let gdb = gdb.strip_prefix("type = ").map(str::to_owned).unwrap_or(gdb);
        let ours = either(self.witness.type_of(level, expression, expand));
        if ours != as_gdb_spells(&gdb) && self.has_moved() {
            return gdb;
        }
        self.tally.compare(kind, &self.place, &format!("#{level} {expression}"), &ours, &as_gdb_spells(&gdb));
        gdb
    }

    fn questions(&mut self, level: u32, name: &str, value: &str) {
        let optimized = value.contains("optimized out");
        let shown = self.print(level, name);
        let ty = self.type_of(level, name, false);
        let spelled_out = self.type_of(level, name, true);
        if self.rust {
            for asked in rust_questions(name, &ty, &spelled_out) {
                self.print(level, &asked);
            }
            return;
        }
        if self.fortran {
            for part in fortran_parts(&ty, &spelled_out).into_iter().filter(|_| !optimized).take(4) {
                self.print(level, &format!("{name}{part}"));
            }
            self.print(level, &name.to_uppercase());
            return;
        }
        let is_pointer = ty.ends_with('*') || ty.ends_with("* const");
        if is_pointer && !optimized && !shown.starts_with(REFUSED) {
            let target = self.print(level, &format!("*{name}"));
            if target.starts_with('{') {
                for member in members(&spelled_out).into_iter().take(3) {
                    self.print(level, &format!("{name}->{member}"));
                }
            }
        } else if ty.ends_with(']') || ty.ends_with(')') {
            self.print(level, &format!("{name}[1]"));
        } else if shown.starts_with('{') {
            for member in members(&spelled_out).into_iter().take(4) {
                self.print(level, &format!("{name}.{member}"));
            }
        } else if !optimized {
            self.print(level, &format!("{name} + 1"));
        }
        self.print(level, &format!("&{name}"));
        self.print(level, &format!("sizeof({name})"));
    }

    /// Compares variables outside functions.
    pub fn globals(&mut self, names: &[String]) {
        self.judge.select(0);
        for name in names {
            self.print(0, name);
            self.type_of(0, name, false);
        }
    }
}

/// The questions about parts: an element of an array, the components of a derived type.
fn fortran_parts(ty: &str, spelled_out: &str) -> Vec<String> {
    let dimensions = ty.strip_suffix(')').and_then(|ty| ty.rsplit_once(" (")).map(|(_, inside)| inside);
    if let Some(dimensions) =
        dimensions.filter(|_| !ty.starts_with("PTR TO") && !ty.contains("character (") && !ty.contains("void"))
    {
        return vec![format!("({})", vec!["1"; dimensions.split(',').count()].join(","))];
    }
    let component = |line: &str| Some(format!("%{}", line.split_once(" :: ")?.1.split('(').next()?));
    spelled_out.lines().skip(1).filter_map(component).collect()
}

/// The names of members, from the text of `ptype`.
fn members(spelled_out: &str) -> Vec<String> {
    let lines = spelled_out.lines().skip(1).filter(|line| line.starts_with("    ") && !line.starts_with("     "));
    let name = |line: &str| {
        let line = line.trim().strip_suffix(';')?;
        let line = line.split(" : ").next()?;
        let end = line.find('[').unwrap_or(line.len());
        let name = line.get(..end)?.rsplit([' ', '*', '&']).next()?;
        let fits = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (fits && !line.contains('(')).then(|| name.to_owned())
    };
    lines.filter_map(name).collect()
}

//! Looks up symbols of addresses and addresses of lines: `symbol`, `code`; both set `$_`.

use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::commands::examine;
use crate::core::commands::frames::is_named;
use crate::core::commands::source::inspect::place_after_end;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{
    Answer, DisassemblyFlavor, Examination, FunctionLine, Instruction, LocationSpec, Operation, ProcessSet, QUALIFIED,
    Site, SourcePlace, VirtualAddress, file_and_function,
};

/// Returns the address of the last place, for the ranks that have it at the same address.
pub(in crate::core) fn last_place<'a>(
    sites: impl DoubleEndedIterator<Item = &'a (ProcessSet, Site)>,
) -> Vec<(ProcessSet, VirtualAddress)> {
    let mut left: Option<ProcessSet> = None;
    let mut places = Vec::new();
    for (ranks, site) in sites.rev() {
        let fresh = left.as_ref().map_or_else(|| ranks.clone(), |seen| ranks.difference(seen));
        left = Some(left.map_or_else(|| ranks.clone(), |seen| seen.union(ranks)));
        if let Some(address) = site.address.filter(|_| !fresh.is_empty()) {
            places.push((fresh, address));
        }
    }
    places
}

/// Returns the first instruction of the line at a place, and the one after its last if known. An `inlined` function has
/// its first line in the code of the function around it.
fn run_of<'a>(
    instructions: &'a [Instruction],
    at: Option<&LocationSpec>,
    inlined: Option<&SourcePlace>,
) -> Option<(&'a Instruction, Option<&'a Instruction>)> {
    let first = match at {
        Some(LocationSpec::Function(_)) if inlined.is_some() => {
            instructions.iter().position(|one| one.source.as_ref() == inlined)
        }
        None | Some(LocationSpec::Address(_)) => instructions.iter().position(|one| one.current),
        Some(at @ (LocationSpec::FileLine { line, .. } | LocationSpec::Line(line))) => {
            // Lines of other files are among them, of functions that the compiler has inlined.
            let lines = || instructions.iter().map(|one| one.source.as_ref().filter(|place| is_in_file(at, place)));
            let of = |line: u32| lines().position(|place| place.is_some_and(|place| place.line == line));
            let next = lines().flatten().map(|place| place.line).filter(|other| other > line).min();
            of(*line).or_else(|| of(next?))
        }
        Some(LocationSpec::Function(_)) => Some(0),
    }?;
    let start = instructions.get(first)?;
    let source = start.source.as_ref()?;
    let is_other = |one: &&Instruction| one.source.as_ref() != Some(source);
    let before = instructions.iter().take(first).rev().take_while(|one| !is_other(one)).last();
    Some((before.unwrap_or(start), instructions.iter().skip(first).find(is_other)))
}

/// True if a place is in the file of a location, or if the location names none.
fn is_in_file(location: &LocationSpec, place: &SourcePlace) -> bool {
    match location {
        LocationSpec::FileLine { file, .. } => {
            LocationSpec::FileLine { file: file.clone(), line: place.line }.names(place)
        }
        _ => true,
    }
}

fn address_of(instruction: &Instruction) -> String {
    let address = instruction.code.address.map_or_else(String::new, |address| format!("address {address} "));
    match &instruction.function {
        Some((name, 0)) => format!("{address}<{name}>"),
        Some((name, offset)) => format!("{address}<{name}+{offset}>"),
        None => address.trim_end().to_owned(),
    }
}

/// Formats as gdb does.
fn told(first: &Instruction, end: Option<&Instruction>, at: Option<&LocationSpec>) -> String {
    let (file, line) = first.source.as_ref().map_or(("?", 0), |source| (&*source.file, source.line));
    let file = file.rsplit('/').next().unwrap_or(file);
    let start = address_of(first);
    if let Some(LocationSpec::FileLine { line: wanted, .. } | LocationSpec::Line(wanted)) = at
        && *wanted != line
    {
        return format!("Line {wanted} of \"{file}\" contains no code; line {line} starts at {start}.");
    }
    match end {
        Some(end) => format!(
            "Line {line} of \"{file}\" starts at {start} and ends at {}.",
            address_of(end).replace("address ", "")
        ),
        None => format!("Line {line} of \"{file}\" starts at {start} and ends with its function."),
    }
}

pub(in crate::core) fn symbol_at(core: &mut Interpreter, id: CommandId, target: Target, expression: String) {
    let context = core.context(&target);
    let at = Some(LocationSpec::Address(expression.clone()));
    let flavor = DisassemblyFlavor::default();
    let operation = Operation::Disassemble { context, at, count: Some(1), flavor };
    core.ask_stopped(id, target, operation, Then::SymbolAt(expression));
}

pub(in crate::core) fn no_symbol_at(expression: &str) -> String {
    format!("No symbol matches {expression}.")
}

pub(in crate::core) fn symbol_known(core: &mut Interpreter, id: CommandId, expression: &str, good: Answers) {
    let told = good.into_iter().filter_map(|(_, ranks, answer)| {
        let Answer::Instructions(instructions) = answer else { return None };
        let there = instructions.into_iter().next()?;
        let Some((name, offset)) = &there.function else { return Some((ranks, Err(()))) };
        let offset = if *offset == 0 { String::new() } else { format!(" + {offset}") };
        let module = there.code.module.as_ref().map_or(String::new(), |module| format!(" in {module}"));
        Some((ranks, Ok(format!("{name}{offset}{module}"))))
    });
    for (ranks, text) in by_content(told.collect::<Vec<_>>()) {
        match text {
            Ok(text) => core.say(id, Content::Text(ranks, text)),
            Err(()) => core.error(id, ranks, no_symbol_at(expression), None),
        }
    }
}

pub(in crate::core) fn code_of(core: &mut Interpreter, id: CommandId, target: Target, at: Option<LocationSpec>) {
    let at = at.map(|location| core.state.completed(location)).or_else(|| place_after_end(core, &target));
    let flavor = DisassemblyFlavor::default();
    let read = |count| Operation::Disassemble { context: core.context(&target), at: at.clone(), count, flavor };
    // An address may be an expression: the instruction there says which of the function's it is.
    let there = matches!(at, Some(LocationSpec::Address(_))).then(|| read(Some(1)));
    let operations = [read(None)].into_iter().chain(there).collect();
    core.ask_all_stopped(id, target, operations, Then::CodeOf(at));
}

/// Marks the instruction that is meant as the current one, for ranks that have it at the same address.
fn meant(code: Vec<(ProcessSet, Vec<Instruction>)>, there: &Answers) -> Vec<(ProcessSet, Vec<Instruction>)> {
    let mut parts = Vec::new();
    for (ranks, instructions) in &code {
        for (_, of, answer) in there {
            let Answer::Instructions(found) = answer else { continue };
            let common = ranks.intersection(of);
            let Some(one) = found.first().filter(|_| !common.is_empty()) else { continue };
            let mark = |other: &Instruction| Instruction {
                current: other.code.offset == one.code.offset && other.code.module == one.code.module,
                ..other.clone()
            };
            parts.push((common, instructions.iter().map(mark).collect()));
        }
    }
    parts
}

/// Reports the addresses of a line's code; true if the command continues to record the first.
pub(in crate::core) fn code_known(
    core: &mut Interpreter,
    id: CommandId,
    at: Option<&LocationSpec>,
    good: Answers,
) -> bool {
    let (of_function, there): (Answers, Answers) = good.into_iter().partition(|(request, ..)| *request == 0);
    let code = of_function.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Instructions(instructions) => Some((ranks, instructions)),
        _ => None,
    });
    let mut code: Vec<(ProcessSet, Vec<Instruction>)> = code.collect();
    if let Some(LocationSpec::Address(_)) = at {
        code = meant(code, &there);
    }
    if let Some(location @ LocationSpec::Function(name)) = at {
        let (_, name) = file_and_function(name);
        let name = name.strip_prefix(QUALIFIED).unwrap_or(&name);
        let is_around = |instructions: &[Instruction]| {
            let function = instructions.first().and_then(|first| first.function.as_ref());
            function.is_some_and(|(function, _)| !is_named(function, name))
        };
        let inlined = code.iter().filter(|(_, instructions)| is_around(instructions));
        let inlined = inlined.fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks));
        if !inlined.is_empty() {
            let operation = Operation::Resolve(location.clone(), model::Context::default(), FunctionLine::Body);
            core.ask(id, vec![(inlined, operation)], Then::InlinedCode(location.clone(), code));
            return true;
        }
    }
    tell_code(core, id, at, code.into_iter().map(|(ranks, instructions)| (ranks, instructions, None)))
}

/// As [`code_known`], once the lines of functions that the compiler has inlined are known.
pub(in crate::core) fn inlined_code_known(
    core: &mut Interpreter,
    id: CommandId,
    at: &LocationSpec,
    code: Vec<(ProcessSet, Vec<Instruction>)>,
    good: &Answers,
) -> bool {
    let mut parts = Vec::new();
    for (mut ranks, instructions) in code {
        for (_, of, answer) in good {
            let Answer::Places(places) = answer else { continue };
            let common = ranks.intersection(of);
            ranks.remove_all(&common);
            if !common.is_empty() {
                parts.push((common, instructions.clone(), places.first().cloned()));
            }
        }
        if !ranks.is_empty() {
            parts.push((ranks, instructions, None));
        }
    }
    tell_code(core, id, Some(at), parts.into_iter())
}

/// Reports the addresses of a line's code, for ranks with the code around it and the line of an inlined function; true
/// if the command continues.
fn tell_code(
    core: &mut Interpreter,
    id: CommandId,
    at: Option<&LocationSpec>,
    code: impl Iterator<Item = (ProcessSet, Vec<Instruction>, Option<SourcePlace>)>,
) -> bool {
    let mut starts = Vec::new();
    let mut texts = Vec::new();
    for (ranks, instructions, inlined) in code {
        let Some((first, end)) = run_of(&instructions, at, inlined.as_ref()) else {
            texts.push((ranks, Err("no line information for this location".to_owned())));
            continue;
        };
        starts.extend(first.code.address.map(|address| (ranks.clone(), address)));
        texts.push((ranks, Ok(told(first, end, at))));
    }
    for (ranks, text) in by_content(texts) {
        match text {
            Ok(text) => core.say(id, Content::Text(ranks, text)),
            Err(why) => core.error(id, ranks, why, None),
        }
    }
    note_places(core, id, starts)
}

/// Sets `$_`, from which the next `x` continues, to these addresses; true if the command continues.
pub(in crate::core) fn note_places(
    core: &mut Interpreter,
    id: CommandId,
    places: Vec<(ProcessSet, VirtualAddress)>,
) -> bool {
    let readable = core.state.ranks.at_rest().union(&core.state.ranks.with_files_only());
    let places = places.into_iter().map(|(ranks, address)| (ranks.intersection(&readable), address));
    let places: Vec<_> = places.filter(|(ranks, _)| !ranks.is_empty()).collect();
    if places.is_empty() {
        return false;
    }
    let context = model::Context::default();
    let note = |address: VirtualAddress| Operation::ReadMemory {
        context,
        address: address.to_string(),
        offset: 0,
        length: 1,
        examined: Some(Examination::Place),
    };
    let questions = places.iter().map(|(ranks, address)| (ranks.clone(), note(*address))).collect();
    examine::go_on_from(core, places);
    core.ask(id, questions, Then::Noted);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::CodePlace;

    fn code(lines: &[u32]) -> Vec<Instruction> {
        let one = |(at, line): (u64, &u32)| Instruction {
            code: CodePlace { module: None, offset: at, address: Some(VirtualAddress(0x1000 + at)) },
            function: Some(("f".into(), at)),
            source: Some(SourcePlace { file: "/src/a.c".into(), line: *line }),
            bytes: vec![0x90],
            text: "nop".into(),
            current: at == 3,
        };
        (0..).zip(lines).map(one).collect()
    }

    #[test]
    fn a_line_is_told_as_gdb_does() {
        let code = code(&[5, 5, 7, 7, 9]);
        let line = |line| Some(LocationSpec::Line(line));
        for (at, words) in [
            (
                Some(LocationSpec::Function("f".into())),
                "Line 5 of \"a.c\" starts at address 0x1000 <f> and ends at 0x1002 <f+2>.",
            ),
            (line(7), "Line 7 of \"a.c\" starts at address 0x1002 <f+2> and ends at 0x1004 <f+4>."),
            (None, "Line 7 of \"a.c\" starts at address 0x1002 <f+2> and ends at 0x1004 <f+4>."),
            (line(9), "Line 9 of \"a.c\" starts at address 0x1004 <f+4> and ends with its function."),
            (line(6), "Line 6 of \"a.c\" contains no code; line 7 starts at address 0x1002 <f+2>."),
        ] {
            let (first, end) = run_of(&code, at.as_ref(), None).unwrap();
            assert_eq!(told(first, end, at.as_ref()), words);
        }
        assert!(run_of(&code, line(10).as_ref(), None).is_none());
        let (at, inlined) =
            (Some(LocationSpec::Function("g".into())), SourcePlace { file: "/src/a.c".into(), line: 7 });
        let (first, end) = run_of(&code, at.as_ref(), Some(&inlined)).unwrap();
        let words = "Line 7 of \"a.c\" starts at address 0x1002 <f+2> and ends at 0x1004 <f+4>.";
        assert_eq!(told(first, end, at.as_ref()), words, "inlined into f");
    }

    #[test]
    fn lines_of_inlined_functions_of_other_files_are_not_those_of_the_file() {
        let mut code = code(&[5, 80, 72, 90]);
        code[1].source = Some(SourcePlace { file: "/usr/include/new_allocator.h".into(), line: 80 });
        let at = LocationSpec::FileLine { file: "a.c".into(), line: 71 };
        let (first, end) = run_of(&code, Some(&at), None).unwrap();
        let words = "Line 71 of \"a.c\" contains no code; line 72 starts at address 0x1002 <f+2>.";
        assert_eq!(told(first, end, Some(&at)), words);
        let at = LocationSpec::FileLine { file: "a.c".into(), line: 80 };
        assert_eq!(run_of(&code, Some(&at), None).unwrap().0.source.as_ref().unwrap().line, 90);
    }

    #[test]
    fn the_last_place_is_that_of_each_rank() {
        let site = |address| Site { module: None, offset: 0, address, function: None, source: None };
        let (all, one) = (ProcessSet::range(0, 3), ProcessSet::range(1, 2));
        let (low, high) = (VirtualAddress(0x10), VirtualAddress(0x20));
        let sites = [(all.clone(), site(Some(low))), (one.clone(), site(Some(high)))];
        assert_eq!(last_place(sites.iter()), [(one.clone(), high), (all.difference(&one), low)]);
        assert_eq!(last_place([(all, site(None))].iter()), []);
    }
}

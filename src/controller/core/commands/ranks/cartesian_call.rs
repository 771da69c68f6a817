//! `layout cart`: the grid of ranks from the arguments of `MPI_Cart_create`, where a rank is stopped in it.

use super::layout;
use crate::command::{CommandId, RankLayout};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use model::aif::AifValue;
use model::{Answer, CartesianGrid, Context, Datum, Frame, Operation, ProcessSet, ThreadId};

/// Frames in which the call is looked for.
const MOST_FRAMES: u32 = 32;

/// Bytes of code from the beginning of a function on that leave the registers of its arguments as they are: an `endbr64`,
/// the pushes, and the room for its variables, up to where `break FUNCTION` stops.
const ENTRY: u64 = 16;

/// The most equal sizes in a row that are read: more are no grid.
const MOST_SIZES: u32 = 16;

/// How `dims` is found: its expression, and that of the distance from the beginning of the function, if it must be small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reading {
    dims: String,
    distance: Option<String>,
}

/// Asks the stopped ranks for their stacks.
pub(in crate::core) fn find(core: &mut Interpreter, id: CommandId, target: &Target) {
    // The call of any rank will do, whatever the focus.
    let ranks = if target.named { target.ranks.clone() } else { ProcessSet::all(core.state.size()) };
    let stopped = ranks.intersection(&core.state.ranks.at_rest());
    if stopped.is_empty() {
        return not_found(core, id, "no rank is stopped");
    }
    let operation = Operation::Stack { thread: target.thread, low: 0, high: Some(MOST_FRAMES - 1), most: None };
    core.ask(id, vec![(stopped, operation)], Then::CartesianCall(target.thread));
}

fn not_found(core: &mut Interpreter, id: CommandId, why: &str) {
    let next = "\"break MPI_Cart_create\", continue to it, then \"layout cart\"; or give the sizes: \"layout 4x3\"";
    let position = core.position_in_line(id, "cart", Some(0));
    core.error(id, ProcessSet::new(), format!("{why}: {next}"), position);
    core.done(id);
}

/// True for the bindings of a language that pass the addresses of their arguments.
fn is_by_reference(function: &str) -> Option<bool> {
    if matches!(function, "MPI_Cart_create" | "PMPI_Cart_create") {
        return Some(false);
    }
    let lower = function.to_ascii_lowercase();
    let name = lower.trim_end_matches('_');
    let name = name.strip_suffix("_f08").or_else(|| name.strip_suffix("_f08ts")).unwrap_or(name);
    let name = name.strip_prefix('p').filter(|name| name.starts_with("mpi_")).unwrap_or(name);
    (name == "mpi_cart_create" && !function.contains("Cart")).then_some(true)
}

impl Reading {
    /// How the arguments are read in a frame; `None` if it is not one of the call, or they are nowhere any more.
    fn of(frame: &Frame) -> Option<Result<Self, u32>> {
        let function = frame.function.as_deref()?;
        let by_reference = is_by_reference(function)?;
        if frame.source.is_some() && !by_reference {
            return Some(Ok(Self { dims: "*dims@ndims".to_owned(), distance: None }));
        }
        if frame.level > 0 {
            return Some(Err(frame.level));
        }
        // System V ABI for x86-64, 3.2.3: the second and the third argument.
        let count = if by_reference { "*(int *)$rsi" } else { "(int)$rsi" };
        let distance = Some(format!("(unsigned long)$pc - (unsigned long)&{function}"));
        Some(Ok(Self { dims: format!("*(int *)$rdx@{count}"), distance }))
    }
}

/// Reads the arguments in the frames of the call; true if the command continues.
pub(in crate::core) fn stacks_known(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    good: Answers,
) -> bool {
    let mut questions = Vec::new();
    let mut deep = ProcessSet::new();
    for (_, ranks, answer) in good {
        let Answer::Stack(frames) = answer else { continue };
        // The outermost: the profiling layer may have another one in it.
        let Some((frame, reading)) = frames.iter().rev().find_map(|frame| Some((frame, Reading::of(frame)?))) else {
            continue;
        };
        let innermost = frames.iter().find_map(Reading::of);
        match reading.or_else(|_| innermost.unwrap_or(Err(0))) {
            Ok(reading) => {
                let level = if reading.distance.is_some() { 0 } else { frame.level };
                let ask = |expression| Operation::Evaluate { context: Context { thread, frame: level }, expression };
                let expressions = [Some(reading.dims), reading.distance].into_iter().flatten();
                questions.extend(expressions.map(|expression| (ranks.clone(), ask(expression))));
            }
            Err(_) => deep.extend_with(&ranks),
        }
    }
    if !questions.is_empty() {
        core.ask(id, questions, Then::CartesianSizes);
    } else if deep.is_empty() {
        not_found(core, id, "no stopped rank is in MPI_Cart_create");
    } else {
        let why = "MPI_Cart_create has no debug information, and its arguments can be read at its beginning only";
        not_found(core, id, why);
    }
    true
}

/// Sets the layout to the grid of the sizes; true if the command has ended.
pub(in crate::core) fn sizes_known(core: &mut Interpreter, id: CommandId, good: Answers) -> bool {
    let mut grids: Vec<(ProcessSet, Vec<u32>)> = Vec::new();
    let mut beyond = ProcessSet::new();
    for (_, ranks, answer) in good {
        let Answer::Data(datum) = answer else { continue };
        match sizes_of(&datum) {
            Some(sizes) => match grids.iter_mut().find(|(_, known)| *known == sizes) {
                Some((known, _)) => known.extend_with(&ranks),
                None => grids.push((ranks, sizes)),
            },
            None if datum.as_f64().is_none_or(|distance| !(0.0..=ENTRY as f64).contains(&distance)) => {
                beyond.extend_with(&ranks);
            }
            None => {}
        }
    }
    grids.iter_mut().for_each(|(ranks, _)| ranks.remove_all(&beyond));
    grids.retain(|(ranks, _)| !ranks.is_empty());
    match grids.as_slice() {
        [] if beyond.is_empty() => not_found(core, id, "the sizes in the call of MPI_Cart_create cannot be read"),
        [] => not_found(core, id, "MPI_Cart_create is beyond its beginning, where its arguments can be read"),
        [(some, one), (others, other), ..] => {
            let text = |sizes: &[u32]| sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
            let made = format!("{} on {some}, {} on {others}", text(one), text(other));
            let words = format!("the ranks make different grids: {made}; \"[RANKS] layout cart\" takes that of some");
            core.error(id, ProcessSet::new(), words, None);
            core.done(id);
        }
        [(ranks, sizes)] => {
            match CartesianGrid::new(sizes.clone()) {
                Ok(grid) => layout::set(core, id, RankLayout::Grid(grid)),
                Err(why) => core.error(id, ranks.clone(), format!("MPI_Cart_create was given no grid: {why}"), None),
            }
            core.done(id);
        }
    }
    true
}

/// The numbers of an array; `None` if it is none.
fn sizes_of(datum: &Datum) -> Option<Vec<u32>> {
    let (_, value) = datum.parsed().ok()?;
    let elements = elements_of(value)?;
    // A negative size is no size; a long array is no grid, as the next message says.
    let size = |element: AifValue| match element {
        AifValue::Scalar(size) => u32::try_from(size).ok().filter(|size| i32::try_from(*size).is_ok()).unwrap_or(0),
        _ => 0,
    };
    Some(elements.into_iter().map(size).collect())
}

fn elements_of(value: AifValue) -> Option<Vec<AifValue>> {
    match value {
        AifValue::Elements(elements) => Some(elements),
        AifValue::Runs(runs) => {
            let each = runs.into_iter().flat_map(|(times, element)| vec![element; times.min(MOST_SIZES) as usize]);
            Some(each.collect())
        }
        AifValue::Located(_, value) => elements_of(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bindings_of_the_call_are_known() {
        for name in ["MPI_Cart_create", "PMPI_Cart_create"] {
            assert_eq!(is_by_reference(name), Some(false), "{name}");
        }
        for name in
            ["mpi_cart_create_", "mpi_cart_create__", "pmpi_cart_create_", "MPI_CART_CREATE", "mpi_cart_create_f08_"]
        {
            assert_eq!(is_by_reference(name), Some(true), "{name}");
        }
        for name in ["MPIR_Cart_create", "MPI_Cart_coords", "MPI_Cart_created", "cart_create", "", "p"] {
            assert_eq!(is_by_reference(name), None, "{name}");
        }
    }
}

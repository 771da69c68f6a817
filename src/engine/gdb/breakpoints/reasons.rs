//! The reason of a stop at a breakpoint of the user.

use super::table::BreakpointTable;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::system_call::system_call;
use crate::gdb::inspect::values::{Values, text_datum};
use crate::gdb::mi::Results;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::session::stop_words::StopWords;
use model::{BreakpointId, Catch, Caught, CaughtSignals, Datum, Point, SignalName, StopReason, Watched};

fn watched(
    gdb: &mut Gdb,
    inferior: &InferiorState,
    values: &mut Values,
    type_name: &str,
    results: &Results,
) -> Result<Watched, GdbError> {
    if results.text("reason") == Some("watchpoint-scope") {
        return Ok(Watched::ScopeEnded);
    }
    let told = results.inside("value").cloned().unwrap_or_default();
    let mut datum =
        |name: &str| told.text(name).map(|text| read_again(gdb, inferior, values, text, type_name)).transpose();
    Ok(match (datum("old")?, datum("new")?, datum("value")?) {
        (old @ Some(_), new, _) => Watched::Changed { old, new },
        (None, Some(value), _) | (None, None, Some(value)) => Watched::Accessed { value },
        (None, None, None) => Watched::Changed { old: None, new: None },
    })
}

/// Converts a value that gdb has printed to data: gdb parses its own output, at least for numbers.
fn read_again(
    gdb: &mut Gdb,
    inferior: &InferiorState,
    values: &mut Values,
    text: &str,
    type_name: &str,
) -> Result<Datum, GdbError> {
    // A character or pointer is printed as a number and its meaning.
    let plain =
        [" '", " <", " \"", " L'", " u'"].iter().fold(text, |text, mark| text.split(mark).next().unwrap_or(text));
    let as_text = text_datum(text, type_name);
    if type_name.is_empty() || plain.contains('{') {
        return Ok(as_text);
    }
    let expression = format!("({type_name}) ({plain})");
    Ok(values.evaluate(gdb, inferior.current(), 0, &expression)?.unwrap_or(as_text))
}

fn caught(
    gdb: &mut Gdb,
    inferior: &InferiorState,
    words: &StopWords,
    catch: &Catch,
    results: &Results,
) -> Result<Caught, GdbError> {
    let paths = |name: &str| {
        let listed = results.inside(name).map(|listed| listed.0.iter().filter_map(|(_, path)| path.as_text()));
        listed.into_iter().flatten().map(str::to_owned).collect()
    };
    Ok(match catch {
        Catch::Throw => Caught::Thrown,
        Catch::Catch => Caught::Handled,
        Catch::Rethrow => Caught::Rethrown,
        Catch::Exec => Caught::Executed(inferior.executable().display().to_string()),
        Catch::Fork => Caught::Forked,
        Catch::Vfork => Caught::Vforked,
        Catch::Signal(CaughtSignals::These(names)) if names.len() == 1 => {
            Caught::Signal(names.first().cloned().unwrap_or_else(|| SignalName("SIG0".into())))
        }
        Catch::Signal(_) => {
            let name = words.caught_signal().or_else(|| results.text("signal-name")).unwrap_or("SIG0");
            Caught::Signal(SignalName::parse(name).unwrap_or_else(|| SignalName(name.into())))
        }
        // No catchpoint of gdb is for them.
        Catch::Fpe(_) => Caught::Signal(SignalName("SIGFPE".into())),
        Catch::Load(_) => Caught::Loaded(paths("added")),
        Catch::Unload(_) => Caught::Unloaded(paths("removed")),
        Catch::Call(_) => {
            let number = results.number("syscall-number").unwrap_or(u64::MAX);
            Caught::Call(system_call(gdb, number, results.text("reason") == Some("syscall-return"))?)
        }
    })
}

impl BreakpointTable {
    /// Returns the reason of a stop at a breakpoint of the user.
    pub(in crate::gdb) fn reason(
        &self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        values: &mut Values,
        words: &StopWords,
        id: BreakpointId,
        results: &Results,
    ) -> Result<StopReason, GdbError> {
        let Some(planted) = self.get(id) else { return Ok(StopReason::Breakpoint(id)) };
        Ok(match &planted.request.point {
            Point::Place(_) => StopReason::Breakpoint(id),
            Point::Watch(_) if words.gave_up_watchpoint(planted.number) => StopReason::Watchpoint(id, Watched::GivenUp),
            Point::Watch(_) => StopReason::Watchpoint(id, watched(gdb, inferior, values, &planted.type_name, results)?),
            Point::Catch(catch) => StopReason::Caught(id, caught(gdb, inferior, words, catch, results)?),
        })
    }
}

//! Sets watchpoints and catchpoints.

use super::planted::Planted;
use super::table::BreakpointTable;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::glob::regular_expression;
use crate::gdb::inspect::values::Values;
use crate::gdb::mi::{Command, Results};
use crate::gdb::reporter::Reporter;
use crate::gdb::session::fault::{GdbError, failure_in};
use crate::gdb::session::gdb::Gdb;
use model::{Answer, Armed, BreakpointRequest, Catch, ErrorCode, Event, Failure, Point, Watch, WatchAccess};

/// Sets a catchpoint; returns its number, which gdb gives in the answer or beside it.
fn catchpoint(gdb: &mut Gdb, command: &Command) -> Result<u64, GdbError> {
    let results = gdb.ask(command)?.results;
    let said = results.inside("bkpt").and_then(|bkpt| bkpt.number("number"));
    let number = said.or_else(|| gdb.created_breakpoint());
    number.ok_or_else(|| GdbError::Refused("gdb reported no catchpoint number".to_owned()))
}

/// Sets a point's condition, ignore count and state; returns the answer if gdb rejects the condition.
fn finish_point(gdb: &mut Gdb, request: &BreakpointRequest, number: u64) -> Result<Option<Answer>, GdbError> {
    if let Some(condition) = &request.condition {
        match gdb.ask(&Command::new("break-condition").word(number).word(condition)) {
            Ok(_) => {}
            Err(GdbError::Refused(why)) => {
                gdb.ask(&Command::new("break-delete").word(number))?;
                return Ok(Some(Answer::Failed(failure_in(condition, &why))));
            }
            Err(gone) => return Err(gone),
        }
    }
    if request.ignore > 0 {
        gdb.ask(&Command::new("break-after").word(number).word(request.ignore))?;
    }
    if !request.enabled {
        gdb.ask(&Command::new("break-disable").word(number))?;
    }
    Ok(None)
}

impl BreakpointTable {
    /// Keeps a watchpoint until the first stop: before it, there is nothing to watch.
    pub(in crate::gdb) fn watch_from_start(&mut self, values: &mut Values, request: &BreakpointRequest) -> Answer {
        values.note_newest_point(request.id);
        self.planted.retain(|planted| planted.request.id != request.id);
        self.planted.push(Planted::of_point(request.clone(), 0, String::new()));
        Answer::Armed(request.id, Armed::Pending)
    }

    /// Sets the watchpoints that were kept until the first stop.
    pub(in crate::gdb) fn watch_now(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        values: &mut Values,
        reporter: &Reporter,
    ) -> Result<(), GdbError> {
        let waits = |planted: &&Planted| planted.number == 0 && matches!(planted.request.point, Point::Watch(_));
        let waiting: Vec<BreakpointRequest> =
            self.planted.iter().filter(waits).map(|planted| planted.request.clone()).collect();
        for request in waiting {
            match self.set(gdb, inferior, values, reporter, &request)? {
                Answer::Armed(id, armed) => reporter.event(Event::BreakpointArmed(id, armed)),
                Answer::Failed(failure) => {
                    let message = format!("cannot set watchpoint {} again: {}", request.id, failure.message);
                    reporter.warn(message);
                    reporter.event(Event::BreakpointGone(request.id));
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn set_watch(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        values: &mut Values,
        request: &BreakpointRequest,
        watch: &Watch,
    ) -> Result<Answer, GdbError> {
        if !inferior.is_stopped() {
            let message = "The rank is running; interrupt it first.";
            return Ok(Answer::Failed(Failure::new(ErrorCode::RUNNING, message)));
        }
        if request.thread.is_some() {
            let message = "the gdb engine cannot watch for a single thread";
            return Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        }
        inferior.select(gdb, watch.context)?;
        // This type is used to parse the values that gdb prints.
        let thread = inferior.thread_of(watch.context);
        let type_name = match values.evaluate(gdb, thread, watch.context.frame, watch.bare())? {
            Ok(datum) => datum.type_name,
            Err(failure) if failure.code == ErrorCode::MEMORY => String::new(),
            Err(failure) => return Ok(Answer::Failed(failure)),
        };
        let command = Command::new("break-watch");
        let command = match watch.access {
            WatchAccess::Change => command,
            WatchAccess::Read => command.word("-r"),
            WatchAccess::Any => command.word("-a"),
        };
        let expression = match watch.at_place() {
            // gdb's own option prints type and address in C's notation, and GDB/MI lacks it.
            Some(of) => {
                let kept = format!("$rankscope_place_{}", request.id.0);
                match gdb.ask(&Command::console(&format!("set {kept} = &({of})"))) {
                    Ok(_) => format!("*{kept}"),
                    Err(GdbError::Refused(why)) => return Ok(Answer::Failed(failure_in(of, &why))),
                    Err(gone) => return Err(gone),
                }
            }
            None => watch.expression.clone(),
        };
        let results = match gdb.ask(&command.word(&expression)) {
            Ok(answered) => answered.results,
            Err(GdbError::Refused(why)) => return Ok(Answer::Failed(failure_in(&expression, &why))),
            Err(gone) => return Err(gone),
        };
        let Some(number) = watch_number(&results) else {
            return Err(GdbError::Refused("gdb reported no watchpoint number".to_owned()));
        };
        if let Some(failed) = finish_point(gdb, request, number)? {
            return Ok(failed);
        }
        let bkpt = gdb.breakpoint(number)?;
        let armed = match bkpt.as_ref().and_then(|bkpt| bkpt.text("type")) {
            Some("watchpoint") => Armed::Software("gdb single-steps and compares the value".to_owned()),
            _ => Armed::Hardware,
        };
        let mut planted = Planted::of_point(request.clone(), number, type_name);
        planted.frame = gdb.frame_id(thread, watch.context.frame)?;
        self.planted.push(planted);
        Ok(Answer::Armed(request.id, armed))
    }

    pub(super) fn set_catch(
        &mut self,
        gdb: &mut Gdb,
        request: &BreakpointRequest,
        catch: &Catch,
    ) -> Result<Answer, GdbError> {
        let number = match catch {
            Catch::Fpe(_) => {
                let message = "the gdb engine cannot catch floating-point exceptions; use the native engine";
                return Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
            }
            // Every exec stops internally; this catchpoint only makes it visible.
            Catch::Exec => 0,
            Catch::Throw => catchpoint(gdb, &Command::new("catch-throw"))?,
            Catch::Catch => catchpoint(gdb, &Command::new("catch-catch"))?,
            Catch::Rethrow => catchpoint(gdb, &Command::new("catch-rethrow"))?,
            Catch::Fork => catchpoint(gdb, &Command::console("catch fork"))?,
            Catch::Vfork => catchpoint(gdb, &Command::console("catch vfork"))?,
            Catch::Signal(signals) => catchpoint(gdb, &Command::console(&format!("catch signal{signals}")))?,
            Catch::Load(glob) => {
                let glob = glob.as_ref().map(|glob| regular_expression(&format!("*{glob}*")));
                let words = glob.as_deref().unwrap_or(".*");
                catchpoint(gdb, &Command::new("catch-load").word(words))?
            }
            Catch::Unload(glob) => {
                let glob = glob.as_ref().map(|glob| regular_expression(&format!("*{glob}*")));
                let words = glob.as_deref().unwrap_or(".*");
                catchpoint(gdb, &Command::new("catch-unload").word(words))?
            }
            Catch::Call(choice) => catchpoint(gdb, &Command::console(&format!("catch syscall {choice}")))?,
        };
        let has_more = request.condition.is_some() || request.ignore > 0;
        if number == 0 && has_more {
            let message = "the gdb engine does not support conditions or ignore counts on catch exec";
            return Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        }
        if number != 0
            && let Some(failed) = finish_point(gdb, request, number)?
        {
            return Ok(failed);
        }
        self.planted.push(Planted::of_point(request.clone(), number, String::new()));
        Ok(Answer::Armed(request.id, Armed::Events))
    }
}

/// Returns gdb's number of the watchpoint in an answer or a stop.
pub(in crate::gdb) fn watch_number(results: &Results) -> Option<u64> {
    let kinds = ["wpt", "hw-rwpt", "hw-awpt"];
    kinds.iter().find_map(|kind| results.inside(kind)?.number("number")).or_else(|| results.number("wpnum"))
}

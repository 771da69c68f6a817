//! Watchpoints and catchpoints: how they are asked for, and what gdb says when one stops the rank.

use crate::gdb::breakpoints::planted::{Planted, WatchPlace};
use crate::gdb::inspect::values::text_datum;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::{GdbError, failure_in};
use crate::gdb::session::link::News;
use crate::gdb::state::{Debuggee, Phase};
use model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Catch, Caught, Context, Datum, ErrorCode, Failure, Point,
    SignalName, StopReason, ThreadId, Watch, WatchAccess, Watched,
};
use serde::Deserialize;

/// The same as the script tells it.
#[derive(Debug, Deserialize)]
struct FrameTold {
    base: Option<u64>,
    function: Option<String>,
}

impl Debuggee {
    /// Has gdb watch an expression.
    pub(in crate::gdb) fn set_watch(&mut self, request: &BreakpointRequest, watch: &Watch) -> Result<Answer, GdbError> {
        if self.phase != Phase::Stopped {
            let message = "The rank is running; interrupt it first.";
            return Ok(Answer::Failed(Failure::new(ErrorCode::RUNNING, message)));
        }
        if request.thread.is_some() {
            let message = "the gdb engine watches for all threads of a rank, not for one";
            return Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        }
        self.select(watch.context)?;
        // The type by which the values that gdb prints are read again.
        let type_name = match self.evaluate(self.thread_of(watch.context), watch.context.frame, watch.bare())? {
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
            // gdb's own option writes type and address as C has them, and its machine interface does not have it.
            Some(of) => {
                let kept = format!("$rankscope_place_{}", request.id.0);
                match self.link.ask(&Command::console(&format!("set {kept} = &({of})"))) {
                    Ok(_) => format!("*{kept}"),
                    Err(GdbError::Refused(why)) => return Ok(Answer::Failed(failure_in(of, &why))),
                    Err(gone) => return Err(gone),
                }
            }
            None => watch.expression.clone(),
        };
        let results = match self.link.ask(&command.word(&expression)) {
            Ok(answered) => answered.results,
            Err(GdbError::Refused(why)) => return Ok(Answer::Failed(failure_in(&expression, &why))),
            Err(gone) => return Err(gone),
        };
        let Some(number) = watch_number(&results) else {
            return Err(GdbError::Refused("gdb does not say which watchpoint this is".to_owned()));
        };
        if let Some(failed) = self.finish_point(request, number)? {
            return Ok(failed);
        }
        let told = self.link.ask(&Command::new("break-info").word(number))?.results;
        let body = told.inside("BreakpointTable").and_then(|table| table.inside("body"));
        let kind = body.and_then(|body| body.parts().next()).and_then(|bkpt| bkpt.text("type"));
        let armed = match kind {
            Some("watchpoint") => Armed::Software("gdb steps and looks at the value".to_owned()),
            _ => Armed::Hardware,
        };
        let place = self.frame_place(watch.context)?;
        let mut planted = Planted::of_point(request.clone(), number, type_name);
        planted.place = place;
        self.breakpoints.push(planted);
        Ok(Answer::Armed(request.id, armed))
    }

    /// What tells the frame of a context from all others on the stack.
    pub(in crate::gdb) fn frame_place(&mut self, context: Context) -> Result<Option<WatchPlace>, GdbError> {
        if !self.python {
            return Ok(None);
        }
        let thread = ThreadId(self.thread_of(context));
        let told = self.script::<FrameTold>(&format!("frame_place({thread}, {})", context.frame))?;
        let place =
            told.ok().and_then(|FrameTold { base, function }| Some(WatchPlace { thread, base: base?, function }));
        Ok(place)
    }

    fn thread_of(&self, context: Context) -> u32 {
        context.thread.unwrap_or(self.current).0
    }

    /// Has gdb catch something that the process does.
    pub(in crate::gdb) fn set_catch(&mut self, request: &BreakpointRequest, catch: &Catch) -> Result<Answer, GdbError> {
        let number = match catch {
            // Every exec stops, because we have to know; this one is said.
            Catch::Exec => 0,
            Catch::Throw => self.catchpoint(&Command::new("catch-throw"))?,
            Catch::Catch => self.catchpoint(&Command::new("catch-catch"))?,
            Catch::Fork => self.catchpoint(&Command::console("catch fork"))?,
            Catch::Vfork => self.catchpoint(&Command::console("catch vfork"))?,
            Catch::Signal(None) => self.catchpoint(&Command::console("catch signal"))?,
            Catch::Signal(Some(name)) => self.catchpoint(&Command::console(&format!("catch signal {name}")))?,
            Catch::Load(glob) => {
                let glob =
                    glob.as_ref().map(|glob| crate::gdb::inspect::queries::regular_expression(&format!("*{glob}*")));
                let words = glob.as_deref().unwrap_or(".*");
                self.catchpoint(&Command::new("catch-load").word(words))?
            }
        };
        let has_more = request.condition.is_some() || request.ignore > 0;
        if number == 0 && has_more {
            let message = "the gdb engine catches an exec without condition or ignore count only";
            return Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
        }
        if number != 0
            && let Some(failed) = self.finish_point(request, number)?
        {
            return Ok(failed);
        }
        self.breakpoints.push(Planted::of_point(request.clone(), number, String::new()));
        Ok(Answer::Armed(request.id, Armed::Events))
    }

    /// Asks for a catchpoint; its number, which gdb says in the answer or beside it.
    fn catchpoint(&mut self, command: &Command) -> Result<u64, GdbError> {
        let results = self.link.ask(command)?.results;
        let created = |news: &News| match news {
            News::Async(_, class, results) if class == "breakpoint-created" => results.inside("bkpt")?.number("number"),
            _ => None,
        };
        let said = results.inside("bkpt").and_then(|bkpt| bkpt.number("number"));
        let number = said.or_else(|| self.link.news.iter().rev().find_map(created));
        number.ok_or_else(|| GdbError::Refused("gdb does not say which catchpoint this is".to_owned()))
    }

    /// What a request says beyond the point itself; the answer when gdb does not take it.
    fn finish_point(&mut self, request: &BreakpointRequest, number: u64) -> Result<Option<Answer>, GdbError> {
        if let Some(condition) = &request.condition {
            match self.link.ask(&Command::new("break-condition").word(number).word(condition)) {
                Ok(_) => {}
                Err(GdbError::Refused(why)) => {
                    self.link.ask(&Command::new("break-delete").word(number))?;
                    return Ok(Some(Answer::Failed(failure_in(condition, &why))));
                }
                Err(gone) => return Err(gone),
            }
        }
        if request.ignore > 0 {
            self.link.ask(&Command::new("break-after").word(number).word(request.ignore))?;
        }
        if !request.enabled {
            self.link.ask(&Command::new("break-disable").word(number))?;
        }
        Ok(None)
    }

    /// The reason of a stop by a point of the user.
    pub(in crate::gdb) fn reason_of(&mut self, id: BreakpointId, results: &Results) -> Result<StopReason, GdbError> {
        let planted = self.breakpoints.iter().find(|planted| planted.request.id == id);
        let told = planted.map(|p| (p.request.point.clone(), p.type_name.clone(), p.number));
        let Some((point, type_name, number)) = told else { return Ok(StopReason::Breakpoint(id)) };
        Ok(match point {
            Point::Place(_) => StopReason::Breakpoint(id),
            // Where a variable of optimised code has no value, gdb stops and says this.
            Point::Watch(_) if self.words.contains(&format!("atchpoint {number} deleted.")) => {
                StopReason::Watchpoint(id, Watched::GivenUp)
            }
            Point::Watch(_) => StopReason::Watchpoint(id, self.watched(&type_name, results)?),
            Point::Catch(catch) => StopReason::Caught(id, self.caught(&catch, results)),
        })
    }

    fn watched(&mut self, type_name: &str, results: &Results) -> Result<Watched, GdbError> {
        if results.text("reason") == Some("watchpoint-scope") {
            return Ok(Watched::ScopeEnded);
        }
        let values = results.inside("value").cloned().unwrap_or_default();
        let mut datum = |name: &str| values.text(name).map(|text| self.read_again(text, type_name)).transpose();
        Ok(match (datum("old")?, datum("new")?, datum("value")?) {
            (old @ Some(_), new, _) => Watched::Changed { old, new },
            (None, Some(value), _) | (None, None, Some(value)) => Watched::Accessed { value },
            (None, None, None) => Watched::Changed { old: None, new: None },
        })
    }

    /// A value that gdb has printed, as data: gdb reads what it writes, of numbers at least.
    fn read_again(&mut self, text: &str, type_name: &str) -> Result<Datum, GdbError> {
        // Behind the number of a character or pointer comes what it means.
        let plain =
            [" '", " <", " \"", " L'", " u'"].iter().fold(text, |text, mark| text.split(mark).next().unwrap_or(text));
        let as_text = text_datum(text, type_name);
        if type_name.is_empty() || plain.contains('{') {
            return Ok(as_text);
        }
        let expression = format!("({type_name}) ({plain})");
        Ok(self.evaluate(self.current.0, 0, &expression)?.unwrap_or(as_text))
    }

    fn caught(&self, catch: &Catch, results: &Results) -> Caught {
        match catch {
            Catch::Throw => Caught::Thrown,
            Catch::Catch => Caught::Handled,
            Catch::Exec => Caught::Executed(self.executable().display().to_string()),
            Catch::Fork => Caught::Forked,
            Catch::Vfork => Caught::Vforked,
            Catch::Signal(Some(name)) => Caught::Signal(name.clone()),
            // "Catchpoint 3 (signal SIGUSR1), …"
            Catch::Signal(None) => {
                let name = self.words.split("(signal ").nth(1).and_then(|rest| rest.split(')').next());
                let name = name.or_else(|| results.text("signal-name")).unwrap_or("SIG0");
                Caught::Signal(SignalName::parse(name).unwrap_or_else(|| SignalName(name.into())))
            }
            Catch::Load(_) => {
                let added = results.inside("added").map(|added| added.0.iter().filter_map(|(_, path)| path.as_text()));
                Caught::Loaded(added.into_iter().flatten().map(str::to_owned).collect())
            }
        }
    }

    /// The catchpoint of the user for an exec.
    pub(in crate::gdb) fn exec_catch(&self) -> Option<BreakpointId> {
        let wanted = |p: &&Planted| p.request.enabled && p.request.point == Point::Catch(Catch::Exec);
        self.breakpoints.iter().filter(wanted).map(|planted| planted.request.id).min()
    }
}

/// gdb's number of the watchpoint that an answer or a stop speaks of.
pub(in crate::gdb) fn watch_number(results: &Results) -> Option<u64> {
    let kinds = ["wpt", "hw-rwpt", "hw-awpt"];
    kinds.iter().find_map(|kind| results.inside(kind)?.number("number")).or_else(|| results.number("wpnum"))
}

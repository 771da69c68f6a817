//! Breakpoints, as they are set, changed and arrived at.

use crate::gdb::breakpoints::planted::{OwnCheck, Planted};
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::{GdbError, failure_in, unknown_name_in};
use crate::gdb::state::{Debuggee, Phase};
use model::{
    Answer, BreakpointId, BreakpointRequest, Context, ErrorCode, Event, Failure, LocationSpec, Point, PointAction,
    QUALIFIED, StopReason,
};

/// How a location is said to gdb. A line without a file is in the file given.
pub(in crate::gdb) fn location_words(location: &LocationSpec, file: Option<&str>) -> Vec<String> {
    let option = |name: &str| name.to_owned();
    match location {
        LocationSpec::Function(name) => match name.strip_prefix(QUALIFIED) {
            Some(whole) => vec![option("--qualified"), option("--function"), whole.to_owned()],
            None => vec![option("--function"), name.clone()],
        },
        LocationSpec::FileLine { file, line } => {
            vec![option("--source"), file.clone(), option("--line"), line.to_string()]
        }
        LocationSpec::Line(line) => match file {
            Some(file) => vec![option("--source"), file.to_owned(), option("--line"), line.to_string()],
            None => vec![line.to_string()],
        },
        LocationSpec::Address(expression) => vec![format!("*{expression}")],
    }
}

/// Why gdb did not take a condition: it cannot be read at all, or means nothing at this place.
fn is_unreadable(why: &str) -> bool {
    ["syntax error", "Invalid number", "Invalid character", "Unmatched", "Junk", "Garbage"]
        .iter()
        .any(|part| why.contains(part))
}

fn unknown(id: BreakpointId) -> Answer {
    Answer::Failed(Failure::new(ErrorCode::NO_BREAKPOINT, format!("There is no breakpoint {id}.")))
}

impl Debuggee {
    /// The file that a line without a file is in.
    pub(in crate::gdb) fn default_file(&mut self, context: Context) -> Result<Option<String>, GdbError> {
        if context == Context::default() || self.phase != Phase::Stopped {
            let file = self.frame.as_ref().and_then(|frame| frame.source.as_ref());
            return Ok(file.map(|place| place.file.to_string()));
        }
        let frame = self.frame_at(context)?;
        Ok(frame.source.map(|place| place.file.to_string()))
    }

    pub(in crate::gdb) fn set_breakpoint(&mut self, request: &BreakpointRequest) -> Result<Answer, GdbError> {
        self.newest_point = Some(request.id);
        if let Some(at) = self.breakpoints.iter().position(|planted| planted.request.id == request.id) {
            let before = self.breakpoints.remove(at);
            self.remove(before.number)?;
        }
        let location = match &request.point {
            Point::Place(location) => location,
            Point::Watch(watch) => return self.set_watch(request, watch),
            Point::Catch(catch) => return self.set_catch(request, catch),
        };
        let mut own = OwnCheck::default();
        let mut refused = None;
        loop {
            let command = self.insertion(request, location, &own)?;
            match self.link.ask(&command) {
                Ok(answered) => {
                    let bkpt = answered.results.inside("bkpt").cloned().unwrap_or_default();
                    let sites = self.sites_of(&bkpt);
                    let number = bkpt.number("number").unwrap_or(0);
                    if let Some(refused) = refused {
                        // Without the condition gdb takes it.
                        self.remove(number)?;
                        return Ok(Answer::Failed(refused));
                    }
                    let planted = Planted::of_point(request.clone(), number, String::new());
                    self.breakpoints.push(Planted { own, sites: sites.clone(), ..planted });
                    self.tell_refused(request.id, &bkpt);
                    return Ok(Answer::Breakpoint(request.id, sites));
                }
                Err(GdbError::Refused(why)) if why.contains("Unknown thread") && own.thread.is_none() => {
                    own.thread = request.thread;
                }
                Err(GdbError::Refused(why)) => match &request.condition {
                    Some(condition) if is_unreadable(&why) => {
                        return Ok(Answer::Failed(failure_in(condition, &why)));
                    }
                    Some(condition) if own.condition.is_none() => {
                        if let Some(failure) = unknown_name_in(condition, &why) {
                            return Ok(Answer::Failed(failure));
                        }
                        refused = Some(failure_in(condition, &why));
                        own.condition = Some(condition.clone());
                    }
                    _ => return Err(GdbError::Refused(why)),
                },
                Err(gone) => return Err(gone),
            }
        }
    }

    fn insertion(
        &mut self,
        request: &BreakpointRequest,
        location: &LocationSpec,
        own: &OwnCheck,
    ) -> Result<Command, GdbError> {
        let mut command = Command::new("break-insert").word("-f");
        if request.temporary && !own.is_needed() {
            command = command.word("-t");
        }
        if !request.enabled {
            command = command.word("-d");
        }
        if let Some(condition) = request.condition.as_ref().filter(|_| own.condition.is_none()) {
            command = command.word("-c").word(condition);
        }
        if request.ignore > 0 {
            command = command.word("-i").word(request.ignore);
        }
        if let Some(thread) = request.thread.filter(|_| own.thread.is_none()) {
            command = command.word("-p").word(thread);
        }
        let file = self.default_file(Context::default())?;
        Ok(location_words(location, file.as_deref()).into_iter().fold(command, Command::word))
    }

    fn planted(&mut self, id: BreakpointId) -> Option<&mut Planted> {
        self.breakpoints.iter_mut().find(|planted| planted.request.id == id)
    }

    /// Takes one of gdb's away, which may have gone by itself.
    fn remove(&mut self, number: u64) -> Result<(), GdbError> {
        if number != 0 {
            self.ask_if_known(&Command::new("break-delete").word(number))?;
        }
        Ok(())
    }

    pub(in crate::gdb) fn delete_breakpoint(&mut self, id: BreakpointId) -> Result<Answer, GdbError> {
        let Some(number) = self.planted(id).map(|planted| planted.number) else { return Ok(unknown(id)) };
        self.remove(number)?;
        self.breakpoints.retain(|planted| planted.request.id != id);
        Ok(Answer::Ok)
    }

    pub(in crate::gdb) fn enable_breakpoint(&mut self, id: BreakpointId, enabled: bool) -> Result<Answer, GdbError> {
        let Some(planted) = self.planted(id) else { return Ok(unknown(id)) };
        planted.request.enabled = enabled;
        let number = planted.number;
        if number == 0 {
            return Ok(Answer::Ok);
        }
        self.link.ask(&Command::new(if enabled { "break-enable" } else { "break-disable" }).word(number))?;
        Ok(Answer::Ok)
    }

    pub(in crate::gdb) fn set_condition(
        &mut self,
        id: BreakpointId,
        condition: Option<&str>,
    ) -> Result<Answer, GdbError> {
        let Some(number) = self.planted(id).map(|planted| planted.number) else { return Ok(unknown(id)) };
        let clear = Command::new("break-condition").word(number);
        match condition {
            None => drop(self.link.ask(&clear)?),
            Some(text) => match self.link.ask(&clear.clone().word(text)) {
                Ok(_) => {}
                Err(GdbError::Refused(why)) => {
                    let failure = unknown_name_in(text, &why).unwrap_or_else(|| failure_in(text, &why));
                    return Ok(Answer::Failed(failure));
                }
                Err(gone) => return Err(gone),
            },
        }
        if let Some(planted) = self.planted(id) {
            planted.request.condition = condition.map(str::to_owned);
            planted.own.condition = None;
        }
        // gdb leaves out places at which the condition is invalid, and does not tell whoever asked.
        if let Ok(answered) = self.link.ask(&Command::new("break-info").word(number))
            && let Some(body) = answered.results.inside("BreakpointTable").and_then(|table| table.inside("body"))
        {
            let body = body.clone();
            self.breakpoint_modified(&body);
        }
        Ok(Answer::Ok)
    }

    pub(in crate::gdb) fn set_ignore(&mut self, id: BreakpointId, count: u64) -> Result<Answer, GdbError> {
        let Some(planted) = self.planted(id) else { return Ok(unknown(id)) };
        planted.ignore = count;
        let number = planted.number;
        self.link.ask(&Command::new("break-after").word(number).word(count))?;
        Ok(Answer::Ok)
    }

    /// gdb has counted an arrival, or found other places.
    pub(in crate::gdb) fn breakpoint_modified(&mut self, results: &Results) {
        let Some(bkpt) = results.inside("bkpt") else { return };
        let Some(number) = bkpt.number("number") else { return };
        let Some(at) = self.breakpoints.iter().position(|planted| planted.number == number) else { return };
        let sites = self.sites_of(bkpt);
        let Some(planted) = self.breakpoints.get_mut(at) else { return };
        let times = bkpt.number("times").unwrap_or(0);
        if times > planted.times {
            planted.arrived = planted.ignore == 0;
            planted.ignore = bkpt.number("ignore").unwrap_or(0);
        }
        planted.times = times;
        if planted.request.point.place().is_some() && planted.sites != sites {
            planted.sites.clone_from(&sites);
            self.libraries.moved = true;
            let id = planted.request.id;
            self.report(Event::BreakpointMoved(id, sites));
        }
        if let Some(id) = self.breakpoints.get(at).map(|planted| planted.request.id) {
            self.tell_refused(id, bkpt);
        }
    }

    /// Whether what gdb could not look at holds where the thread is; with words, when it cannot be computed.
    fn own_check_holds(&mut self, own: &OwnCheck) -> Result<(bool, Option<String>), GdbError> {
        if own.thread.is_some_and(|thread| thread != self.current) {
            return Ok((false, None));
        }
        let Some(condition) = &own.condition else { return Ok((true, None)) };
        let command = Command::new("data-evaluate-expression").word(format!("({condition}) != 0"));
        match self.link.ask(&command) {
            Ok(answered) => Ok((answered.results.text("value") != Some("0"), None)),
            Err(GdbError::Refused(why)) => Ok((true, Some(format!("the condition cannot be computed: {why}")))),
            Err(gone) => Err(gone),
        }
    }

    /// The breakpoint that is the reason of a stop, with words about its condition; `None` when there is none after all.
    pub(in crate::gdb) fn reason_among_arrived(&mut self) -> Result<Option<(BreakpointId, Option<String>)>, GdbError> {
        let mut arrived: Vec<_> = self.breakpoints.iter().filter(|p| p.arrived).cloned().collect();
        arrived.sort_by_key(|planted| planted.request.id);
        let mut reason = None;
        for planted in arrived {
            let (holds, note) = self.own_check_holds(&planted.own)?;
            if holds && let PointAction::Trace(expressions) = &planted.request.action {
                self.trace(planted.request.id, expressions)?;
                if let Some(planted) = self.planted(planted.request.id) {
                    planted.told += 1;
                    planted.arrived = false;
                }
            } else if holds {
                reason.get_or_insert((planted.request.id, note));
            } else if let Some(planted) = self.planted(planted.request.id) {
                planted.arrived = false;
            }
        }
        Ok(reason)
    }

    /// Tells the arrivals that gdb has counted and that no stop names; `reason` is about to be told.
    pub(in crate::gdb) fn tell_counts(&mut self, reason: Option<&StopReason>) {
        let named = reason.and_then(StopReason::point);
        let mut counts = Vec::new();
        for planted in &mut self.breakpoints {
            let fresh = planted.times.saturating_sub(planted.told);
            planted.told = planted.times;
            let unnamed = fresh.saturating_sub(u64::from(named == Some(planted.request.id)));
            // What gdb counts where it could not look at the condition is no arrival.
            if unnamed > 0 && !planted.own.is_needed() {
                counts.push((planted.request.id, unnamed));
            }
        }
        for (id, arrivals) in counts {
            self.report(Event::Counted(id, arrivals));
        }
    }

    /// Forgets the temporary breakpoints that stopped the rank; says so.
    pub(in crate::gdb) fn drop_temporary(&mut self) -> Result<(), GdbError> {
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.breakpoints).into_iter().partition(|p| p.arrived && p.request.temporary);
        self.breakpoints = kept;
        for planted in gone {
            if planted.own.is_needed() || planted.request.point.place().is_none() {
                self.remove(planted.number)?;
            }
            self.report(Event::BreakpointGone(planted.request.id));
        }
        Ok(())
    }
}

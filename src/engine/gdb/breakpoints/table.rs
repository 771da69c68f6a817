//! The user's breakpoints in gdb: set, changed and deleted.

use super::planted::{OwnCheck, Planted};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::locations::location_words;
use crate::gdb::inspect::values::Values;
use crate::gdb::mi::{Command, Results};
use crate::gdb::reporter::Reporter;
use crate::gdb::session::fault::{GdbError, failure_in, unknown_name_in};
use crate::gdb::session::gdb::Gdb;
use crate::refused_condition::refused_condition;
use model::{
    Answer, BreakpointId, BreakpointRequest, Catch, Context, ErrorCode, Event, Failure, LocationSpec, Point, Severity,
    Site,
};

#[derive(Debug, Default)]
pub(in crate::gdb) struct BreakpointTable {
    pub(super) planted: Vec<Planted>,
}

/// True if a breakpoint's sites have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gdb) struct Moved(pub(in crate::gdb) bool);

/// True if gdb rejects a condition for its syntax; other errors concern one location only.
fn is_unreadable(why: &str) -> bool {
    ["syntax error", "Invalid number", "Invalid character", "Unmatched", "Junk", "Garbage"]
        .iter()
        .any(|part| why.contains(part))
}

fn unknown(id: BreakpointId) -> Answer {
    Answer::Failed(Failure::new(ErrorCode::NO_BREAKPOINT, format!("No breakpoint number {id}.")))
}

/// Deletes one of gdb's breakpoints, which gdb may already have deleted itself.
pub(super) fn remove(gdb: &mut Gdb, number: u64) -> Result<(), GdbError> {
    if number != 0 {
        gdb.ask_if_known(&Command::new("break-delete").word(number))?;
    }
    Ok(())
}

/// Builds the command that sets a breakpoint, without the checks that gdb refuses.
fn insertion(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    request: &BreakpointRequest,
    location: &LocationSpec,
    own: &OwnCheck,
) -> Result<Command, GdbError> {
    let mut command = Command::new("break-insert").word("-f");
    if request.temporary && !own.is_needed() {
        command = command.word("-t");
    }
    if request.hardware {
        command = command.word("-h");
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
    let file = inferior.default_file(gdb, Context::default())?;
    Ok(location_words(location, file.as_deref()).into_iter().fold(command, Command::word))
}

impl BreakpointTable {
    pub(super) fn get_mut(&mut self, id: BreakpointId) -> Option<&mut Planted> {
        self.planted.iter_mut().find(|planted| planted.request.id == id)
    }

    pub(super) fn get(&self, id: BreakpointId) -> Option<&Planted> {
        self.planted.iter().find(|planted| planted.request.id == id)
    }

    /// Sets a breakpoint in gdb, replacing one of the same number.
    pub(in crate::gdb) fn set(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        values: &mut Values,
        reporter: &Reporter,
        request: &BreakpointRequest,
    ) -> Result<Answer, GdbError> {
        if let Some(at) = self.planted.iter().position(|planted| planted.request.id == request.id) {
            let before = self.planted.remove(at);
            remove(gdb, before.number)?;
        }
        let answer = match &request.point {
            Point::Place(location) => self.set_place(gdb, inferior, reporter, request, location),
            Point::Watch(watch) => self.set_watch(gdb, inferior, values, request, watch),
            Point::Catch(catch) => self.set_catch(gdb, request, catch),
        }?;
        // One that fails is no breakpoint.
        if !matches!(answer, Answer::Failed(_)) {
            values.note_newest_point(request.id);
        }
        Ok(answer)
    }

    fn set_place(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        reporter: &Reporter,
        request: &BreakpointRequest,
        location: &LocationSpec,
    ) -> Result<Answer, GdbError> {
        let mut own = OwnCheck::default();
        let mut refused = None;
        loop {
            let command = insertion(gdb, inferior, request, location, &own)?;
            match gdb.ask(&command) {
                Ok(answered) => {
                    let bkpt = answered.results.inside("bkpt").cloned().unwrap_or_default();
                    let sites = inferior.modules().sites(&bkpt);
                    let number = bkpt.number("number").unwrap_or(0);
                    if let Some(refused) = refused {
                        // Without the condition gdb accepts the breakpoint.
                        remove(gdb, number)?;
                        return Ok(Answer::Failed(refused));
                    }
                    let planted = Planted::of_point(request.clone(), number, String::new());
                    self.planted.push(Planted { own, sites: sites.clone(), ..planted });
                    self.tell_refused(inferior, reporter, request.id, &bkpt);
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

    pub(in crate::gdb) fn delete(&mut self, gdb: &mut Gdb, id: BreakpointId) -> Result<Answer, GdbError> {
        let Some(number) = self.get_mut(id).map(|planted| planted.number) else { return Ok(unknown(id)) };
        remove(gdb, number)?;
        self.planted.retain(|planted| planted.request.id != id);
        Ok(Answer::Ok)
    }

    pub(in crate::gdb) fn enable(
        &mut self,
        gdb: &mut Gdb,
        id: BreakpointId,
        enabled: bool,
    ) -> Result<Answer, GdbError> {
        let Some(planted) = self.get_mut(id) else { return Ok(unknown(id)) };
        planted.request.enabled = enabled;
        let number = planted.number;
        if number == 0 {
            return Ok(Answer::Ok);
        }
        gdb.ask(&Command::new(if enabled { "break-enable" } else { "break-disable" }).word(number))?;
        Ok(Answer::Ok)
    }

    pub(in crate::gdb) fn set_condition(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        reporter: &Reporter,
        id: BreakpointId,
        condition: Option<&str>,
    ) -> Result<(Answer, Moved), GdbError> {
        let Some(number) = self.get_mut(id).map(|planted| planted.number) else {
            return Ok((unknown(id), Moved(false)));
        };
        if number == 0 {
            if let Some(planted) = self.get_mut(id) {
                planted.request.condition = condition.map(str::to_owned);
            }
            return Ok((Answer::Ok, Moved(false)));
        }
        let clear = Command::new("break-condition").word(number);
        match condition {
            None => drop(gdb.ask(&clear)?),
            Some(text) => match gdb.ask(&clear.clone().word(text)) {
                Ok(_) => {}
                Err(GdbError::Refused(why)) => {
                    let failure = unknown_name_in(text, &why).unwrap_or_else(|| failure_in(text, &why));
                    return Ok((Answer::Failed(failure), Moved(false)));
                }
                Err(gone) => return Err(gone),
            },
        }
        if let Some(planted) = self.get_mut(id) {
            planted.request.condition = condition.map(str::to_owned);
            planted.own.condition = None;
        }
        // gdb silently omits sites at which the condition is invalid.
        let mut moved = Moved(false);
        if let Ok(Some(bkpt)) = gdb.breakpoint(number) {
            moved = self.modified(inferior, reporter, &bkpt);
        }
        Ok((Answer::Ok, moved))
    }

    pub(in crate::gdb) fn set_ignore(
        &mut self,
        gdb: &mut Gdb,
        id: BreakpointId,
        count: u64,
    ) -> Result<Answer, GdbError> {
        let Some(planted) = self.get_mut(id) else { return Ok(unknown(id)) };
        planted.ignore = count;
        let number = planted.number;
        if number == 0 {
            planted.request.ignore = count;
            return Ok(Answer::Ok);
        }
        gdb.ask(&Command::new("break-after").word(number).word(count))?;
        Ok(Answer::Ok)
    }

    /// Handles `=breakpoint-modified`: a hit was counted, or the sites have changed. `bkpt` is the new state.
    pub(in crate::gdb) fn modified(
        &mut self,
        inferior: &mut InferiorState,
        reporter: &Reporter,
        bkpt: &Results,
    ) -> Moved {
        let mut moved = Moved(false);
        let Some(number) = bkpt.number("number") else { return moved };
        let Some(at) = self.planted.iter().position(|planted| planted.number == number) else { return moved };
        let sites = inferior.modules().sites(bkpt);
        let Some(planted) = self.planted.get_mut(at) else { return moved };
        let times = bkpt.number("times").unwrap_or(0);
        if times > planted.times {
            planted.arrived = planted.ignore == 0;
            planted.ignore = bkpt.number("ignore").unwrap_or(0);
        }
        planted.times = times;
        if planted.request.point.place().is_some() && planted.sites != sites {
            planted.sites.clone_from(&sites);
            moved = Moved(true);
            let id = planted.request.id;
            reporter.event(Event::BreakpointMoved(id, sites));
        }
        if let Some(id) = self.planted.get(at).map(|planted| planted.request.id) {
            self.tell_refused(inferior, reporter, id, bkpt);
        }
        moved
    }

    /// Warns once of each site at which gdb finds the condition of a breakpoint invalid.
    fn tell_refused(&mut self, inferior: &mut InferiorState, reporter: &Reporter, id: BreakpointId, bkpt: &Results) {
        let refused = inferior.modules().refused_sites(bkpt);
        let Some(planted) = self.get_mut(id) else { return };
        let before = std::mem::replace(&mut planted.refused, refused.clone());
        let nowhere = planted.sites.is_empty();
        for site in refused.iter().filter(|site| !before.contains(site)) {
            reporter.event(Event::Message(Severity::Warning, refused_condition(id, site, nowhere, None)));
        }
    }

    /// True if gdb may stop where no stop is reported.
    pub(in crate::gdb) fn has_silent(&self) -> bool {
        self.planted.iter().any(|planted| planted.is_trace() || planted.own.is_needed())
    }

    /// True if a catchpoint for libraries is set: then gdb stops at their changes itself, and names the catchpoint.
    pub(in crate::gdb) fn catch_libraries(&self) -> bool {
        let mut points = self.planted.iter().filter(|planted| planted.request.enabled);
        points.any(|planted| matches!(planted.request.point, Point::Catch(Catch::Load(_) | Catch::Unload(_))))
    }

    /// True if a new library may contain a site of a breakpoint. `may_go` is true for modules that may be unloaded.
    pub(in crate::gdb) fn wait_for_library(&self, may_go: impl Fn(&str) -> bool) -> bool {
        self.planted.iter().any(|planted| planted.waits_for_library(&may_go))
    }

    /// Returns the user's catchpoint for exec.
    pub(in crate::gdb) fn exec_catch(&self) -> Option<BreakpointId> {
        let wanted = |p: &&Planted| p.request.enabled && p.request.point == Point::Catch(Catch::Exec);
        self.planted.iter().filter(wanted).map(|planted| planted.request.id).min()
    }

    pub(in crate::gdb) fn sites(&self) -> Vec<(BreakpointId, Vec<Site>)> {
        self.planted.iter().map(|planted| (planted.request.id, planted.sites.clone())).collect()
    }
}

//! `report`: runs the commands that collect a report, and has it written.

use crate::command::CommandId;
use crate::core::Effect;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::script::ScriptLine;
use crate::report::{Content, Written};
use crate::triage::{Collection, JobReport, Line, ReportOrder, lines};
use model::{ProcessSet, raw_text, raw_word};
use std::path::{Path, PathBuf};

/// The names of the files of a report in its directory.
const PAGE: &str = "report.html";
const DATA: &str = "report.json";

/// Collects a report about all ranks; running ranks are not halted.
pub(in crate::core) fn report(core: &mut Interpreter, id: CommandId, order: ReportOrder) {
    if core.state.session.is_none() {
        core.refuse(id, ProcessSet::new(), "no job yet");
        return;
    }
    let directory = directory(core, order.directory.as_deref());
    let lines = lines(&core.state, &order, &directory);
    let order = ReportOrder { directory: Some(directory), ..order };
    core.collecting.begin(id, Collection::new(order));
    run(core, id, lines);
}

fn run(core: &mut Interpreter, id: CommandId, lines: Vec<Line>) {
    let lines = lines.into_iter().map(|(text, frame)| ScriptLine { frame, ..ScriptLine::plain(text) });
    core.run_lines(id, lines.collect(), true);
}

/// Asks what follows from the answers of a report's lines; false if nothing does.
pub(in crate::core) fn asks_more(core: &mut Interpreter, id: CommandId) -> bool {
    let Some(collection) = core.collecting.get_mut(id) else { return false };
    let lines = collection.more(&core.state);
    let is_more = !lines.is_empty();
    if is_more {
        run(core, id, lines);
    }
    is_more
}

fn directory(core: &Interpreter, named: Option<&str>) -> String {
    let own = || format!("rankscope-report-{}", core.state.session.as_ref().map_or("", |session| &session.id));
    let named = core.directory.join(raw_word(&named.map_or_else(own, str::to_owned)));
    raw_text(named.components().collect::<PathBuf>().as_os_str())
}

/// Has the report of a command written once its lines have run, or cannot run any more; false if it has none.
pub(in crate::core) fn is_collected(core: &mut Interpreter, id: CommandId) -> bool {
    let Some(collection) = core.collecting.end(id) else { return false };
    let (directory, report) = collection.finish(&core.state);
    let directory = directory.unwrap_or_default();
    if let Some(task) = core.tasks.get_mut(&id) {
        // The report itself says which parts are missing.
        task.failed = false;
    }
    let said = written(&report, &directory);
    core.effect(id, Effect::WriteReport(id, directory, Box::new(report)), Some(said));
    true
}

fn written(report: &JobReport, directory: &str) -> Content {
    let path = |name: &str| raw_text(Path::new(&raw_word(directory)).join(name).as_os_str());
    Content::Written(Written { ranks: report.ranks(), text: report.text(), page: path(PAGE), data: path(DATA) })
}

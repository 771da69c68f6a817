//! Dispatches the commands about sets of ranks.

use super::line::Line;
use crate::command::{CommandId, LayoutOrder, SetCommand};
use crate::core::commands::{ranks, session};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::report::Content;
use crate::state::Phase;
use model::ProcessSet;

pub(super) fn run(core: &mut Interpreter, line: &Line<'_>, command: SetCommand) {
    let id = line.id();
    match command {
        SetCommand::Focus(None) => {
            session::say_focus(core, id);
            core.done(id);
        }
        SetCommand::Focus(Some(scope)) => {
            let Some(ranks) = line.resolved(core, &scope.set) else { return };
            session::focus_on(core, id, ranks, scope);
        }
        SetCommand::Group(name, set) => {
            let Some(ranks) = line.resolved(core, &set) else { return };
            core.state.focus.group_changes(&name);
            core.state.groups.insert(name.clone(), ranks.clone());
            core.say(id, Content::Groups(vec![(name, ranks)]));
            core.done(id);
        }
        SetCommand::Groups => {
            let groups = core.state.groups.iter().map(|(name, ranks)| (name.clone(), ranks.clone())).collect();
            core.say(id, Content::Groups(groups));
            core.done(id);
        }
        SetCommand::Ungroup(name) => {
            core.state.focus.group_changes(&name);
            if core.state.groups.remove(&name).is_some() {
                core.acknowledge(id, format!("removed group {name}"));
            } else {
                let position = core.position_in_line(id, &name, Some(0));
                core.error(id, ProcessSet::new(), format!("no group {name:?}; \"groups\" lists them"), position);
            }
            core.done(id);
        }
        SetCommand::Status => status(core, id, line.target()),
        SetCommand::Layout(None) => ranks::layout::layout(core, id, line.target(), None),
        SetCommand::Layout(Some(LayoutOrder::To(layout))) => {
            ranks::layout::layout(core, id, line.target(), Some(layout));
        }
        SetCommand::Layout(Some(LayoutOrder::OfCall)) => ranks::cartesian_call::find(core, id, line.target()),
        SetCommand::Colour(colouring) => ranks::colours::colour(core, id, line.target(), colouring),
    }
}

fn status(core: &mut Interpreter, id: CommandId, target: &Target) {
    if target.named && target.ranks.is_empty() {
        core.say(id, Content::Text(ProcessSet::new(), "no rank matches the set".to_owned()));
    }
    if core.state.session.is_none() {
        let words = match &core.state.phase {
            Phase::Connecting => "the job is starting".to_owned(),
            Phase::Launching(progress) => format!("the job is starting: {progress}"),
            _ => "no job yet".to_owned(),
        };
        core.say(id, Content::Text(ProcessSet::new(), words));
    }
    let among = if target.named { target.ranks.clone() } else { ProcessSet::all(core.state.size()) };
    core.say(id, Content::Status(core.state.status_groups_by_value(&among)));
    core.done(id);
}

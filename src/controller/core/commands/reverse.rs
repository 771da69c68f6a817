//! Requests for a debugger: the tasks of the watcher, and the way a request becomes the session.

use crate::command::{CommandId, Parting, Reverse};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::{Doing, Task, Vigil};
use crate::report::Content;
use crate::state::{Ask, Phase};
use model::ProcessSet;
use std::time::Duration;

pub(in crate::core) fn reverse(core: &mut Interpreter, id: CommandId, what: Reverse) {
    match what {
        Reverse::List => ask_desk(core, id, Ask::List),
        Reverse::Reject(meant, reason) => ask_desk(core, id, Ask::Reject(meant, reason)),
        Reverse::Accept(meant, parting) => match why_no_room(core, parting) {
            None => {
                core.parting = parting;
                ask_desk(core, id, Ask::Accept(meant));
            }
            Some(why) => core.refuse(id, ProcessSet::new(), why),
        },
        Reverse::Wait(limit) => {
            let deadline = limit.map(|seconds| core.clock.now() + Duration::from_secs_f64(seconds));
            if let Some(task) = core.tasks.get_mut(&id) {
                task.doing = Doing::Requests(Vigil { deadline, limit, looks: core.looks });
            }
        }
        Reverse::Listen(always) => {
            let value = if always { "2" } else { "0" };
            if let Err(error) = core.state.variables.set("reverse-listen", value) {
                core.error(id, ProcessSet::new(), error.to_string(), None);
            }
            core.done(id);
        }
    }
}

fn ask_desk(core: &mut Interpreter, id: CommandId, ask: Ask) {
    if let Some(task) = core.tasks.get_mut(&id) {
        task.doing = Doing::Directory(ask.clone());
    }
    core.outbox.ask_watcher(id, ask);
}

/// Returns the reason why no other session is possible now.
fn why_no_room(core: &Interpreter, parting: Parting) -> Option<String> {
    let accepting = |task: &Task| matches!(task.doing, Doing::Directory(Ask::Accept(_)) | Doing::Accepted(_));
    if core.tasks.values().any(accepting) {
        return Some("already accepting another request".to_owned());
    }
    match core.state.phase {
        Phase::Idle | Phase::Ended | Phase::Failed(_) => return None,
        Phase::Connecting | Phase::Launching(_) => return Some("a session is starting".to_owned()),
        Phase::Live => {}
    }
    (parting == Parting::Stay && core.state.has_live_ranks()).then(|| {
        "ranks of this session are alive: use \"reverse accept ID leave\" to leave them as they are, or \"reverse \
            accept ID kill\""
            .to_owned()
    })
}

/// Ends the waits for requests that are over.
pub(in crate::core) fn check_vigils(core: &mut Interpreter) {
    let waiting: Vec<(CommandId, Vigil)> = core
        .tasks
        .iter()
        .filter_map(|(&id, task)| match &task.doing {
            Doing::Requests(vigil) => Some((id, vigil.clone())),
            _ => None,
        })
        .collect();
    for (id, vigil) in waiting {
        let open: Vec<_> = core.state.requests.listed.iter().filter(|listed| listed.is_open()).cloned().collect();
        if core.looks > vigil.looks && !open.is_empty() {
            core.say(id, Content::Requests(open));
            core.done(id);
        } else if vigil.deadline.is_some_and(|deadline| deadline <= core.clock.now()) {
            let why = match (&core.state.requests.trouble, vigil.limit) {
                (Some(why), _) => why.clone(),
                (None, limit) => format!("no program asked for a debugger within {} s", limit.unwrap_or_default()),
            };
            core.refuse(id, ProcessSet::new(), why);
        }
    }
}

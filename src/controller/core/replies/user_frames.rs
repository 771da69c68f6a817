//! Goes on with a command once the user's frames are found in the stacks of its ranks.

use crate::command::CommandId;
use crate::core::commands::values::snapshots;
use crate::core::commands::{breakpoints, dispatch, frames, running};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Asked;
use crate::core::tasks::then::{Awaited, Onward};
use model::Answer;

/// Selects the frames in the stacks, and goes on. Ranks without such a frame, or without an answer, keep the innermost.
pub(super) fn stacks_known(core: &mut Interpreter, id: CommandId, awaited: Awaited, asked: Asked) {
    let Awaited { ranks, thread, onward } = awaited;
    let my_code = core.state.variables.my_code();
    let mut without = ranks;
    for (_, ranks, answer) in asked.answers {
        let Answer::Stack(stack) = answer else { continue };
        if let Some(user) = my_code.user_frame(&stack) {
            core.state.frames.choose(&ranks, thread, &user.frame);
            without.remove_all(&ranks);
        }
    }
    core.state.frames.choose_innermost(&without.intersection(&core.state.ranks.at_rest()), thread);
    match onward {
        Onward::Prepare(invocation) => dispatch::prepare(core, id, *invocation),
        Onward::Ask(questions, then) => core.ask(id, questions, *then),
        Onward::Move(ranks, to, silent) => frames::move_stopped(core, id, &ranks, thread, (to, silent)),
        Onward::Snapshot(ranks, taking) => snapshots::ask_places(core, id, &ranks, taking),
        Onward::Plant(ranks, request) => breakpoints::plant_in(core, id, ranks, request),
        Onward::Resume { target, operation, awaits } => running::resume_now(core, id, target, operation, awaits),
    }
}

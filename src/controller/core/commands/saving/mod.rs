//! Data of the program in files: `dump`, `append`, `save EXPRESSION FILE` and `restore`.

pub(in crate::core) mod restoring;
pub(in crate::core) mod writing;

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Doing;
use crate::core::tasks::then::Then;
use model::ProcessSet;

/// Ends the commands that write data of ranks to files, or files to ranks, after the part that is on its way.
pub(in crate::core) fn interrupt(core: &mut Interpreter, but: CommandId) {
    let but = core.tasks.get(&but).map(|task| task.origin.root);
    for task in core.tasks.values_mut().filter(|task| Some(task.origin.root) != but) {
        match &mut task.doing {
            Doing::Asking(Then::Saving(saving), _) | Doing::Saving(saving) => {
                saving.broken.get_or_insert_with(|| "interrupted".to_owned());
            }
            Doing::Asking(Then::Restoring(restoring), _) | Doing::Restoring(restoring) => {
                restoring.broken.get_or_insert_with(|| "interrupted".to_owned());
            }
            _ => {}
        }
    }
}

/// Ends the commands that write data of these ranks: it changes now, and half of it would be that of another time.
pub(in crate::core) fn resumed(core: &mut Interpreter, going: &ProcessSet) {
    for task in core.tasks.values_mut() {
        if let Doing::Asking(Then::Saving(saving), _) | Doing::Saving(saving) = &mut task.doing
            && let Some(rank) = saving.unwritten().intersection(going).first()
        {
            saving.broken.get_or_insert_with(|| format!("rank {} was continued before its data was complete", rank.0));
        }
    }
}

//! Scripts that end while ranks run: at their last line, or at their time limit.

use super::runner::{Runner, Step, status};
use crate::complaint::{complain, note};
use controller::state::StateKind;
use std::io::Write;
use std::time::{Duration, Instant};

/// How long "why" may take at the time limit.
const LAST_LOOK: Duration = Duration::from_secs(10);

impl<W: Write> Runner<W> {
    /// Says at the end of the script that it ends ranks which have not finished.
    pub(super) fn say_what_runs(&self) {
        let state = self.controller.state();
        let running = state.ranks.of_kind(StateKind::Running);
        if !running.is_empty() && !state.is_attached && !self.options.leave {
            note(&format!(
                "the script has ended while ranks {running} were running: they are killed (\"wait exited\" as its last \
                 line lets them finish)"
            ));
        }
    }

    /// Ends the script at its time limit. If it waits for ranks, "why" first says what they wait for.
    pub(super) fn time_is_over(&mut self) {
        if matches!(self.step, Step::LastLook(_)) {
            return self.end();
        }
        complain(&format!("timed out after {} s", self.seconds()));
        self.status = status::TIMEOUT;
        let awaited = self.controller.awaited_ranks();
        if awaited.is_empty() || !self.connected {
            return self.end();
        }
        let which = if awaited.len() == 1 { "rank" } else { "ranks" };
        let are = if awaited.len() == 1 { "is running and has" } else { "are running and have" };
        complain(&format!("{which} {awaited} {are} not stopped; this is what \"why\" says:"));
        self.tell_held();
        // A job that stays is left as it is.
        let halt = if self.options.leave { String::new() } else { format!("[{awaited}] halt\n") };
        self.step = Step::LastLook(self.controller.execute(&format!("{halt}why")));
        self.limit = Some(Instant::now() + LAST_LOOK);
    }

    pub(super) fn seconds(&self) -> f64 {
        self.options.timeout.map_or(0.0, |timeout| timeout.as_secs_f64())
    }
}

//! Signal settings that front ends requested, kept for a restart.

use model::{Operation, ProcessSet, SignalName};

/// The requested change for one signal; `None` for actions that stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    stop: Option<bool>,
    print: Option<bool>,
    pass: Option<bool>,
}

impl Change {
    fn and_then(self, later: Self) -> Self {
        let Self { stop, print, pass } = later;
        Self { stop: stop.or(self.stop), print: print.or(self.print), pass: pass.or(self.pass) }
    }
}

/// The changes of the session. A rank is in at most one entry for a signal.
#[derive(Debug, Default)]
pub struct SignalSettings(Vec<(SignalName, ProcessSet, Change)>);

impl SignalSettings {
    /// Records a request on its way to the ranks.
    pub fn requested(&mut self, ranks: &ProcessSet, operation: &Operation) {
        let &Operation::HandleSignal { ref name, stop, print, pass } = operation else { return };
        let asked = Change { stop, print, pass };
        let mut fresh = ranks.clone();
        let mut changed = Vec::new();
        for (_, those, before) in self.0.iter_mut().filter(|(known, ..)| known == name) {
            let common = those.intersection(&fresh);
            if !common.is_empty() {
                those.remove_all(&common);
                fresh.remove_all(&common);
                changed.push((common, before.and_then(asked)));
            }
        }
        changed.push((fresh, asked));
        self.0.retain(|(_, those, _)| !those.is_empty());
        for (those, change) in changed {
            let same = self.0.iter_mut().find(|(known, _, other)| known == name && *other == change);
            match same {
                Some((_, set, _)) => set.extend_with(&those),
                None if those.is_empty() => {}
                None => self.0.push((name.clone(), those, change)),
            }
        }
    }

    /// Returns the requests that restore the settings after a restart.
    pub fn ask_again(&self) -> Vec<(ProcessSet, Operation)> {
        let asked = self.0.iter().map(|(name, ranks, Change { stop, print, pass })| {
            let (name, stop, print, pass) = (name.clone(), *stop, *print, *pass);
            (ranks.clone(), Operation::HandleSignal { name, stop, print, pass })
        });
        asked.collect()
    }

    /// Forgets all changes: another job starts.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(name: &str, stop: Option<bool>, print: Option<bool>) -> Operation {
        Operation::HandleSignal { name: SignalName(name.into()), stop, print, pass: None }
    }

    #[test]
    fn later_changes_are_laid_over_earlier_ones() {
        let mut settings = SignalSettings::default();
        settings.requested(&ProcessSet::all(4), &handle("SIGUSR1", Some(false), None));
        settings.requested(&ProcessSet::range(2, 6), &handle("SIGUSR1", None, Some(false)));
        settings.requested(&ProcessSet::range(0, 1), &handle("SIGUSR2", Some(false), None));
        settings.requested(&ProcessSet::range(0, 1), &Operation::Threads);
        let expected = [
            (ProcessSet::range(0, 2), handle("SIGUSR1", Some(false), None)),
            (ProcessSet::range(2, 4), handle("SIGUSR1", Some(false), Some(false))),
            (ProcessSet::range(4, 6), handle("SIGUSR1", None, Some(false))),
            (ProcessSet::range(0, 1), handle("SIGUSR2", Some(false), None)),
        ];
        assert_eq!(settings.ask_again(), expected);
        settings.requested(&ProcessSet::all(6), &handle("SIGUSR1", Some(true), Some(true)));
        let expected = [
            (ProcessSet::range(0, 1), handle("SIGUSR2", Some(false), None)),
            (ProcessSet::all(6), handle("SIGUSR1", Some(true), Some(true))),
        ];
        assert_eq!(settings.ask_again(), expected);
        settings.clear();
        assert_eq!(settings.ask_again(), []);
    }
}

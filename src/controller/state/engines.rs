//! Ranks under another engine than the session's own.

use model::{EngineName, ProcessSet};

/// The ranks under other engines than the session's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignEngines(Vec<(EngineName, ProcessSet)>);

impl ForeignEngines {
    /// Records the engine of ranks; `None`: the session's own.
    pub fn change(&mut self, ranks: &ProcessSet, engine: Option<EngineName>) {
        for (_, those) in &mut self.0 {
            those.remove_all(ranks);
        }
        match self.0.iter_mut().find(|(name, _)| Some(*name) == engine) {
            Some((_, those)) => those.extend_with(ranks),
            None => self.0.extend(engine.map(|engine| (engine, ranks.clone()))),
        }
        self.0.retain(|(_, those)| !those.is_empty());
    }

    /// Splits ranks by engine; `None`: the session's own.
    pub fn parts(&self, ranks: &ProcessSet) -> Vec<(Option<EngineName>, ProcessSet)> {
        let mut own = ranks.clone();
        let mut parts = Vec::new();
        for (engine, those) in &self.0 {
            let part = those.intersection(ranks);
            own.remove_all(&part);
            parts.push((Some(*engine), part));
        }
        parts.push((None, own));
        parts.retain(|(_, part)| !part.is_empty());
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_under_one_engine() {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let mut engines = ForeignEngines::default();
        engines.change(&set("1-2"), Some(EngineName::Gdb));
        engines.change(&set("2-3"), Some(EngineName::Gdb));
        engines.change(&set("1"), None);
        assert_eq!(engines.parts(&set("0-3")), [(Some(EngineName::Gdb), set("2-3")), (None, set("0-1"))]);
        assert_eq!(engines.parts(&set("2")), [(Some(EngineName::Gdb), set("2"))]);
        engines.change(&set("0-9"), None);
        assert_eq!(engines, ForeignEngines::default());
    }
}

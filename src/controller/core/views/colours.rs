//! The numbers by which the ranks on the screen are coloured: requested as a picture, at every stop of a rank.

use super::coloured::Coloured;
use super::glance::{Kind, Subject};
use super::view_refresh::ViewRefresh;
use crate::state::{RankColours, State};
use model::{Answer, Context, Operation, ProcessSet, Rank};
use std::collections::BTreeMap;

impl ViewRefresh {
    /// Returns the requests for the numbers that the colours lack.
    pub(super) fn wanted_colours(&mut self, state: &mut State) -> Vec<(Kind, Subject, ProcessSet, Operation)> {
        let (Some(expression), Some(cells)) = (state.colour.clone(), state.gaze.colours) else {
            self.coloured = None;
            state.inspection.colours = None;
            self.asked.retain(|kind, _| !matches!(kind, Kind::Colours(_)));
            return Vec::new();
        };
        let mut frames: BTreeMap<u32, ProcessSet> = BTreeMap::new();
        for (frame, ranks) in state.frames.parts(&state.ranks.at_rest(), None) {
            frames.entry(frame).or_default().extend_with(&ranks);
        }
        let coloured = Coloured { expression, cells, moves: self.moves, change: self.change, frames };
        if self.coloured.as_ref() != Some(&coloured) {
            self.colour_round += 1;
            self.asked.retain(|kind, _| !matches!(kind, Kind::Colours(_)));
            if let Some(colours) = &mut state.inspection.colours {
                colours.stale = true;
            }
            self.coloured = Some(coloured.clone());
        }
        let known = state.inspection.colours.as_ref().filter(|colours| !colours.stale);
        let known = known.map(|colours| colours.known.clone()).unwrap_or_default();
        let mut wanted = Vec::new();
        for (frame, ranks) in coloured.frames {
            let lacking = ranks.difference(&known);
            if lacking.is_empty() {
                continue;
            }
            let ranks = Some(lacking.clone());
            let subject = Subject { frame, stop: self.colour_round, ranks, ..Subject::of(Rank(0)) };
            let operation = Operation::Print {
                context: Context { thread: None, frame },
                expression: coloured.expression.clone(),
                raw: false,
                limits: None,
                unrecorded: true,
                most: None,
                picture: Some(cells),
            };
            wanted.push((Kind::Colours(frame), subject, lacking, operation));
        }
        wanted
    }

    /// Records the answer of ranks. Numbers of an earlier round are left out: these ranks are asked again.
    pub(super) fn learn_colours(&self, state: &mut State, subject: &Subject, ranks: &ProcessSet, answer: Answer) {
        let Some(coloured) = self.coloured.as_ref().filter(|_| subject.stop == self.colour_round) else { return };
        let colours = &mut state.inspection.colours;
        if colours.as_ref().is_none_or(|colours| colours.stale) {
            *colours = Some(RankColours::new(coloured.expression.clone(), coloured.cells));
        }
        if let Some(colours) = colours {
            colours.learn(ranks, answer);
        }
    }
}

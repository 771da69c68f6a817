//! The dialog of programs that ask for a debugger: when it comes up, and what its keys do.

use super::App;
use super::questions::ranks_are;
use crate::action::Action;
use crate::effect::Effect;
use crate::keys::Chord;
use crate::layer::{Choice, Confirm, Layer, Opened, Prompt, PromptKind};
use crate::view::View;
use controller::State;
use controller::state::{ListedRequest, Phase, RequestId};

impl App {
    /// Handles a key while the dialog is on top.
    pub(super) fn request_key(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        let listed = &state.requests.listed;
        let at = listed.iter().position(|listed| Some(&listed.id) == self.view.requests.chosen.as_ref()).unwrap_or(0);
        let last = listed.len().saturating_sub(1);
        let row = match self.view.keys.look_up_requests(chord) {
            Some(Action::Up) => at.saturating_sub(1),
            Some(Action::Down) => (at + 1).min(last),
            Some(Action::Top) => 0,
            Some(Action::Bottom) => last,
            Some(action) => return self.act(action, state),
            None => return self.view.say("this key is not bound here: see the keys in the dialog"),
        };
        self.view.requests.chosen = listed.get(row).map(|listed| listed.id.clone());
        Vec::new()
    }
}

impl View {
    /// Opens the dialog for a new request if no other layer is open: it never takes keys from a line being typed.
    /// Closes it when no request is left.
    pub(super) fn settle_requests(&mut self, state: &State) {
        let listed = &state.requests.listed;
        let requests = &mut self.requests;
        requests.put_off.retain(|id| listed.iter().any(|listed| listed.id == *id));
        let fresh = listed.iter().find(|listed| listed.is_open() && !requests.put_off.contains(&listed.id));
        let chosen = requests.chosen.as_ref();
        if !chosen.is_some_and(|chosen| listed.iter().any(|listed| listed.id == *chosen)) {
            requests.chosen = fresh.or(listed.first()).map(|listed| listed.id.clone());
        }
        let shown = self.has_requests();
        if shown && listed.is_empty() {
            self.close_dialog();
        } else if !shown
            && let Some(fresh) = fresh
            && self.layers.is_empty()
            && self.pending.is_empty()
        {
            self.requests.chosen = Some(fresh.id.clone());
            self.layers.push(Layer::Requests(Opened::Unseen));
        }
    }

    fn has_requests(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer, Layer::Requests(_)))
    }

    /// Returns the request under the cursor, if it can be answered at all.
    pub(super) fn chosen_request<'a>(&mut self, state: &'a State) -> Option<&'a ListedRequest> {
        let chosen = self.requests.chosen.as_ref()?;
        let listed = state.requests.listed.iter().find(|listed| listed.id == *chosen)?;
        if !listed.id.is_plain() {
            self.say("cannot answer a request with this file name: delete the file");
            return None;
        }
        Some(listed)
    }

    pub(super) fn accept_request(&mut self, state: &State) -> Vec<Effect> {
        let Some(listed) = self.chosen_request(state) else { return Vec::new() };
        if let Some(why) = listed.why_not() {
            return self.say(&format!("not accepted: {why}"));
        }
        let id = listed.id.clone();
        self.answered(&id, state);
        self.close_dialog();
        let accept = |then: &str| vec![Effect::Execute(format!("reverse accept {id}{then}"))];
        let alive = state.size() as usize - state.ranks.ended().len();
        if alive == 0 || state.phase != Phase::Live {
            return accept("");
        }
        self.layers.push(Layer::Confirm(Confirm {
            question: format!("{} alive in this session.", ranks_are(alive)),
            choices: vec![
                Choice {
                    key: 'l',
                    label: "leave all as it is, to resume later, and accept",
                    effects: accept(" leave"),
                },
                Choice { key: 'k', label: "kill them and accept", effects: accept(" kill") },
                Choice { key: 'c', label: "cancel: leave it pending", effects: Vec::new() },
            ],
            pending: None,
            chosen: 2,
            opened: Opened::Known,
        }));
        Vec::new()
    }

    pub(super) fn reject_request(&mut self, state: &State) -> Vec<Effect> {
        let Some(listed) = self.chosen_request(state) else { return Vec::new() };
        let id = listed.id.clone();
        if listed.is_stale() {
            // Nobody would read a reason.
            self.answered(&id, state);
            return vec![Effect::Execute(format!("reverse reject {id}"))];
        }
        self.requests.rejecting = Some(id);
        self.open_prompt(Prompt::new(PromptKind::Reason, ""));
        Vec::new()
    }

    /// Rejects the request with the reason that was typed, which may be empty.
    pub(super) fn rejected(&mut self, reason: &str, state: &State) -> Vec<Effect> {
        let Some(id) = self.requests.rejecting.take() else { return Vec::new() };
        self.answered(&id, state);
        // A quote would end the word of the command.
        let reason = reason.replace('"', "'");
        let reason = if reason.is_empty() { String::new() } else { format!(" \"{reason}\"") };
        vec![Effect::Execute(format!("reverse reject {id}{reason}"))]
    }

    pub(super) fn put_off_request(&mut self, state: &State) -> Vec<Effect> {
        let Some(id) = self.requests.chosen.clone() else { return Vec::new() };
        self.answered(&id, state);
        Vec::new()
    }

    pub(super) fn close_requests(&mut self, state: &State) -> Vec<Effect> {
        self.requests.put_off.extend(state.requests.listed.iter().map(|listed| listed.id.clone()));
        self.close_dialog();
        Vec::new()
    }

    /// Shows the dialog with all requests, also those put off.
    pub(super) fn show_requests(&mut self, state: &State) -> Vec<Effect> {
        self.requests.put_off.clear();
        if !state.requests.listed.is_empty() && !self.has_requests() {
            self.layers.push(Layer::Requests(Opened::Known));
        }
        // While not listening, the known requests are out of date.
        vec![Effect::Execute("reverse list".to_owned())]
    }

    /// After an answer: chooses the next new request, or closes the dialog if none is left.
    pub(super) fn answered(&mut self, id: &RequestId, state: &State) {
        let requests = &mut self.requests;
        requests.put_off.insert(id.clone());
        let mut left = state.requests.listed.iter().filter(|listed| !requests.put_off.contains(&listed.id));
        match left.find(|listed| listed.is_open()) {
            Some(next) => requests.chosen = Some(next.id.clone()),
            None => self.close_dialog(),
        }
    }

    pub(super) fn close_dialog(&mut self) {
        self.layers.retain(|layer| !matches!(layer, Layer::Requests(_)));
    }
}

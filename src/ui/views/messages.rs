//! View 9: commands with their results, and events.

use super::list_rows::select;
use super::output::dropped_words;
use crate::action::ViewId;
use crate::log::LogKind;
use crate::screen::Pen;
use crate::theme::Role;
use crate::view::View;
use model::Severity;
use ratatui::layout::Rect;

pub(crate) fn severity_role(severity: Severity) -> Role {
    match severity {
        Severity::Note => Role::Note,
        Severity::Warning => Role::Warning,
        Severity::Error => Role::Error,
    }
}

pub(crate) fn title(view: &View) -> Vec<(String, Role)> {
    match view.log.dropped() {
        0 => Vec::new(),
        dropped => vec![(format!("  {}", dropped_words(dropped as u64)), Role::Warning)],
    }
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, view: &View) {
    if view.log.is_empty() {
        pen.row(body, 0).put(" no messages", Role::Dim);
    }
    for (row, index) in view.messages.list.window(view.log.len(), body.height.into()).enumerate() {
        let Some(entry) = view.log.get(index) else { break };
        let row = row as u16;
        let mut line = pen.row(body, row);
        let role = match entry.kind {
            LogKind::Command => {
                line.put(":", Role::Prompt);
                Role::Text
            }
            LogKind::Result => Role::Text,
            LogKind::Event => Role::Dim,
            LogKind::Message(severity) => severity_role(severity),
        };
        if entry.kind != LogKind::Command {
            line.put(" ", Role::Text);
        }
        line.scrolled(view.messages.left);
        line.put(&entry.text, role);
        let follows = view.messages.follow && index + 1 == view.log.len();
        select(pen, body, row, index == view.messages.list.cursor && !follows, view.current == ViewId::Messages);
    }
}

//! Completion of the line being typed.

use crate::layer::{Prompt, PromptKind};
use crate::prompt::{Completion, files};
use controller::State;
use controller::command::{complete, file_begun};

/// Completes the word before the cursor: first as far as all candidates agree, then with one after the other.
pub(super) fn complete_line(prompt: &mut Prompt, state: &State, forward: bool) {
    if matches!(prompt.kind, PromptKind::Search | PromptKind::Reason | PromptKind::Reference) {
        return;
    }
    prompt.editor.keep_selected();
    if let Some((completion, chosen)) = prompt.completion.take() {
        let count = completion.candidates.len().max(1);
        let next = match chosen {
            None if forward => 0,
            None => count - 1,
            Some(chosen) if forward => (chosen + 1) % count,
            Some(chosen) => (chosen + count - 1) % count,
        };
        let Some(word) = completion.candidates.get(next).cloned() else { return };
        prompt.editor.replace(completion.range.start..prompt.editor.cursor(), &word);
        prompt.completion = Some((completion, Some(next)));
        return;
    }
    let completion = candidates(prompt, state);
    let range = completion.range.clone();
    match completion.candidates.as_slice() {
        [] => prompt.to_complete = Some(prompt.editor.before().to_owned()),
        [word] => {
            // A line number follows a file, a name a directory.
            let end = if word.ends_with([':', '/']) { "" } else { " " };
            prompt.editor.replace(range, &format!("{word}{end}"));
        }
        several => {
            let common = common_beginning(several);
            if common.len() > range.len() {
                prompt.editor.replace(range, common);
            }
            prompt.completion = Some((completion, None));
        }
    }
}

/// Completes the word for which the names came after the key, unless the line has been changed meanwhile.
pub(super) fn complete_late(prompt: &mut Prompt, state: &State) {
    let is_meant = prompt.to_complete.take().is_some_and(|line| line == prompt.editor.before());
    if is_meant && prompt.completion.is_none() {
        complete_line(prompt, state, true);
    }
}

fn candidates(prompt: &Prompt, state: &State) -> Completion {
    let typed = prompt.editor.before();
    // A location is completed as the argument of a command that takes one.
    // And so is an address.
    let head = match prompt.kind {
        PromptKind::Place => "list ",
        PromptKind::Address => "memory ",
        _ => "",
    };
    let line = format!("{head}{typed}");
    let found = complete(&line, state);
    let start = found.start.saturating_sub(head.len());
    if found.candidates.is_empty()
        && let Some(begun) = file_begun(&line)
    {
        let home = std::env::var("HOME").ok();
        let range = typed.len().saturating_sub(begun.len())..typed.len();
        return Completion { range, candidates: files(begun, home.as_deref()) };
    }
    Completion { range: start..typed.len(), candidates: found.candidates }
}

/// The longest beginning that all words have.
fn common_beginning(words: &[String]) -> &str {
    let Some((first, rest)) = words.split_first() else { return "" };
    let agree = |at: usize, c: char| rest.iter().all(|word| word.get(at..).is_some_and(|rest| rest.starts_with(c)));
    let end = first.char_indices().find(|&(at, c)| !agree(at, c)).map_or(first.len(), |(at, _)| at);
    first.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use controller::state::Lookup;

    #[test]
    fn words_have_a_beginning_in_common() {
        let common = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            common_beginning(&words).to_owned()
        };
        assert_eq!(common(&["breakpoints", "break"]), "break");
        assert_eq!(common(&["next", "nexti"]), "next");
        assert_eq!(common(&["up", "down"]), "");
        assert_eq!(common(&["m\u{e4}h", "m\u{e5}l"]), "m");
        assert_eq!(common(&["one"]), "one");
        assert_eq!(common(&[]), "");
    }

    #[test]
    fn a_word_is_completed_as_far_as_the_candidates_agree_and_then_one_by_one() {
        let state = State::default();
        let mut prompt = Prompt::new(PromptKind::Command, "br");
        let tab = |prompt: &mut Prompt, forward| {
            complete_line(prompt, &state, forward);
            prompt.editor.text().to_owned()
        };
        assert_eq!(tab(&mut prompt, true), "break");
        assert!(matches!(prompt.completion, Some((_, None))), "the candidates are shown");
        assert_eq!(tab(&mut prompt, true), "break");
        assert_eq!(tab(&mut prompt, true), "breakpoints");
        assert_eq!(tab(&mut prompt, true), "break");
        assert_eq!(tab(&mut prompt, false), "breakpoints");
        let mut prompt = Prompt::new(PromptKind::Command, "undisplay ");
        assert_eq!(tab(&mut prompt, true), "undisplay ", "there are no displays");
    }

    #[test]
    fn names_that_come_after_the_key_complete_the_line_that_it_was_pressed_for() {
        let named = |names: &[&str]| {
            let mut state = State::default();
            state.inspection.names = Lookup::Known(names.iter().map(|&name| name.to_owned()).collect());
            state
        };
        let mut prompt = Prompt::new(PromptKind::Command, "print wid");
        complete_line(&mut prompt, &State::default(), true);
        complete_late(&mut prompt, &State::default());
        assert_eq!(prompt.editor.text(), "print wid");
        complete_late(&mut prompt, &named(&["width", "height"]));
        assert_eq!(prompt.editor.text(), "print width ");
        complete_late(&mut prompt, &named(&["width_of_all"]));
        assert_eq!(prompt.editor.text(), "print width ", "one key completes once");
        let mut prompt = Prompt::new(PromptKind::Command, "print wid");
        complete_line(&mut prompt, &State::default(), true);
        prompt.editor.insert("e");
        complete_late(&mut prompt, &named(&["wide_cell"]));
        assert_eq!(prompt.editor.text(), "print wide", "the line has been changed");
    }
}

//! `docs/KEYS.md`, made from the tables.

use crate::action::{ACTIONS, Group, MEANINGS, Scope};
use crate::glyphs::{ASCII, SIGNS, UNICODE};
use crate::prompt::PROMPT_KEYS;
use std::fmt::Write as _;

/// Returns the text of `docs/KEYS.md`.
pub fn keys_page() -> String {
    let made = "Made from the tables of actions and of prompt keys; `UPDATE=1 cargo test --test screen keys_page` writes it again.";
    let keys = keys();
    match keys.split_once("\n\n") {
        Some((title, rest)) => format!("{title}\n\n{made}\n{rest}"),
        None => keys,
    }
}

/// Lists all keys as Markdown.
pub fn keys() -> String {
    let mut page = String::from("# Keys\n\nKeys that run ranks act on the focus, which the status line shows.\n");
    for group in Group::ALL {
        let _ = write!(page, "\n## {}\n\n| keys | where | what | name |\n|---|---|---|---|\n", group.title());
        for row in ACTIONS.iter().filter(|row| row.group == group) {
            let place = row.scope.name();
            let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
            let _ = writeln!(page, "| {} | {place} | {} | `{}` |", keys.join(" "), row.sentence, row.name);
            for (_, view, sentence) in MEANINGS.iter().filter(|(action, ..)| *action == row.action) {
                let place = Scope::In(*view).name();
                let _ = writeln!(page, "| {} | {place} | {sentence} | `{}` |", keys.join(" "), row.name);
            }
        }
    }
    page.push_str("\n## While typing a command\n\n| keys | what |\n|---|---|\n");
    for (keys, sentence) in PROMPT_KEYS {
        let keys: Vec<String> = keys.split(' ').map(|key| format!("`{key}`")).collect();
        let _ = writeln!(page, "| {} | {sentence} |", keys.join(" "));
    }
    page.push_str(
        "\n## Letters of the ranks\n\nA letter and a colour show the state of a rank. A cell for several ranks \
            shows the state that needs most attention,\nin lower case and underlined when they differ. `enter` or `+` zooms \
            in: fewer ranks share a cell. The part\nthat is shown follows the cursor; a line says which one it is, and \
            how to leave it. `space` marks the ranks of a cell,\nand `enter` then focuses on them.\n\n| \
            letter | state |\n|---|---|\n",
    );
    for (letter, sentence) in crate::rank_state::LETTERS {
        let _ = writeln!(page, "| `{letter}` | {sentence} |");
    }
    page.push_str("\n## Signs\n\n| sign | without Unicode | where | what it says |\n|---|---|---|---|\n");
    for sign in SIGNS {
        let (plain, ascii) = ((sign.of)(&UNICODE), (sign.of)(&ASCII));
        let _ = writeln!(page, "| `{plain}` | `{ascii}` | {} | {} |", sign.place, sign.sentence);
    }
    page
}

//! Finds similar spellings of names that do not exist.

/// The beginning of a suggestion at the end of an engine's message.
pub const DID_YOU_MEAN: &str = "Did you mean ";

/// Returns the known name that a misspelt one most likely means.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.into_iter().map(|known| (distance(name, known), known));
    scored.filter(|&(distance, _)| distance <= 1 + name.len() / 5 && name.len() > 2).min().map(|(_, known)| known)
}

/// As [`nearest`], among names so few that a short one can be meant, too: the members of a type.
pub fn nearest_of_few<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.into_iter().map(|known| (distance(name, known), known));
    // A word of which nothing remains is not misspelt.
    let is_near = |distance: usize| distance <= 1 + name.len() / 5 && distance < name.chars().count();
    scored.filter(|&(distance, _)| is_near(distance)).min().map(|(_, known)| known)
}

/// Returns the end of a sentence about an unknown name: a suggestion, or `else_say`.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, else_say: &str) -> String {
    match nearest(name, known) {
        Some(near) => format!("did you mean {near:?}?"),
        None => else_say.to_owned(),
    }
}

/// Counts the insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j - 1] + same).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_offered_when_few_letters_are_wrong() {
        let known = ["stopped", "running", "all"];
        for (name, near) in [("stoped", Some("stopped")), ("runing", Some("running")), ("al", None), ("fast", None)] {
            assert_eq!(nearest(name, known), near, "{name}");
        }
        for (name, near) in [("tt", Some("t")), ("idd", Some("id")), ("q", None), ("naem", Some("name"))] {
            assert_eq!(nearest_of_few(name, ["t", "id", "name"]), near, "{name}");
        }
        assert_eq!(did_you_mean("stoppde", known, "no"), "did you mean \"stopped\"?");
        assert_eq!(did_you_mean("xyzzy", known, "\"groups\" lists them"), "\"groups\" lists them");
    }
}

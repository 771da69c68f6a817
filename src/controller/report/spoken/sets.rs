//! The set before a line, in words, once for the lines that share it.

/// Divides a line `[0-3.2] text` into its set and its text.
pub(super) fn divided(line: &str) -> (Option<&str>, &str) {
    let found = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let of_set = |set: &&str| set.starts_with(|c: char| c.is_ascii_digit()) && set.chars().all(is_of_sets);
    match found.filter(|(set, _)| of_set(set)) {
        Some((set, "")) => (Some(set), ""),
        Some((set, rest)) => match rest.strip_prefix(' ') {
            Some(text) => (Some(set), text),
            None => (None, line),
        },
        None => (None, line),
    }
}

fn is_of_sets(c: char) -> bool {
    c.is_ascii_digit() || "-,:.{}".contains(c)
}

/// Returns a set in words: `ranks 0 to 3, 7`, `rank 2, thread 5`.
pub(super) fn words(set: &str) -> String {
    if set.ends_with(" ranks") {
        // Too scattered for ranges.
        return set.to_owned();
    }
    let (ranks, threads) = set.split_once('.').map_or((set, None), |(ranks, threads)| (ranks, Some(threads)));
    let threads = threads.map(|threads| threads.trim_matches(['{', '}']));
    let threads = threads.map_or_else(String::new, |threads| format!(", {}", counted("thread", threads)));
    format!("{}{threads}", counted("rank", ranks))
}

fn counted(what: &str, numbers: &str) -> String {
    let plural = if numbers.chars().all(|c| c.is_ascii_digit()) { "" } else { "s" };
    format!("{what}{plural} {}", ranges(numbers))
}

/// Returns ranges of numbers in words: a hyphen is often not read aloud.
pub(super) fn ranges(numbers: &str) -> String {
    let part = |part: &str| match part.split_once(':') {
        Some((range, step)) => format!("{} in steps of {step}", range.replacen('-', " to ", 1)),
        None => part.replacen('-', " to ", 1),
    };
    numbers.split(',').map(part).collect::<Vec<_>>().join(", ")
}

/// Says the set of lines in words: before a line that is alone, and once above several.
pub(super) fn in_words(lines: &[String], between: &str) -> Vec<String> {
    let mut told = Vec::new();
    for run in lines.chunk_by(|one, next| divided(one).0 == divided(next).0) {
        let texts = || run.iter().map(|line| divided(line).1.to_owned());
        match (run.first().and_then(|line| divided(line).0), run.len()) {
            (Some(set), 1) => told.extend(texts().map(|text| format!("{}{between}{text}", words(set)))),
            (Some(set), _) => {
                told.push(format!("{}:", words(set)));
                told.extend(texts());
            }
            (None, _) => told.extend(texts()),
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_said_in_words() {
        for (set, said) in [
            ("0", "rank 0"),
            ("0-3", "ranks 0 to 3"),
            ("0-3,7", "ranks 0 to 3, 7"),
            ("0-62:2", "ranks 0 to 62 in steps of 2"),
            ("898779 ranks", "898779 ranks"),
            ("2.5", "rank 2, thread 5"),
            ("0-3.{2,5-7}", "ranks 0 to 3, threads 2, 5 to 7"),
        ] {
            assert_eq!(words(set), said);
        }
    }

    #[test]
    fn lines_that_share_a_set_have_it_once_above_them() {
        let lines = ["[0-1] #0  kernel", "[0-1] #1  main", "[2] no stack", "no set", "[x] a text"];
        let lines = lines.map(str::to_owned);
        let said = ["ranks 0 to 1:", "#0  kernel", "#1  main", "rank 2: no stack", "no set", "[x] a text"];
        assert_eq!(in_words(&lines, ": "), said);
    }
}

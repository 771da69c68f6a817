//! The few characters outside ASCII, and what stands for them on a terminal that has only ASCII.

/// Characters of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// A line between rows.
    pub horizontal: char,
    /// A line between columns.
    pub vertical: char,
    /// A column begins below.
    pub tee_down: char,
    /// A column ends above.
    pub tee_up: char,
    /// A row begins at the right.
    pub tee_right: char,
    /// The line of the lead rank.
    pub lead: char,
    /// A line of other ranks.
    pub other: char,
    /// A breakpoint that acts.
    pub enabled: char,
    /// A breakpoint that is off.
    pub disabled: char,
    /// A breakpoint whose place is not loaded.
    pub pending: char,
    /// A value that can be opened.
    pub closed: char,
    /// An opened value.
    pub open: char,
    /// A changed value.
    pub changed: char,
    /// An expression that is kept in sight.
    pub displayed: char,
    /// A branch of a tree.
    pub branch: &'static str,
    /// The last branch of a tree.
    pub last_branch: &'static str,
    /// A branch passing by.
    pub passing: &'static str,
    /// Words cut off.
    pub cut: char,
    /// Between words of equal rank.
    pub dot: char,
}

/// For terminals with Unicode.
pub const UNICODE: Glyphs = Glyphs {
    horizontal: '─',
    vertical: '│',
    tee_down: '┬',
    tee_up: '┴',
    tee_right: '├',
    lead: '▶',
    other: '▷',
    enabled: '●',
    disabled: '○',
    pending: '◌',
    closed: '▸',
    open: '▾',
    changed: '◆',
    displayed: '◇',
    branch: "├─",
    last_branch: "└─",
    passing: "│ ",
    cut: '…',
    dot: '·',
};

/// For terminals without.
pub const ASCII: Glyphs = Glyphs {
    horizontal: '-',
    vertical: '|',
    tee_down: '+',
    tee_up: '+',
    tee_right: '+',
    lead: '>',
    other: ')',
    enabled: '*',
    disabled: 'o',
    pending: '?',
    closed: '+',
    open: '-',
    changed: '!',
    displayed: '=',
    branch: "|-",
    last_branch: "`-",
    passing: "| ",
    cut: '~',
    dot: '|',
};

/// Those of the terminal.
pub fn glyphs(ascii: bool) -> &'static Glyphs {
    if ascii { &ASCII } else { &UNICODE }
}

/// A sign that the screen puts beside something, and what it says.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// The character for it.
    pub of: fn(&Glyphs) -> char,
    /// Where it stands.
    pub place: &'static str,
    /// What it says.
    pub sentence: &'static str,
}

/// Signs with what they say: help and `docs/KEYS.md` are made from it.
pub const SIGNS: &[Sign] = &[
    Sign {
        of: |g| g.lead,
        place: "source, stack, threads",
        sentence: "the current line, frame or thread of the lead rank",
    },
    Sign {
        of: |g| g.other,
        place: "source",
        sentence: "a line where other ranks are stopped, or a caller's line of the lead rank",
    },
    Sign { of: |g| g.enabled, place: "source, breakpoints", sentence: "a breakpoint" },
    Sign { of: |g| g.disabled, place: "source, breakpoints", sentence: "a disabled breakpoint" },
    Sign { of: |g| g.pending, place: "source, breakpoints", sentence: "a pending breakpoint" },
    Sign { of: |g| g.closed, place: "variables", sentence: "a value that can be expanded" },
    Sign { of: |g| g.open, place: "variables", sentence: "an expanded value" },
    Sign { of: |g| g.changed, place: "variables", sentence: "a value that changed since the last stop" },
    Sign { of: |g| g.displayed, place: "variables", sentence: "an expression of \"display\"" },
    Sign { of: |g| g.cut, place: "everywhere", sentence: "truncated here" },
    Sign { of: |_| '*', place: "ranks", sentence: "a marked rank" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_of_the_screen_is_explained() {
        // The other characters are lines.
        let Glyphs { lead, other, enabled, disabled, pending, closed, open, changed, displayed, cut, .. } = UNICODE;
        let explained: Vec<char> = SIGNS.iter().map(|sign| (sign.of)(&UNICODE)).collect();
        for sign in [lead, other, enabled, disabled, pending, closed, open, changed, displayed, cut] {
            assert!(explained.contains(&sign), "{sign}");
        }
        assert!(SIGNS.iter().all(|sign| (sign.of)(&ASCII).is_ascii()));
    }
}

//! The few characters outside ASCII, and their substitutes on a terminal that has only ASCII.

/// The non-ASCII characters that the screen uses.
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
    /// The current line, frame or thread of the lead rank.
    pub lead: char,
    /// A line with other stopped ranks, or a caller's line of the lead rank.
    pub other: char,
    /// An enabled breakpoint.
    pub enabled: char,
    /// Several breakpoints.
    pub several: char,
    /// A disabled breakpoint.
    pub disabled: char,
    /// A pending breakpoint.
    pub pending: char,
    /// A value that can be expanded.
    pub closed: char,
    /// An expanded value.
    pub open: char,
    /// A value that changed since the last stop.
    pub changed: char,
    /// Memory that another rank has different.
    pub differs: char,
    /// Memory that has changed, and that another rank has different.
    pub changed_and_differs: char,
    /// An expression of `display`.
    pub displayed: char,
    /// A branch of the merged tree.
    pub branch: &'static str,
    /// The last branch of a node of the merged tree.
    pub last_branch: &'static str,
    /// A branch that continues further below.
    pub passing: &'static str,
    /// Text truncated here.
    pub cut: char,
    /// Separates items of a list.
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
    several: '◉',
    disabled: '○',
    pending: '◌',
    closed: '▸',
    open: '▾',
    changed: '◆',
    differs: '≠',
    changed_and_differs: '◈',
    displayed: '◇',
    branch: "├─",
    last_branch: "└─",
    passing: "│ ",
    cut: '…',
    dot: '·',
};

/// For terminals without Unicode.
pub const ASCII: Glyphs = Glyphs {
    horizontal: '-',
    vertical: '|',
    tee_down: '+',
    tee_up: '+',
    tee_right: '+',
    lead: '>',
    other: ')',
    enabled: '*',
    several: '#',
    disabled: 'o',
    pending: '?',
    closed: '+',
    open: '-',
    changed: '!',
    differs: '%',
    changed_and_differs: '&',
    displayed: '=',
    branch: "|-",
    last_branch: "`-",
    passing: "| ",
    cut: '~',
    dot: '|',
};

/// The characters for a terminal.
pub fn glyphs(ascii: bool) -> &'static Glyphs {
    if ascii { &ASCII } else { &UNICODE }
}

/// A sign with its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// The sign's character in a set of glyphs.
    pub of: fn(&Glyphs) -> char,
    /// The views that use the sign.
    pub place: &'static str,
    /// The meaning of the sign.
    pub sentence: &'static str,
}

/// All signs with their meanings, for help and `docs/KEYS.md`.
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
    Sign { of: |g| g.several, place: "source", sentence: "several breakpoints" },
    Sign { of: |g| g.disabled, place: "source, breakpoints", sentence: "a disabled breakpoint" },
    Sign { of: |g| g.pending, place: "source, breakpoints", sentence: "a pending breakpoint" },
    Sign { of: |g| g.closed, place: "variables", sentence: "a value that can be expanded" },
    Sign { of: |g| g.open, place: "variables", sentence: "an expanded value" },
    Sign { of: |g| g.changed, place: "variables, array, memory", sentence: "a value that changed since the last stop" },
    Sign { of: |g| g.differs, place: "memory", sentence: "bytes that other ranks have different" },
    Sign {
        of: |g| g.changed_and_differs,
        place: "memory",
        sentence: "bytes that changed, and that other ranks have different",
    },
    Sign { of: |g| g.displayed, place: "variables", sentence: "an expression of \"display\"" },
    Sign { of: |g| g.cut, place: "everywhere", sentence: "truncated here" },
    Sign { of: |_| '*', place: "ranks", sentence: "a marked rank" },
    Sign { of: |_| '*', place: "array", sentence: "an element that meets the condition" },
    Sign { of: |_| '!', place: "output", sentence: "a line of standard error" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_of_the_screen_is_explained() {
        // The other characters only draw lines.
        let Glyphs { lead, other, enabled, several, disabled, pending, closed, open, displayed, cut, .. } = UNICODE;
        let Glyphs { changed, differs, changed_and_differs, .. } = UNICODE;
        let marks = [changed, differs, changed_and_differs];
        assert!(marks.iter().all(|sign| SIGNS.iter().any(|known| (known.of)(&UNICODE) == *sign)));
        let explained: Vec<char> = SIGNS.iter().map(|sign| (sign.of)(&UNICODE)).collect();
        for sign in [lead, other, enabled, several, disabled, pending, closed, open, displayed, cut] {
            assert!(explained.contains(&sign), "{sign}");
        }
        assert!(SIGNS.iter().all(|sign| (sign.of)(&ASCII).is_ascii()));
    }
}

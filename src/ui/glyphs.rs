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

//! Operators by their two letters (Itanium C++ ABI, 5.1.3).

#[derive(Clone, Copy, Debug)]
pub(super) struct Operator {
    pub(super) sign: &'static str,
    pub(super) operands: u32,
}

const ALL: &[(&str, &str, u32)] = &[
    ("nw", "new", 3),
    ("na", "new[]", 3),
    ("dl", "delete", 1),
    ("da", "delete[]", 1),
    ("aw", "co_await ", 1),
    ("ps", "+", 1),
    ("ng", "-", 1),
    ("ad", "&", 1),
    ("de", "*", 1),
    ("co", "~", 1),
    ("pl", "+", 2),
    ("mi", "-", 2),
    ("ml", "*", 2),
    ("dv", "/", 2),
    ("rm", "%", 2),
    ("an", "&", 2),
    ("or", "|", 2),
    ("eo", "^", 2),
    ("aS", "=", 2),
    ("pL", "+=", 2),
    ("mI", "-=", 2),
    ("mL", "*=", 2),
    ("dV", "/=", 2),
    ("rM", "%=", 2),
    ("aN", "&=", 2),
    ("oR", "|=", 2),
    ("eO", "^=", 2),
    ("ls", "<<", 2),
    ("rs", ">>", 2),
    ("lS", "<<=", 2),
    ("rS", ">>=", 2),
    ("eq", "==", 2),
    ("ne", "!=", 2),
    ("lt", "<", 2),
    ("gt", ">", 2),
    ("le", "<=", 2),
    ("ge", ">=", 2),
    ("ss", "<=>", 2),
    ("nt", "!", 1),
    ("aa", "&&", 2),
    ("oo", "||", 2),
    ("pp", "++", 1),
    ("mm", "--", 1),
    ("cm", ",", 2),
    ("pm", "->*", 2),
    ("pt", "->", 2),
    ("dt", ".", 2),
    ("cl", "()", 2),
    ("ix", "[]", 2),
    ("qu", "?", 3),
];

pub(super) fn operator(letters: &str) -> Option<Operator> {
    let (_, sign, operands) = ALL.iter().find(|(own, _, _)| *own == letters)?;
    Some(Operator { sign, operands: *operands })
}

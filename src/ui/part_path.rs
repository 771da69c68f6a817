//! Expressions for the parts of values, from those for the values.

use crate::values::{Part, Piece};
use model::aif::Spelling;

/// An expression for a value, from which those for its parts are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartPath {
    text: String,
    /// The array of which this is a section in Fortran, and the subscripts of the last dimensions.
    section: Option<(String, String)>,
}

/// Parenthesizes an expression if needed, so that member and index operators may follow.
pub(crate) fn operand_of(expression: &str) -> String {
    let simple = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | ':' | '[' | ']' | '%' | '(' | ')');
    // Parentheses of a call or of subscripts have a name before them.
    let is_simple = expression.chars().all(simple) && !expression.starts_with('(');
    if is_simple { expression.to_owned() } else { format!("({expression})") }
}

/// The expression for a pointer's target.
pub(crate) fn target_of(path: &str) -> String {
    format!("*({path})")
}

impl PartPath {
    pub(crate) fn of(expression: &str) -> Self {
        Self { text: operand_of(expression), section: None }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The name that a part of a value has beside the others, and its path.
    pub(crate) fn part(&self, whole: &Piece, part: &Part) -> (String, Self) {
        let separator = if whole.spelling() == Some(Spelling::Fortran) { '%' } else { '.' };
        match part {
            Part::Element(index) if whole.spelling() == Some(Spelling::Fortran) => self.subscripted(whole, *index),
            _ => self.reached(part, &self.text, &format!("{}{separator}", self.text)),
        }
    }

    /// As `part`, where this is the path of a pointer to the value.
    pub(crate) fn part_of_target(&self, target: &Piece, part: &Part) -> (String, Self) {
        let whole = format!("({})", target_of(&self.text));
        match (target.spelling(), part) {
            // There, the name of a pointer is that of its target.
            (Some(Spelling::Fortran), _) => self.part(target, part),
            _ => self.reached(part, &whole, &format!("{}->", self.text)),
        }
    }

    fn reached(&self, part: &Part, whole: &str, member: &str) -> (String, Self) {
        let (name, text) = match part {
            Part::Member(name) if name == "get()" => (name.clone(), format!("(&*{whole})")),
            Part::Member(name) if name.starts_with("[contained") => (name.clone(), format!("(*{whole})")),
            Part::Member(name) if name.is_empty() || name.starts_with('<') => (name.clone(), self.text.clone()),
            Part::Member(name) => (name.clone(), format!("{member}{name}")),
            Part::Element(index) => (format!("[{index}]"), format!("{whole}[{index}]")),
            Part::Key(key) => (format!("[{key}]"), format!("{whole}[{key}]")),
        };
        (name, Self { text, section: None })
    }

    /// In Fortran, the last subscript is that of the outermost elements.
    fn subscripted(&self, whole: &Piece, index: i64) -> (String, Self) {
        let (array, behind) = match &self.section {
            Some((array, behind)) => (array.clone(), format!("{index},{behind}")),
            None => (self.text.clone(), index.to_string()),
        };
        let open = whole.dimensions().saturating_sub(1);
        let subscripts = format!("({}{behind})", ":,".repeat(open));
        let text = format!("{array}{subscripts}");
        (subscripts, Self { text, section: (open > 0).then_some((array, behind)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Parts;
    use model::Datum;
    use model::aif::from_hex;

    fn piece(descriptor: &str, hex: &str) -> Piece {
        let data = from_hex(hex).unwrap();
        Piece::of(&Datum { descriptor: descriptor.into(), data, type_name: String::new() })
    }

    fn parts(piece: &Piece, path: impl Fn(&Part) -> (String, PartPath)) -> Vec<(String, PartPath, Piece)> {
        let Parts { shown, more } = piece.parts(10);
        assert_eq!(more, Some(0));
        let named = |(part, piece)| {
            let (name, path) = path(&part);
            (name, path, piece)
        };
        shown.into_iter().map(named).collect()
    }

    #[test]
    fn parts_of_c_are_reached_by_members_and_indices() {
        let whole = piece("{s|m=[r0,2is4]is4;;;}", "0000000100000002");
        let members = parts(&whole, |part| PartPath::of("a + b").part(&whole, part));
        assert_eq!((members[0].0.as_str(), members[0].1.text()), ("m", "(a + b).m"));
        let elements = parts(&members[0].2, |part| members[0].1.part(&members[0].2, part));
        assert_eq!((elements[1].0.as_str(), elements[1].1.text()), ("[1]", "(a + b).m[1]"));
        let behind = parts(&whole, |part| PartPath::of("p").part_of_target(&whole, part));
        assert_eq!(behind[0].1.text(), "p->m");
        let array = &members[0].2;
        let behind = parts(array, |part| PartPath::of("p").part_of_target(array, part));
        assert_eq!(behind[0].1.text(), "(*(p))[0]");
    }

    #[test]
    fn parts_of_fortran_have_all_subscripts_at_once() {
        let element = "0000000100000002";
        let whole = piece("kf[r0,2is4][r1,2is4]{kinds::cell|id=is4,n=is4;;;}", &element.repeat(4));
        let columns = parts(&whole, |part| PartPath::of("grid").part(&whole, part));
        let (name, path, column) = &columns[1];
        assert_eq!((name.as_str(), path.text(), column.type_words().as_str()), ("(:,1)", "grid(:,1)", "Type cell (2)"));
        let cells = parts(column, |part| path.part(column, part));
        let (name, path, cell) = &cells[1];
        assert_eq!((name.as_str(), path.text()), ("(2,1)", "grid(2,1)"));
        let members = parts(cell, |part| path.part(cell, part));
        assert_eq!((members[0].0.as_str(), members[0].1.text()), ("id", "grid(2,1)%id"));
        let behind = parts(cell, |part| PartPath::of("c%next").part_of_target(cell, part));
        assert_eq!(behind[1].1.text(), "c%next%n");
    }

    #[test]
    fn what_a_smart_pointer_points_to_is_reached_without_calling_it() {
        let pointer = Part::Member("get()".into());
        let owner = PartPath::of("owner");
        let whole = piece("is4", "00000001");
        assert_eq!(owner.part(&whole, &pointer).1.text(), "(&*owner)");
        assert_eq!(owner.part(&whole, &Part::Member("[contained value]".into())).1.text(), "(*owner)");
        let (name, path) = owner.part(&whole, &Part::Key("\"ann\"".into()));
        assert_eq!((name.as_str(), path.text()), ("[\"ann\"]", "owner[\"ann\"]"));
        assert_eq!(owner.part(&whole, &Part::Member("<Base>".into())).1.text(), "owner");
    }
}

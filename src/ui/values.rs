//! A value as rows: its text and its parts.

use model::aif::{AifType, AifValue, FormatOptions, PointerValue, as_gdb_spells, format};
use model::{Datum, PrintLimits};

/// The name of a part, which tells how an expression reaches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A member; a base class as `<Base>`, empty for an anonymous one.
    Member(String),
    /// An element by its index.
    Element(i64),
}

/// A value or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    datum: Datum,
    parsed: Option<(AifType, AifValue)>,
}

/// Array elements shown on one line at most, whatever the settings: longer lines cannot be seen.
const LIMIT: usize = 200;

impl Piece {
    /// The whole value.
    pub(crate) fn of(datum: &Datum) -> Self {
        let parsed = datum.parsed().ok().map(|(ty, value)| unwrapped(ty, value));
        Self { datum: datum.clone(), parsed }
    }

    fn part(ty: &AifType, value: &AifValue) -> Self {
        let descriptor = ty.to_string();
        let data = value.write(ty).unwrap_or_default();
        let datum = Datum { descriptor, data, type_name: String::new() };
        Self { datum, parsed: Some(unwrapped(ty.clone(), value.clone())) }
    }

    /// The value as gdb prints it, on one line; without the type, which stands beside it.
    pub(crate) fn text(&self, limits: PrintLimits) -> String {
        let bare = Datum { type_name: String::new(), ..self.datum.clone() };
        let how = FormatOptions {
            letter: None,
            limit: (limits.elements as usize).min(LIMIT),
            threshold: limits.repeats as usize,
        };
        match (format(&bare, &how), &self.parsed) {
            (Ok(text), _) => text,
            // A part whose type is defined elsewhere in the value cannot be decoded alone; its address is still useful.
            (Err(_), Some((_, AifValue::Pointer(pointer)))) => format!("{:#x}", pointer.address()),
            (Err(error), _) => format!("<{error}>"),
        }
    }

    /// The type in words.
    pub(crate) fn type_words(&self) -> String {
        match &self.parsed {
            _ if !self.datum.type_name.is_empty() => as_gdb_spells(&self.datum.type_name),
            Some((ty, _)) => words(ty),
            None => String::new(),
        }
    }

    /// True for a pointer whose target can be shown.
    pub(crate) fn is_pointer(&self) -> bool {
        matches!(
            &self.parsed,
            Some((AifType::Pointer { target, .. }, AifValue::Pointer(pointer)))
                if pointer.address() != 0
                    && !matches!(pointer, PointerValue::Null | PointerValue::Invalid { .. })
                    && !matches!(**target, AifType::Function { .. })
        ) && !self.is_untyped()
    }

    /// True for a pointer without a type to show. A descriptor may omit the target; the type's name does not.
    fn is_untyped(&self) -> bool {
        let mut words =
            self.datum.type_name.split([' ', '*']).filter(|word| !matches!(*word, "" | "const" | "volatile"));
        words.next() == Some("void") && self.datum.type_name.matches('*').count() == 1
    }

    pub(crate) fn has_parts(&self) -> bool {
        match &self.parsed {
            Some((_, AifValue::Members(members))) => !members.is_empty(),
            Some((AifType::Array { element, .. }, AifValue::Elements(elements))) => {
                !elements.is_empty() && !element.is_character()
            }
            Some((AifType::Runs { .. }, AifValue::Runs(runs))) => !runs.is_empty(),
            _ => false,
        }
    }

    /// At most `most` of its parts, and the number of all parts.
    pub(crate) fn parts(&self, most: usize) -> (Vec<(Part, Piece)>, usize) {
        let Some((ty, value)) = &self.parsed else { return (Vec::new(), 0) };
        match (ty, value) {
            (AifType::Aggregate { .. }, AifValue::Members(values)) => {
                let fields = ty.aggregate_members().zip(values);
                let parts = fields
                    .take(most)
                    .map(|(field, value)| (Part::Member(field.name.clone()), Self::part(&field.ty, value)));
                (parts.collect(), values.len())
            }
            (AifType::Union { members, .. }, AifValue::Members(values)) => {
                let fields = members.iter().zip(values);
                let parts = fields
                    .take(most)
                    .map(|(field, value)| (Part::Member(field.name.clone()), Self::part(&field.ty, value)));
                (parts.collect(), values.len())
            }
            (AifType::Array { index, element }, AifValue::Elements(values)) => {
                let numbered = (lowest(index)..).zip(values).take(most);
                (numbered.map(|(i, value)| (Part::Element(i), Self::part(element, value))).collect(), values.len())
            }
            (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
                let all = runs.iter().flat_map(|(count, value)| std::iter::repeat_n(value, *count as usize));
                let count: usize = runs.iter().map(|run| run.0 as usize).sum();
                let numbered = (lowest(index)..).zip(all).take(most);
                let parts = numbered.map(|(i, value)| (Part::Element(i), Self::part(element, value))).collect();
                (parts, count.max(index.range_count() as usize))
            }
            _ => (Vec::new(), 0),
        }
    }
}

/// Removes wrappers that have no representation of their own.
fn unwrapped(mut ty: AifType, mut value: AifValue) -> (AifType, AifValue) {
    loop {
        (ty, value) = match (ty, value) {
            (AifType::Named { ty, .. }, value) => (*ty, value),
            (AifType::Optional(ty), AifValue::Available(value)) => (*ty, *value),
            (AifType::Located { ty, .. }, AifValue::Located(_, value)) => (*ty, *value),
            (AifType::Reference { target: ty, .. }, AifValue::Pointer(PointerValue::Target { target, .. })) => {
                (*ty, *target)
            }
            done => return done,
        };
    }
}

fn lowest(index: &AifType) -> i64 {
    match index {
        AifType::Range { low, .. } => *low,
        _ => 0,
    }
}

/// The type in C notation, as far as its kind tells.
fn words(ty: &AifType) -> String {
    match ty {
        AifType::Integer { signed, size } => {
            let word = match size {
                1 => "char",
                2 => "short",
                4 => "int",
                8 => "long",
                _ => "int128",
            };
            if *signed && *size > 1 {
                word.to_owned()
            } else if *signed {
                "signed char".to_owned()
            } else {
                format!("unsigned {word}")
            }
        }
        AifType::Float { size: 4 } => "float".to_owned(),
        AifType::Float { size: 8 } => "double".to_owned(),
        AifType::Float { size: 2 } => "half".to_owned(),
        AifType::Brain => "bfloat16".to_owned(),
        AifType::Float { .. } | AifType::Extended => "long double".to_owned(),
        AifType::Char => "char".to_owned(),
        AifType::Character { .. } => "char".to_owned(),
        AifType::Bool { .. } => "bool".to_owned(),
        AifType::Void { .. } => "void".to_owned(),
        AifType::CharPointer { .. } => "char *".to_owned(),
        AifType::Pointer { target, .. } => format!("{} *", words(target)).replace("* *", "**"),
        AifType::Reference { target, .. } => format!("{} &", words(target)),
        AifType::Aggregate { name, .. } => named("struct", name),
        AifType::Union { name, .. } => named("union", name),
        AifType::Enumeration { name, .. } => named("enum", name),
        AifType::Array { index, element } | AifType::Runs { index, element } => {
            // Dimensions are written from the outermost, after the innermost element type.
            let inner = words(element);
            let count = format!("[{}]", index.range_count());
            match inner.find('[') {
                Some(at) => format!("{}{count}{}", &inner[..at], &inner[at..]),
                None => format!("{inner} {count}"),
            }
        }
        AifType::BitField { bits, base } => format!("{} : {bits}", words(base)),
        AifType::Complex(base) => format!("complex {}", words(base)),
        AifType::Named { ty, .. } | AifType::Optional(ty) | AifType::Located { ty, .. } => words(ty),
        AifType::TextPointer { .. } => "char *".to_owned(),
        _ => String::new(),
    }
}

fn named(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("{kind} {{…}}") } else { format!("{kind} {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::from_hex;

    fn piece(descriptor: &str, hex: &str, type_name: &str) -> Piece {
        let data = from_hex(hex).unwrap();
        Piece::of(&Datum { descriptor: descriptor.into(), data, type_name: type_name.into() })
    }

    #[test]
    fn a_struct_opens_into_its_members() {
        let point = piece("{point|x=is4,y=f8;;;}", "0000000B4004000000000000", "struct point");
        assert_eq!(point.text(PrintLimits::default()), "{x = 11, y = 2.5}");
        let (parts, count) = point.parts(10);
        assert_eq!(count, 2);
        assert_eq!(parts[1].0, Part::Member("y".into()));
        assert_eq!(
            (parts[1].1.text(PrintLimits::default()), parts[1].1.type_words()),
            ("2.5".to_owned(), "double".to_owned())
        );
        assert!(!parts[0].1.has_parts() && !point.is_pointer());
    }

    #[test]
    fn arrays_count_from_their_lowest_index() {
        let array = piece("[r1,3is4][r0,2is4]is4", "000000010000000200000003000000040000000500000006", "");
        assert_eq!(array.type_words(), "int [3][2]");
        let (parts, count) = array.parts(2);
        assert_eq!((count, parts.len()), (3, 2));
        assert_eq!(
            (parts[1].0.clone(), parts[1].1.text(PrintLimits::default())),
            (Part::Element(2), "{3, 4}".to_owned())
        );
        assert!(!piece("[r0,2is4]c", "6162", "char [2]").has_parts(), "text is read as a whole");
    }

    #[test]
    fn as_many_elements_are_shown_as_the_settings_say() {
        let array = piece("[r0,4is4]is4", "00000001000000020000000300000004", "int [4]");
        let limits = |elements| PrintLimits { elements, ..PrintLimits::default() };
        assert_eq!(array.text(limits(2)), "{1, 2...}");
        assert_eq!(array.text(limits(u32::MAX)), "{1, 2, 3, 4}");
    }

    #[test]
    fn pointers_open_when_they_point_somewhere() {
        let pointer = piece("^a8is4", "01000000000000100000000010", "int *");
        assert_eq!(pointer.text(PrintLimits::default()), "0x1000");
        assert!(pointer.is_pointer());
        assert!(!piece("^a8is4", "00", "int *").is_pointer());
        let elsewhere = |type_name| piece("^a8v0", "050000000000001000", type_name);
        assert!(elsewhere("char **").is_pointer() && elsewhere("").is_pointer());
        assert!(!elsewhere("const void *").is_pointer() && elsewhere("void **").is_pointer());
        assert_eq!(
            piece("is4", "00", "int").text(PrintLimits::default()).chars().next(),
            Some('<'),
            "data that do not fit are said to be bad"
        );
    }
}

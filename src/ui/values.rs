//! A value as rows: its text and its parts.

use crate::part_types::words;
use model::aif::{AifType, AifValue, ChildStyle, FormatOptions, PointerValue, Spelling, as_gdb_spells, format};
use model::{Datum, PrintOptions};

/// The name of a part, which tells how an expression reaches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A member; a base class as `<Base>`, empty for an anonymous one.
    Member(String),
    /// An element by its index.
    Element(i64),
    /// An element of a map by its key.
    Key(String),
}

/// Parts of a value.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) shown: Vec<(Part, Piece)>,
    /// The number of the others; `None` if there are others, and it is unknown how many.
    pub(crate) more: Option<usize>,
}

/// A value or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    datum: Datum,
    parsed: Option<(AifType, AifValue)>,
    /// The language of the value, if that is not C or C++.
    spelling: Option<Spelling>,
    /// True for the contents of a container.
    is_container: bool,
}

/// Array elements shown on one line at most, whatever the settings: longer lines cannot be seen.
const LIMIT: usize = 200;

impl Piece {
    /// The whole value.
    pub(crate) fn of(datum: &Datum) -> Self {
        Self::opened(datum.clone(), datum.parsed().ok())
    }

    /// Removes wrappers that have no parts of their own.
    fn opened(datum: Datum, parsed: Option<(AifType, AifValue)>) -> Self {
        let (mut spelling, mut is_container) = (None, false);
        let Some((mut ty, mut value)) = parsed else { return Self { datum, parsed, spelling, is_container } };
        loop {
            (ty, value) = match (ty, value) {
                (AifType::Named { ty, .. }, value) => (*ty, value),
                (AifType::Spoken { language, ty }, value) => {
                    spelling = Some(language);
                    (*ty, value)
                }
                (AifType::Titled(ty), AifValue::Titled(_, value)) => {
                    is_container = true;
                    (*ty, *value)
                }
                (AifType::Own, AifValue::Own(ty, value)) => (*ty, *value),
                (AifType::Optional(ty), AifValue::Available(value)) => (*ty, *value),
                (AifType::Located { ty, .. }, AifValue::Located(_, value)) => (*ty, *value),
                (AifType::Reference { target: ty, .. }, AifValue::Pointer(PointerValue::Target { target, .. })) => {
                    (*ty, *target)
                }
                done => return Self { datum, parsed: Some(done), spelling, is_container },
            };
        }
    }

    fn part(&self, ty: &AifType, value: &AifValue) -> Self {
        let spoken = |language| AifType::Spoken { language, ty: Box::new(ty.clone()) };
        let ty = self.spelling.map_or_else(|| ty.clone(), spoken);
        let descriptor = ty.to_string();
        let data = value.write(&ty).unwrap_or_default();
        let datum = Datum { descriptor, data, type_name: String::new() };
        Self::opened(datum, Some((ty, value.clone())))
    }

    /// The language of the value, if that is not C or C++.
    pub(crate) fn spelling(&self) -> Option<Spelling> {
        self.spelling
    }

    /// The number of dimensions of an array; 0 for anything else.
    pub(crate) fn dimensions(&self) -> usize {
        let mut ty = self.parsed.as_ref().map(|(ty, _)| ty);
        let mut found = 0;
        while let Some(AifType::Array { element, .. } | AifType::Runs { element, .. }) = ty {
            found += usize::from(!element.is_character());
            ty = Some(&**element);
        }
        found
    }

    /// The value as gdb prints it, on one line; without the type, which stands beside it.
    pub(crate) fn text(&self, limits: PrintOptions) -> String {
        let bare = Datum { type_name: String::new(), ..self.datum.clone() };
        let how = FormatOptions::within(limits).on_one_line();
        let how = FormatOptions { limit: how.limit.min(LIMIT), ..how };
        match (format(&bare, &how), &self.parsed) {
            // gdb itself may have broken it into lines.
            (Ok(text), _) if text.contains('\n') => text.lines().map(str::trim).collect::<Vec<_>>().join(" "),
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
            Some((ty, _)) => words(ty, self.spelling),
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

    /// True for a reference whose target has not been read, as that of a member.
    pub(crate) fn is_reference(&self) -> bool {
        let parsed = self.parsed.as_ref();
        matches!(parsed, Some((AifType::Reference { .. }, AifValue::Pointer(pointer))) if pointer.address() != 0)
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
            Some((AifType::Children { .. }, AifValue::Children { held, .. })) => !held.is_empty(),
            _ => false,
        }
    }

    /// Elements of a container whose types differ are members, without names or with such as `[3]`.
    fn member(&self, number: i64, name: &str) -> Part {
        let index = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).map(str::parse);
        match index {
            Some(Ok(index)) if self.is_container => Part::Element(index),
            None if self.is_container && name.is_empty() => Part::Element(number),
            _ => Part::Member(name.to_owned()),
        }
    }

    /// At most `most` of its parts.
    pub(crate) fn parts(&self, most: usize) -> Parts {
        let Some((ty, value)) = &self.parsed else { return Parts::default() };
        match (ty, value) {
            (AifType::Aggregate { .. }, AifValue::Members(values)) => {
                let fields = (0..).zip(ty.aggregate_members().zip(values));
                let parts =
                    fields.map(|(i, (field, value))| (self.member(i, &field.name), self.part(&field.ty, value)));
                Parts::of(parts, most, values.len())
            }
            (AifType::Union { members, .. }, AifValue::Members(values)) => {
                let fields = members.iter().zip(values);
                let parts =
                    fields.map(|(field, value)| (Part::Member(field.name.clone()), self.part(&field.ty, value)));
                Parts::of(parts, most, values.len())
            }
            (AifType::Array { index, element }, AifValue::Elements(values)) => {
                let numbered = (lowest(index)..).zip(values);
                let parts = numbered.map(|(i, value)| (Part::Element(i), self.part(element, value)));
                Parts::of(parts, most, values.len())
            }
            (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
                let all = runs.iter().flat_map(|(count, value)| std::iter::repeat_n(value, *count as usize));
                let count: usize = runs.iter().map(|run| run.0 as usize).sum();
                let numbered = (lowest(index)..).zip(all);
                let parts = numbered.map(|(i, value)| (Part::Element(i), self.part(element, value)));
                Parts::of(parts, most, count.max(index.range_count() as usize))
            }
            (AifType::Children { style, key, element }, AifValue::Children { held, more }) => {
                let name = |(number, held): (i64, &Option<AifValue>)| match (style, held) {
                    (ChildStyle::Keyed, Some(held)) => Part::Key(self.part(key, held).text(PrintOptions::default())),
                    _ => Part::Element(number),
                };
                let numbered = (0..).zip(held);
                let parts = numbered.map(|(i, (key, value))| (name((i, key)), self.part(element, value)));
                let parts = Parts::of(parts, most, held.len());
                Parts { more: parts.more.filter(|_| !more), ..parts }
            }
            _ => Parts::default(),
        }
    }
}

impl Parts {
    fn of(all: impl Iterator<Item = (Part, Piece)>, most: usize, count: usize) -> Self {
        let shown: Vec<_> = all.take(most).collect();
        Self { more: Some(count.saturating_sub(shown.len())), shown }
    }
}

fn lowest(index: &AifType) -> i64 {
    match index {
        AifType::Range { low, .. } => *low,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::PrintSwitch;
    use model::aif::from_hex;

    fn piece(descriptor: &str, hex: &str, type_name: &str) -> Piece {
        let data = from_hex(hex).unwrap();
        Piece::of(&Datum { descriptor: descriptor.into(), data, type_name: type_name.into() })
    }

    #[test]
    fn a_struct_opens_into_its_members() {
        let point = piece("{point|x=is4,y=f8;;;}", "0000000B4004000000000000", "struct point");
        assert_eq!(point.text(PrintOptions::default()), "{x = 11, y = 2.5}");
        let Parts { shown: parts, more } = point.parts(10);
        assert_eq!((parts.len(), more), (2, Some(0)));
        assert_eq!(parts[1].0, Part::Member("y".into()));
        assert_eq!(
            (parts[1].1.text(PrintOptions::default()), parts[1].1.type_words()),
            ("2.5".to_owned(), "double".to_owned())
        );
        assert!(!parts[0].1.has_parts() && !point.is_pointer());
    }

    #[test]
    fn arrays_count_from_their_lowest_index() {
        let array = piece("[r1,3is4][r0,2is4]is4", "000000010000000200000003000000040000000500000006", "");
        assert_eq!(array.type_words(), "int [3][2]");
        let Parts { shown: parts, more } = array.parts(2);
        assert_eq!((parts.len(), more), (2, Some(1)));
        assert_eq!(
            (parts[1].0.clone(), parts[1].1.text(PrintOptions::default())),
            (Part::Element(2), "{3, 4}".to_owned())
        );
        assert!(!piece("[r0,2is4]c", "6162", "char [2]").has_parts(), "text is read as a whole");
    }

    #[test]
    fn as_many_elements_are_shown_as_the_settings_say() {
        let array = piece("[r0,4is4]is4", "00000001000000020000000300000004", "int [4]");
        let limits = |elements| PrintOptions { elements, ..PrintOptions::default() };
        assert_eq!(array.text(limits(2)), "{1, 2...}");
        assert_eq!(array.text(limits(u32::MAX)), "{1, 2, 3, 4}");
    }

    #[test]
    fn the_options_of_print_apply_to_the_one_line_of_a_value() {
        let nested = piece("{o|n=[r0,2is4]is4,u=(u|i=is4);;;}", "000000010000000200000003", "struct o");
        let with = |switches: &[(PrintSwitch, bool)]| {
            let usual = PrintOptions::default();
            let switches = switches.iter().fold(usual.switches, |all, (switch, on)| all.with(*switch, *on));
            nested.text(PrintOptions { switches, ..usual })
        };
        let lines = [(PrintSwitch::Pretty, true), (PrintSwitch::Array, true)];
        assert_eq!(with(&lines), "{n = {1, 2}, u = {i = 3}}");
        let [indexes, union] = [(PrintSwitch::ArrayIndexes, true), (PrintSwitch::Union, false)];
        assert_eq!(with(&[indexes, union]), "{n = {[0] = 1, [1] = 2}, u = {...}}");
        assert_eq!(nested.text(PrintOptions { max_depth: 1, ..PrintOptions::default() }), "{n = {...}, u = {...}}");
        // gdb itself has broken this one into lines.
        let words = AifValue::Titled("{\n  a = 1\n}".into(), Box::new(AifValue::Scalar(0)));
        let data = words.write(&"tv0".parse::<AifType>().unwrap()).unwrap();
        let of_gdb = Piece::of(&Datum { descriptor: "tv0".into(), data, type_name: String::new() });
        assert_eq!(of_gdb.text(PrintOptions::default()), "{ a = 1 }");
    }

    #[test]
    fn containers_open_into_their_elements() {
        let number = |number| AifValue::Scalar(number);
        let piece = |descriptor: &str, value: AifValue| {
            let data = value.write(&descriptor.parse::<AifType>().unwrap()).unwrap();
            Piece::of(&Datum { descriptor: descriptor.into(), data, type_name: String::new() })
        };
        let titled = |value| AifValue::Titled("std::map".into(), Box::new(value));
        let held = |more| {
            let held = [(1, 10), (2, 20)].map(|(key, value)| (Some(number(key)), number(value))).to_vec();
            piece("tlkis4is4", titled(AifValue::Children { held, more }))
        };
        let Parts { shown, more } = held(false).parts(1);
        assert_eq!((shown[0].0.clone(), more), (Part::Key("1".into()), Some(1)));
        assert_eq!(held(true).parts(10).more, None, "nobody has counted them");
        let different = piece("t{|=is4,[7]=is8;;;}", titled(AifValue::Members(vec![number(1), number(2)])));
        let names: Vec<Part> = different.parts(10).shown.into_iter().map(|(part, _)| part).collect();
        assert_eq!(names, [Part::Element(0), Part::Element(7)]);
        let anonymous = piece("{s|={|x=is4;;;};;;}", AifValue::Members(vec![AifValue::Members(vec![number(1)])]));
        assert_eq!(anonymous.parts(10).shown[0].0, Part::Member(String::new()));
    }

    #[test]
    fn pointers_open_when_they_point_somewhere() {
        let pointer = piece("^a8is4", "01000000000000100000000010", "int *");
        assert_eq!(pointer.text(PrintOptions::default()), "0x1000");
        assert!(pointer.is_pointer());
        assert!(!piece("^a8is4", "00", "int *").is_pointer());
        let reference = piece("{s|r=~a8is4;;;}", "050000000000001000", "s").parts(1).shown.remove(0).1;
        assert!(reference.is_reference() && !reference.is_pointer());
        let elsewhere = |type_name| piece("^a8v0", "050000000000001000", type_name);
        assert!(elsewhere("char **").is_pointer() && elsewhere("").is_pointer());
        assert!(!elsewhere("const void *").is_pointer() && elsewhere("void **").is_pointer());
        assert_eq!(
            piece("is4", "00", "int").text(PrintOptions::default()).chars().next(),
            Some('<'),
            "data that do not fit are said to be bad"
        );
    }
}

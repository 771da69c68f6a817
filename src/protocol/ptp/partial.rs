//! Values in the base dialect: only in its kinds, whole or one level at a time.

use super::RankEvent;
use model::Datum;
use model::aif::{AifError, AifType, AifValue, Field, PointerValue, to_base, to_hex};

/// The part of a value that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// Structs without members and arrays without elements.
    Outline,
    /// The members or elements, each in outline.
    Children,
}

/// Returns the expression for the target of a pointer-valued expression; `None` if the target has no size or the
/// expression cannot be evaluated twice.
pub(super) fn target_expression(datum: &Datum, expression: &str) -> Option<String> {
    let (ty, value) = datum.parsed().ok()?;
    let AifValue::Pointer(PointerValue::AddressOnly { .. }) = value else { return None };
    let AifType::Pointer { target, .. } = bare(&ty) else { return None };
    if matches!(bare(target), AifType::Void { .. } | AifType::Function { .. } | AifType::Located { .. }) {
        return None;
    }
    evaluates_alike(expression).then(|| format!("*({expression})"))
}

/// True if evaluating an expression again changes nothing: it assigns nothing and calls no function.
pub(super) fn evaluates_alike(expression: &str) -> bool {
    let changes = ["++", "--", "="].iter().any(|sign| expression.contains(sign));
    let mut before = ' ';
    let calls = expression.chars().filter(|c| !c.is_whitespace()).any(|c| {
        let called = c == '(' && (before.is_alphanumeric() || matches!(before, '_' | ')' | ']'));
        before = c;
        called
    });
    !changes && !calls
}

/// Strips the names off a type.
fn bare(ty: &AifType) -> &AifType {
    match ty {
        AifType::Named { ty, .. } | AifType::Titled(ty) | AifType::Spoken { ty, .. } => bare(ty),
        other => other,
    }
}

/// Returns the pointer together with its fetched target.
pub(super) fn with_target(pointer: &Datum, target: &Datum) -> Option<Datum> {
    let (ty, value) = pointer.parsed().ok()?;
    let (AifType::Pointer { size, .. }, AifValue::Pointer(held)) = (bare(&ty), value) else { return None };
    let (to, there) = target.parsed().ok()?;
    let ty = AifType::Pointer { size: *size, target: Box::new(to) };
    let value = AifValue::Pointer(PointerValue::Target { address: held.address(), target: Box::new(there) });
    let data = value.write(&ty).ok()?;
    Some(Datum { descriptor: ty.to_string(), data, type_name: pointer.type_name.clone() })
}

/// Builds the Data event: AIF in base kinds, upper-case hexadecimal, nothing as `00`.
pub(super) fn data_event(datum: &Datum, extent: Extent, key: &str) -> Result<RankEvent, AifError> {
    let (ty, value) = datum.parsed()?;
    let (ty, value) = cut(to_base(&ty, &value)?, extent);
    let bytes = value.write(&ty)?;
    let data = if bytes.is_empty() { "00".to_owned() } else { to_hex(&bytes) };
    Ok(RankEvent::Data { descriptor: ty.to_string(), data, type_name: datum.type_name.clone(), key: key.to_owned() })
}

fn cut((ty, value): (AifType, AifValue), extent: Extent) -> (AifType, AifValue) {
    match (extent, ty, value) {
        (Extent::Whole, ty, value) => (ty, value),
        (_, AifType::Named { id, ty }, value) => {
            let (ty, value) = cut((*ty, value), extent);
            (AifType::Named { id, ty: Box::new(ty) }, value)
        }
        (Extent::Outline, AifType::Aggregate { name, .. }, _) => {
            (AifType::aggregate(name, Vec::new()), AifValue::Members(Vec::new()))
        }
        (Extent::Outline, AifType::Union { name, .. }, _) => {
            (AifType::Union { name, members: Vec::new() }, AifValue::Members(Vec::new()))
        }
        (Extent::Outline, AifType::Array { index, element }, _) => {
            let low = if let AifType::Range { low, .. } = *index { low } else { 0 };
            (AifType::array(low, 0, outline(*element)), AifValue::Elements(Vec::new()))
        }
        (
            extent,
            AifType::Pointer { size, target },
            AifValue::Pointer(PointerValue::Target { address, target: there }),
        ) => {
            let (target, there) = cut((*target, *there), extent);
            let pointer = PointerValue::Target { address, target: Box::new(there) };
            (AifType::Pointer { size, target: Box::new(target) }, AifValue::Pointer(pointer))
        }
        (Extent::Children, AifType::Aggregate { name, sections, trailing }, AifValue::Members(values)) => {
            let mut values = values.into_iter();
            let mut kept = Vec::new();
            let sections = sections.map(|fields| cut_fields(fields, &mut values, &mut kept));
            let trailing = cut_fields(trailing, &mut values, &mut kept);
            (AifType::Aggregate { name, sections, trailing }, AifValue::Members(kept))
        }
        (Extent::Children, AifType::Union { name, members }, AifValue::Members(values)) => {
            let mut kept = Vec::new();
            let members = cut_fields(members, &mut values.into_iter(), &mut kept);
            (AifType::Union { name, members }, AifValue::Members(kept))
        }
        (Extent::Children, AifType::Array { index, element }, AifValue::Elements(values)) => {
            let kept = values.into_iter().map(|value| cut(((*element).clone(), value), Extent::Outline).1).collect();
            (AifType::Array { index, element: Box::new(outline(*element)) }, AifValue::Elements(kept))
        }
        (_, ty, value) => (ty, value),
    }
}

fn cut_fields(fields: Vec<Field>, values: &mut impl Iterator<Item = AifValue>, kept: &mut Vec<AifValue>) -> Vec<Field> {
    fields
        .into_iter()
        .zip(values)
        .map(|(field, value)| {
            let (ty, value) = cut((field.ty, value), Extent::Outline);
            kept.push(value);
            Field { name: field.name, ty }
        })
        .collect()
}

/// Returns the type of the value in outline.
fn outline(ty: AifType) -> AifType {
    cut((ty, AifValue::Members(Vec::new())), Extent::Outline).0
}

/// Returns the expression for a child: keys continue with `.member` and `.index`.
pub(super) fn child_expression(parent: &str, path: &str) -> Option<String> {
    let mut expression = format!("({parent})");
    for step in path.split('.') {
        let plain = !step.is_empty() && step.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !plain {
            return None;
        }
        let index = step.bytes().all(|b| b.is_ascii_digit());
        expression.push_str(&if index { format!("[{step}]") } else { format!(".{step}") });
    }
    Some(expression)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::aif::from_hex;
    use proptest::prelude::*;

    fn shown(descriptor: &str, data: &str, extent: Extent) -> (String, String) {
        let datum = Datum { descriptor: descriptor.into(), data: from_hex(data).unwrap(), type_name: "T".into() };
        match data_event(&datum, extent, "").unwrap() {
            RankEvent::Data { descriptor, data, .. } => (descriptor, data),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_are_cut_level_by_level() {
        let line = "{line|a={point|x=is4,y=is4;;;},n=[r0,2is4]is1,c=c;;;}";
        let data = "0000000100000002030471";
        for (extent, descriptor, cut) in [
            (Extent::Whole, line, data),
            (Extent::Outline, "{line|;;;}", "00"),
            (Extent::Children, "{line|a={point|;;;},n=[r0,0is4]is1,c=c;;;}", "71"),
        ] {
            assert_eq!(shown(line, data, extent), (descriptor.to_owned(), cut.to_owned()), "{extent:?}");
        }
        let points = "[r0,2is4]{point|x=is1;;;}";
        assert_eq!(shown(points, "0102", Extent::Outline), ("[r0,0is4]{point|;;;}".into(), "00".into()));
        assert_eq!(shown(points, "0102", Extent::Children), ("[r0,2is4]{point|;;;}".into(), "00".into()));
        assert_eq!(shown("is4", "00000007", Extent::Outline), ("is4".into(), "00000007".into()));
    }

    #[test]
    fn pointers_come_with_what_they_point_to() {
        let datum = |descriptor: &str, data: &str| Datum {
            descriptor: descriptor.into(),
            data: from_hex(data).unwrap(),
            type_name: "T".into(),
        };
        let pointer = datum("^a8{s|x=is4;;;}", "050000000000000010");
        for (expression, target) in [
            ("a.p[1]", Some("*(a.p[1])")),
            ("(p)", Some("*((p))")),
            ("a + (b)", Some("*(a + (b))")),
            ("p++", None),
            ("p = q", None),
            ("f (1)", None),
            ("t[1](2)", None),
        ] {
            assert_eq!(target_expression(&pointer, expression).as_deref(), target, "{expression}");
        }
        for (descriptor, data) in [("^a8v0", "050000000000000010"), ("^a8&/is4", "050000000000000010"), ("^a8c", "00")]
        {
            assert_eq!(target_expression(&datum(descriptor, data), "p"), None, "{descriptor}");
        }
        let whole = with_target(&pointer, &datum("{s|x=is4,t={u|y=c;;;};;;}", "0000000741")).unwrap();
        for (extent, descriptor, data) in [
            (Extent::Whole, "^a8{s|x=is4,t={u|y=c;;;};;;}", "0100000000000000100000000741"),
            (Extent::Outline, "^a8{s|;;;}", "010000000000000010"),
            (Extent::Children, "^a8{s|x=is4,t={u|;;;};;;}", "01000000000000001000000007"),
        ] {
            assert_eq!(shown(&whole.descriptor, &to_hex(&whole.data), extent), (descriptor.into(), data.into()));
        }
    }

    #[test]
    fn kinds_of_our_own_become_base_kinds() {
        assert_eq!(shown("wb1", "41", Extent::Whole), ("c".into(), "41".into()));
        assert_eq!(shown("d3,is4", "FFFFFFFF", Extent::Whole), ("is4".into(), "FFFFFFFF".into()));
    }

    #[test]
    fn children_have_expressions() {
        assert_eq!(child_expression("p", "x").unwrap(), "(p).x");
        assert_eq!(child_expression("a + 1", "3.next").unwrap(), "(a + 1)[3].next");
        assert_eq!(child_expression("p", "x;y"), None);
        assert_eq!(child_expression("p", ""), None);
    }

    proptest! {
        #[test]
        fn whatever_an_engine_says_is_no_panic(descriptor in "[{}()|;=,a-z0-9\\[\\]^%>/]{0,24}", data: Vec<u8>) {
            let datum = Datum { descriptor, data, type_name: String::new() };
            for extent in [Extent::Whole, Extent::Outline, Extent::Children] {
                let _ = data_event(&datum, extent, "");
            }
        }
    }
}

//! Values as gdb shows them in the line of a frame: scalars and texts as they are, the rest cut.

use super::{AifType, AifValue, PointerValue};
use crate::Datum;

impl Datum {
    /// The value as gdb's `set print frame-arguments scalars` shows it: a scalar or text, or a container without its
    /// contents; `None` for structures and arrays.
    pub fn summary(&self) -> Option<Self> {
        // What cannot be parsed is shown as that.
        let Ok((ty, value)) = self.parsed() else { return Some(self.clone()) };
        let (short, content) = summary(&ty, &value)?;
        if short == ty {
            return Some(self.clone());
        }
        let data = content.write(&short).ok()?;
        Some(Self { descriptor: short.to_string(), data, type_name: self.type_name.clone() })
    }
}

fn summary(ty: &AifType, value: &AifValue) -> Option<(AifType, AifValue)> {
    let whole = || Some((ty.clone(), value.clone()));
    match (ty, value) {
        (AifType::Named { id, ty }, _) => {
            summary(ty, value).map(|(ty, value)| (AifType::Named { id: *id, ty: Box::new(ty) }, value))
        }
        (AifType::Spoken { language, ty }, _) => {
            let spoken = |(ty, value)| (AifType::Spoken { language: *language, ty: Box::new(ty) }, value);
            summary(ty, value).map(spoken)
        }
        (AifType::Optional(ty), AifValue::Available(value)) => {
            let optional = |(ty, value)| (AifType::Optional(Box::new(ty)), AifValue::Available(Box::new(value)));
            summary(ty, value).map(optional)
        }
        (AifType::Reference { size, target }, AifValue::Pointer(PointerValue::Target { address, target: value })) => {
            let (target, value) = summary(target, value)?;
            let pointer = PointerValue::Target { address: *address, target: Box::new(value) };
            Some((AifType::Reference { size: *size, target: Box::new(target) }, AifValue::Pointer(pointer)))
        }
        (AifType::Titled(inner), AifValue::Titled(title, content)) => match summary(inner, content) {
            Some(_) => whole(),
            None if title.is_empty() => None,
            None => {
                let title = AifValue::Titled(format!("{title} = {{...}}"), Box::new(AifValue::Scalar(0)));
                Some((AifType::Titled(Box::new(AifType::Void { size: 0 })), title))
            }
        },
        (AifType::Own, AifValue::Own(ty, value)) => {
            let own = |(ty, value)| (AifType::Own, AifValue::Own(Box::new(ty), Box::new(value)));
            summary(ty, value).map(own)
        }
        (AifType::Array { element, .. } | AifType::Runs { element, .. }, _) if element.is_character() => whole(),
        (
            AifType::Array { .. }
            | AifType::Runs { .. }
            | AifType::Aggregate { .. }
            | AifType::Union { .. }
            | AifType::Children { .. }
            | AifType::Located { .. },
            _,
        ) => None,
        _ => whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aif::{FormatOptions, format};

    fn shown(ty: &AifType, value: &AifValue) -> Option<String> {
        let data = value.write(ty).unwrap();
        let datum = Datum { descriptor: ty.to_string(), data, type_name: String::new() };
        datum.summary().map(|short| format(&short, &FormatOptions::default()).unwrap())
    }

    fn number() -> (AifType, AifValue) {
        (AifType::Integer { signed: true, size: 4 }, AifValue::Scalar(7))
    }

    #[test]
    fn scalars_and_texts_are_whole() {
        let (int, seven) = number();
        assert_eq!(shown(&int, &seven).as_deref(), Some("7"));
        let text = (AifType::Titled(Box::new(AifType::String)), AifValue::String(b"abc".to_vec()));
        let titled = AifValue::Titled(String::new(), Box::new(text.1));
        assert_eq!(shown(&text.0, &titled).as_deref(), Some("\"abc\""));
        let letters = AifType::array(0, 2, AifType::Char);
        let letters = shown(&letters, &AifValue::Elements(vec![AifValue::Scalar(104), AifValue::Scalar(105)]));
        assert_eq!(letters.as_deref(), Some("\"hi\""));
        let referred = PointerValue::Target { address: 16, target: Box::new(seven) };
        let reference = AifType::Reference { size: 8, target: Box::new(int) };
        assert_eq!(shown(&reference, &AifValue::Pointer(referred)).as_deref(), Some("@0x10: 7"));
    }

    #[test]
    fn structures_and_arrays_are_cut() {
        let (int, seven) = number();
        let field = crate::aif::Field { name: "x".to_owned(), ty: int.clone() };
        let pair = AifType::aggregate("pair", vec![field]);
        assert_eq!(shown(&pair, &AifValue::Members(vec![seven.clone()])), None);
        assert_eq!(shown(&AifType::array(0, 1, int.clone()), &AifValue::Elements(vec![seven.clone()])), None);
        let referred = PointerValue::Target { address: 16, target: Box::new(AifValue::Members(vec![seven.clone()])) };
        let reference = AifType::Reference { size: 8, target: Box::new(pair) };
        assert_eq!(shown(&reference, &AifValue::Pointer(referred)), None);
        let style = crate::aif::ChildStyle::Plain;
        let held = AifType::Children { style, key: Box::new(AifType::Void { size: 0 }), element: Box::new(int) };
        let vector = AifType::Titled(Box::new(held));
        let contents = AifValue::Children { held: vec![(None, seven)], more: false };
        let contents = AifValue::Titled("std::vector of length 1".to_owned(), Box::new(contents));
        assert_eq!(shown(&vector, &contents).as_deref(), Some("std::vector of length 1 = {...}"));
    }
}

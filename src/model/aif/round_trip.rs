//! Property tests: every written value reads back, and no input causes a panic.

use super::{AifType, AifValue, CharStyle, ChildStyle, Field, PointedText, PointerValue, Spelling};
use proptest::collection::vec;
use proptest::prelude::*;

type Typed = (AifType, AifValue);

/// A type and a value of that type.
fn typed_value() -> impl Strategy<Value = Typed> {
    single_value().prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            2 => object(inner.clone().boxed()),
            3 => sequence(inner.clone().boxed()),
            6 => wrapped(inner.boxed()),
        ]
    })
}

/// A type whose value is one number.
fn scalar() -> impl Strategy<Value = AifType> {
    let size = prop_oneof![Just(1_u32), Just(2), Just(4), Just(8), Just(16)];
    prop_oneof![
        (any::<bool>(), size.clone()).prop_map(|(signed, size)| AifType::Integer { signed, size }),
        size.clone().prop_map(|size| AifType::Bool { size }),
        (2_u32..4).prop_map(|size| AifType::Void { size }),
        size.prop_map(|size| AifType::Address { size }),
        prop_oneof![Just(2_u32), Just(4), Just(8), Just(16)].prop_map(|size| AifType::Float { size }),
        Just(AifType::Char),
        vec((".{0,3}", 0_u32..32), 0..4).prop_map(|names| AifType::Flags { names, size: 4 }),
        Just(AifType::Extended),
        Just(AifType::Brain),
        Just(AifType::Character { style: CharStyle::Utf16, size: 2 }),
        (1_u32..32)
            .prop_map(|bits| AifType::BitField { bits, base: Box::new(AifType::Integer { signed: true, size: 4 }) }),
        vec((".{0,6}", any::<i64>()), 0..4).prop_map(|enumerators| AifType::Enumeration {
            name: "e|=\\".to_owned(),
            enumerators,
            base: Box::new(AifType::Integer { signed: true, size: 8 }),
        }),
    ]
}

fn symbol() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("[a-z+0-9:]{0,8}")
}

fn pointed_text() -> impl Strategy<Value = AifValue> {
    (any::<u64>(), symbol(), vec(0_u32..256, 0..20), any::<bool>(), proptest::option::of(any::<u64>())).prop_map(
        |(address, symbol, units, truncated, unreadable)| {
            AifValue::Text(PointedText { address, symbol, units, truncated, unreadable })
        },
    )
}

/// A value with no nested values.
fn single_value() -> impl Strategy<Value = Typed> {
    prop_oneof![
        (scalar(), any::<u128>()).prop_map(|(ty, bits)| {
            let size = ty.scalar_size().unwrap();
            let bits = if size < 16 { bits & ((1 << (8 * size)) - 1) } else { bits };
            (ty, AifValue::Scalar(bits))
        }),
        pointed_text().prop_map(|text| (AifType::CharPointer { size: 8 }, text)),
        pointed_text().prop_map(|text| {
            let unit = AifType::Character { style: CharStyle::Wide, size: 4 };
            (AifType::TextPointer { unit: Box::new(unit), size: 8 }, text)
        }),
        vec(any::<u8>(), 0..9).prop_map(|text| (AifType::String, AifValue::String(text))),
        (any::<u32>(), any::<u32>()).prop_map(|(re, im)| {
            (AifType::Complex(Box::new(AifType::Float { size: 4 })), AifValue::Complex(re.into(), im.into()))
        }),
        (any::<u32>(), ".{0,9}")
            .prop_map(|(a, s)| (AifType::AnnotatedAddress { size: 4 }, AifValue::Annotated(a.into(), s))),
        "[a-z]{1,5}".prop_map(|name| {
            let ty =
                AifType::Function { parameters: vec![AifType::Char], returns: Box::new(AifType::Void { size: 0 }) };
            (
                AifType::Located { size: 8, ty: Box::new(ty) },
                AifValue::Located(7, Box::new(AifValue::Function(name.into_bytes()))),
            )
        }),
    ]
}

/// An aggregate or a union.
fn object(inner: BoxedStrategy<Typed>) -> impl Strategy<Value = Typed> {
    let members = vec((".{0,5}", inner), 0..5);
    let split = |members: Vec<(String, Typed)>| -> (Vec<Field>, Vec<AifValue>) {
        members.into_iter().map(|(name, (ty, value))| (Field { name, ty }, value)).unzip()
    };
    prop_oneof![
        (members.clone(), 0_usize..5).prop_map(move |(members, cut)| {
            let (mut public, values) = split(members);
            let rest = public.split_off(cut.min(public.len()));
            let ty = AifType::Aggregate {
                name: "pair<int, char>".to_owned(),
                sections: [public, Vec::new(), rest, Vec::new()],
                trailing: Vec::new(),
            };
            (ty, AifValue::Members(values))
        }),
        members.prop_map(move |members| {
            let (members, values) = split(members);
            (AifType::Union { name: String::new(), members }, AifValue::Members(values))
        }),
    ]
}

/// An array, an array in runs, or a container.
fn sequence(inner: BoxedStrategy<Typed>) -> impl Strategy<Value = Typed> {
    prop_oneof![
        (inner.clone(), 0_u64..5, any::<i64>()).prop_map(|((ty, value), count, low)| {
            (AifType::array(low, count, ty), AifValue::Elements(vec![value; count as usize]))
        }),
        (inner.clone(), vec(0_u32..20, 0..4)).prop_map(|((ty, value), runs)| {
            let ty = AifType::Runs { index: Box::new(AifType::index(0, 9)), element: Box::new(ty) };
            (ty, AifValue::Runs(runs.into_iter().map(|n| (n, value.clone())).collect()))
        }),
        (inner, 0_usize..5, any::<bool>(), 0_usize..3).prop_map(|((ty, value), count, more, style)| {
            let style = [ChildStyle::Plain, ChildStyle::Numbered, ChildStyle::Keyed][style];
            let keyed = style == ChildStyle::Keyed;
            let key = Box::new(if keyed { AifType::String } else { AifType::Void { size: 0 } });
            let of = |value| (keyed.then(|| AifValue::String(b"k".to_vec())), value);
            let held = std::iter::repeat_n(value, count).map(of).collect();
            (AifType::Children { style, key, element: Box::new(ty) }, AifValue::Children { held, more })
        }),
    ]
}

/// A value inside a pointer, a title or another wrapper.
fn wrapped(inner: BoxedStrategy<Typed>) -> impl Strategy<Value = Typed> {
    prop_oneof![
        (inner.clone(), any::<u64>(), 0..7, symbol()).prop_map(|((ty, value), address, tag, symbol)| {
            let target = Box::new(value);
            let pointer = match tag {
                0 => PointerValue::Null,
                1 => PointerValue::Target { address, target },
                2 => PointerValue::NamedTarget { id: 3, address, target },
                3 => PointerValue::Repeated { id: 3, address },
                4 => PointerValue::Invalid { address },
                _ => PointerValue::AddressOnly { address, symbol },
            };
            (AifType::Pointer { size: 8, target: Box::new(ty) }, AifValue::Pointer(pointer))
        }),
        (inner.clone(), ".{0,9}").prop_map(|((ty, value), title)| {
            (AifType::Titled(Box::new(ty)), AifValue::Titled(title, Box::new(value)))
        }),
        inner.clone().prop_map(|(ty, value)| (AifType::Own, AifValue::Own(Box::new(ty), Box::new(value)))),
        (inner.clone(), any::<bool>()).prop_map(|((ty, value), rust)| {
            let language = if rust { Spelling::Rust } else { Spelling::Fortran };
            (AifType::Spoken { language, ty: Box::new(ty) }, value)
        }),
        inner.clone().prop_map(|(ty, value)| (AifType::Optional(Box::new(ty)), AifValue::Available(Box::new(value)))),
        (inner, ".{0,9}").prop_map(|((ty, _), why)| (AifType::Optional(Box::new(ty)), AifValue::Unavailable(why))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_reads_back((ty, value) in typed_value()) {
        let descriptor = ty.to_string();
        let read: AifType = descriptor.parse().unwrap();
        prop_assert_eq!(&read, &ty, "{}", descriptor);
        let data = value.write(&ty).unwrap();
        prop_assert_eq!(AifValue::read(&read, &data).unwrap(), value);
        for end in 0..data.len() {
            prop_assert!(end == 1 && data[0] == 0 || AifValue::read(&ty, &data[..end]).is_err(), "cut at {}", end);
        }
    }

    #[test]
    fn the_base_of_a_value_can_be_written((ty, value) in typed_value()) {
        let (base, based) = match super::to_base(&ty, &value) {
            Err(super::AifError::TooLong) => return Ok(()),
            converted => converted.unwrap(),
        };
        let data = based.write(&base).unwrap();
        let descriptor = base.to_string();
        let read: AifType = descriptor.parse().unwrap();
        match AifValue::read(&read, &data) {
            // Repeated elements without bytes: expanded, they exceed the reader's limit on values.
            Err(super::AifError::TooMany) => {}
            read => prop_assert_eq!(read.unwrap(), based),
        }
    }

    #[test]
    fn every_value_can_be_shown((ty, value) in typed_value(), letter in proptest::option::of(0_usize..10)) {
        let datum = crate::Datum {
            descriptor: ty.to_string(),
            data: value.write(&ty).unwrap(),
            type_name: "T *".to_owned(),
        };
        let letter = letter.and_then(|n| super::FormatLetter::ALL.get(n)).map(|(_, letter)| *letter);
        let _ = super::format(&datum, &super::FormatOptions { letter, ..Default::default() });
    }

    #[test]
    fn garbage_never_panics(text in "[isufcbvap^<>{}()\\[\\]|;,=&%/?wdxe~@A!qgztlkny0-9r.-]{0,40}", data: Vec<u8>) {
        if let Ok(ty) = text.parse::<AifType>() {
            let _ = ty.to_string().parse::<AifType>();
            if let Ok(value) = AifValue::read(&ty, &data) {
                let _ = value.write(&ty);
                let _ = super::to_base(&ty, &value);
            }
        }
        let _ = String::from_utf8_lossy(&data).parse::<AifType>();
    }
}

#[test]
fn unknown_kinds_read_as_incomplete() {
    let ty: AifType = "{s|a=is4,b=Qfoo{x,y}<1>,c=c;;;}".parse().unwrap();
    let members: Vec<_> = ty.aggregate_members().map(|field| field.ty.clone()).collect();
    assert_eq!(members[1], AifType::Incomplete("Qfoo{x,y}<1>".to_owned()));
    assert_eq!(members[2], AifType::Char);
    let value = AifValue::read(&"Q7".parse().unwrap(), &[1, 2]).unwrap();
    assert_eq!(value, AifValue::Opaque(vec![1, 2]));
}

#[test]
fn names_may_begin_with_what_ends_a_list() {
    for name in [")", "}", ";", ">", "|", "=", "\\", "a)b"] {
        let fields = vec![Field { name: name.to_owned(), ty: AifType::Char }];
        let types = [
            AifType::Union { name: name.to_owned(), members: fields.clone() },
            AifType::aggregate(name, fields),
            AifType::Enumeration {
                name: name.to_owned(),
                enumerators: vec![(name.to_owned(), 1)],
                base: Box::new(AifType::Char),
            },
        ];
        for ty in types {
            assert_eq!(ty.to_string().parse(), Ok(ty));
        }
    }
}

#[test]
fn both_spellings_of_a_range_are_read() {
    assert_eq!("[r-1..1is4]c".parse::<AifType>(), "[r-1,3is4]c".parse::<AifType>());
}

#[test]
fn counts_are_not_believed() {
    for (descriptor, data) in [
        ("[r0,18446744073709551615is4]v0", &[][..]),
        ("[r0,99999999is4][r0,99999999is4]{|;;;}", &[]),
        ("[r0,18446744073709551615is4]is4", &[0; 64]),
        ("z[r0,5is4]v0", &[0xff; 4]),
        ("%1/{|a=>1/,b=>1/;;;}", &[1]),
    ] {
        let ty: AifType = descriptor.parse().unwrap();
        assert!(AifValue::read(&ty, data).is_err(), "{descriptor}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for opening in ["^a8", "!", "[r0,1is4]", "{a|b=", "x", "%1/"] {
        let text = format!("{}is4", opening.repeat(100_000));
        assert!(text.parse::<AifType>().is_err(), "{opening}");
    }
    let ty: AifType = "%1/{node|next=^a8>1/;;;}".parse().unwrap();
    let mut data = Vec::new();
    for _ in 0..100_000 {
        data.extend([1, 0, 0, 0, 0, 0, 0, 0, 9]);
    }
    data.push(0);
    assert!(AifValue::read(&ty, &data).is_err());
}

#[test]
fn runs_of_runs_do_not_fill_the_memory() {
    let ty: AifType = "z[r0,9is4]z[r0,9is4]z[r0,9is4]c".parse().unwrap();
    let many = |value| AifValue::Runs(vec![(u32::MAX, value)]);
    let value = many(many(many(AifValue::Scalar(0))));
    assert_eq!(super::to_base(&ty, &value), Err(super::AifError::TooLong));
}

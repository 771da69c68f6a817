//! The variables of a frame with types, locations and values, compared with gdb.

use crate::built::{build, build_with};
use crate::snapshot::Snapshot;
use rankscope::debuginfo::types::{Encoding, Kind, NamedValue, Place, Symbols, TypeRef};
use rankscope::debuginfo::{FrameView, ReadMemory, StackFrame, inlined_at_entry, stack_from};
use rankscope::model::VirtualAddress;

/// The bytes of a value; `Err` with gdb's text in angle brackets if there is none.
fn bytes(view: &FrameView<'_>, place: &Place, size: usize) -> Result<Vec<u8>, String> {
    match place {
        Place::Memory(address) => {
            let mut bytes = vec![0; size];
            view.read(*address, &mut bytes).map_err(|fault| format!("error: {fault}"))?;
            Ok(bytes)
        }
        Place::Register(number) => {
            view.register(*number).map(|bytes| bytes[..size].to_vec()).ok_or(format!("<register {number}>"))
        }
        Place::Bytes(bytes) => Ok(bytes[..size].to_vec()),
        Place::Past(bytes, _) | Place::Convenience(_, bytes) => Ok(bytes[..size].to_vec()),
        Place::Pieces(pieces) => {
            let mut all = Vec::new();
            for (place, size) in pieces {
                all.extend(bytes(view, place.as_ref().ok_or("partly optimized out")?, *size as usize)?);
            }
            Ok(all)
        }
        Place::Synthetic(..) => Err("<synthetic pointer>".into()),
        Place::OptimizedOut => Err("<optimized out>".into()),
    }
}

/// The value as gdb prints it, as far as these tests need.
fn shown(view: &FrameView<'_>, ty: &TypeRef, bytes: &[u8]) -> String {
    let ty = view.type_of(ty);
    let number = || {
        let mut word = [0; 8];
        word[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
        u64::from_le_bytes(word)
    };
    let signed = || {
        let shift = 64 - 8 * bytes.len() as u32;
        ((number() << shift) as i64) >> shift
    };
    match &ty.kind {
        Kind::Base(Encoding::Signed) => signed().to_string(),
        Kind::Base(Encoding::Unsigned) => number().to_string(),
        Kind::Base(Encoding::SignedChar) => format!("{} '{}'", signed(), char::from(bytes[0])),
        Kind::Base(Encoding::Float) if bytes.len() == 8 => f64::from_bits(number()).to_string(),
        Kind::Base(Encoding::Float) if bytes.len() == 4 => f32::from_bits(number() as u32).to_string(),
        Kind::Typedef(target) | Kind::Qualified(_, target) => shown(view, target, bytes),
        Kind::Pointer(target) => {
            let mut target = view.type_of(target);
            while let Kind::Qualified(_, inner) | Kind::Typedef(inner) = &target.kind {
                target = view.type_of(&inner.clone());
            }
            match &target.kind {
                Kind::Base(Encoding::SignedChar) if number() != 0 => {
                    format!("{:#x} \"{}\"", number(), text(view, number()))
                }
                Kind::Function { .. } => {
                    let (name, _) = view.symbol_at(VirtualAddress(number())).unwrap();
                    format!("{:#x} <{name}>", number())
                }
                _ => format!("{:#x}", number()),
            }
        }
        Kind::Enumeration { enumerators, .. } => {
            let value = number() as i64;
            enumerators
                .iter()
                .find(|(_, known)| *known == value)
                .map_or(value.to_string(), |(name, _)| name.to_string())
        }
        Kind::Array { element, dimensions } => {
            let [dimension] = dimensions.as_slice() else { panic!("one dimension: {dimensions:?}") };
            let size = view.type_of(element).size.unwrap() as usize;
            let count = dimension.count.unwrap() as usize;
            let parts: Vec<String> = (0..count).map(|i| shown(view, element, &bytes[i * size..][..size])).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Kind::Aggregate { members, .. } => {
            let part = |member: &rankscope::debuginfo::types::Member| {
                let value = if let Some((start, width)) = member.bits {
                    let size = view.type_of(&member.ty).size.unwrap() as usize;
                    let word = bytes.iter().rev().fold(0_u128, |word, byte| word << 8 | u128::from(*byte));
                    let field = (word >> start) as u64 & ((1_u64 << width) - 1);
                    let negative = matches!(view.type_of(&member.ty).kind, Kind::Base(Encoding::Signed))
                        && field >> (width - 1) == 1;
                    let field = if negative { field | !0 << width } else { field };
                    shown(view, &member.ty, &field.to_le_bytes()[..size])
                } else {
                    let size = view.type_of(&member.ty).size.unwrap() as usize;
                    shown(view, &member.ty, &bytes[member.offset as usize..][..size])
                };
                format!("{} = {value}", member.name.as_deref().unwrap())
            };
            format!("{{{}}}", members.iter().map(part).collect::<Vec<_>>().join(", "))
        }
        other => panic!("{other:?}"),
    }
}

fn text(view: &FrameView<'_>, address: u64) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while view.read(VirtualAddress(address + text.len() as u64), &mut byte).is_ok() && byte[0] != 0 {
        text.push(byte[0]);
    }
    String::from_utf8(text).unwrap()
}

fn line(view: &FrameView<'_>, value: &NamedValue) -> String {
    let size = match (&view.type_of(&value.ty).kind, view.type_of(&value.ty).size) {
        (_, Some(size)) => size as usize,
        (_, None) if value.place == Ok(Place::OptimizedOut) => 0,
        (kind, None) => return format!("{}: {kind:?} has no size", value.name),
    };
    let place = match &value.place {
        Ok(place) => place,
        Err(why) => return format!("{} = <{why}>", value.name),
    };
    let value_text = bytes(view, place, size).map_or_else(|why| why, |bytes| shown(view, &value.ty, &bytes));
    format!("{} = {value_text}", value.name)
}

fn all_frames(snapshot: &Snapshot) -> Vec<StackFrame> {
    let outside = inlined_at_entry(&snapshot.images, snapshot.registers.pc().unwrap());
    stack_from(&snapshot.images, &snapshot.registers, outside, snapshot, 0, None).frames
}

/// The line of `values.c` with a comment.
fn line_of(comment: &str) -> String {
    let source = include_str!("../programs/values.c");
    let line = source.lines().position(|line| line.contains(comment)).unwrap() + 1;
    format!("values.c:{line}")
}

const WAYS: &[&[&str]] = &[
    &["-g", "-O0"],
    &["-g", "-O1", "-no-pie"],
    &["-g", "-O3"],
    &["-gdwarf-4", "-O2"],
    &["-gdwarf-2", "-gstrict-dwarf", "-O0"],
];

/// Locals and arguments of every frame of the program at a few places.
#[test]
fn frames_have_the_variables_that_gdb_shows() {
    let mut differences = Vec::new();
    for options in WAYS {
        let built = build("values.c", options);
        for place in [line_of("all are known"), line_of("within a block")] {
            let before = [&format!("break {place}"), "set print repeats 0", "set print entry-values no", "run"];
            let commands =
                ["info locals", "info args", "up", "info locals", "info args", "up", "info locals", "info args"];
            let snapshot = Snapshot::take(&built.path, &before, &commands);
            let frames = all_frames(&snapshot);
            for (level, frame) in frames.iter().enumerate().take(3) {
                let view = FrameView::new(&snapshot.images, Some(frame), &snapshot);
                let said = |index: usize| snapshot.said.get(level * 3 + index).cloned().unwrap_or_default();
                for (what, values, said) in [("locals", view.locals(), said(0)), ("args", view.arguments(), said(1))] {
                    let ours: Vec<String> = values.iter().map(|value| line(&view, value)).collect();
                    let mut said: Vec<String> = said.lines().map(str::to_owned).collect();
                    if said.first().is_some_and(|line| line.starts_with("No ")) {
                        said.clear();
                    }
                    if ours != said {
                        differences.push(format!("{options:?} {place} {level} {what}\nours {ours:#?}\ngdb  {said:#?}"));
                    }
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn names_mean_what_they_mean_in_the_frame() {
    let built = build("values.c", &["-g", "-O0"]);
    let snapshot =
        Snapshot::take(&built.path, &["break leaf", "run", "up"], &["print &table", "print &per_thread", "print main"]);
    let frames = all_frames(&snapshot);
    let view = FrameView::new(&snapshot.images, Some(&frames[1]), &snapshot);
    let address = |name: &str| match view.variable(name).unwrap().place.unwrap() {
        Place::Memory(address) => format!("{address}"),
        other => panic!("{other:?}"),
    };
    for (name, said) in ["table", "per_thread", "main"].iter().zip(&snapshot.said) {
        assert!(said.contains(&address(name)), "{name}: {} not in {said}", address(name));
    }
    // The inner one of two variables with the same name.
    let inner = view.variable("shadow").unwrap();
    assert_eq!(line(&view, &inner), "shadow = 22");
    assert!(view.variable("no_such_name").is_none());
    let enumerator = view.variable("GREEN").unwrap();
    assert_eq!(enumerator.place, Ok(Place::Bytes(vec![5, 0, 0, 0])));
    assert_eq!(view.type_of(&enumerator.ty).name.as_deref(), Some("colour"));
    // In the symbol table only.
    let environ = view.variable("environ").or_else(|| view.variable("__environ")).unwrap();
    assert!(matches!(environ.place, Ok(Place::Memory(_))), "{environ:?}");
    assert_eq!(view.globals("tab*").iter().map(|value| &*value.name).collect::<Vec<_>>(), ["table"]);
    let mut bytes = [0; 4];
    snapshot.read(VirtualAddress(0), &mut bytes).unwrap_err();
}

#[test]
fn types_are_found_by_name() {
    let built = build("values.c", &["-g", "-O0"]);
    let snapshot = Snapshot::take(&built.path, &["break leaf", "run"], &["print sizeof(struct cell)"]);
    let frames = all_frames(&snapshot);
    let view = FrameView::new(&snapshot.images, Some(&frames[0]), &snapshot);
    let named = |name: &str| view.type_named(name).map(|ty| view.type_of(&ty));
    let cell = named("struct cell").unwrap();
    assert_eq!(snapshot.said[0], format!("$1 = {}", cell.size.unwrap()));
    assert!(matches!(cell.kind, Kind::Aggregate { declaration: false, .. }));
    assert!(matches!(named("enum colour").unwrap().kind, Kind::Enumeration { signed: false, .. }));
    assert!(matches!(named("union word").unwrap().kind, Kind::Aggregate { .. }));
    assert!(matches!(named("count_t").unwrap().kind, Kind::Typedef(_)));
    assert_eq!(named("unsigned long").unwrap().size, Some(8));
    assert!(named("cell").is_none(), "in C a tag is no type");
    assert!(named("struct no_such").is_none());
}

#[test]
fn arrays_of_fortran_have_their_bounds() {
    let built = build_with("gfortran", "shapes.f90", &["-g", "-O0"]);
    let snapshot = Snapshot::take(&built.path, &["break shapes::shaped", "run"], &["print b", "up", "print grid"]);
    let frames = all_frames(&snapshot);
    let shown_at = |level: usize, name: &str| {
        let view = FrameView::new(&snapshot.images, frames.get(level), &snapshot);
        line(&view, &view.variable(name).unwrap())
    };
    // gdb puts Fortran values in parentheses.
    let as_c =
        |said: &str| said.split_once(" = ").unwrap().1.replace('(', "{").replace(')', "}").replace("} {", "}, {");
    assert_eq!(shown_at(0, "b"), format!("b = {}", as_c(&snapshot.said[0])));
    let view = FrameView::new(&snapshot.images, frames.get(1), &snapshot);
    let grid = view.variable("grid").unwrap();
    let Kind::Array { dimensions, .. } = &view.type_of(&grid.ty).kind else { panic!("{grid:?}") };
    let counts: Vec<_> = dimensions.iter().map(|dimension| dimension.count).collect();
    assert_eq!(counts, [Some(3), Some(2)], "the last index is the outermost");
    assert_eq!(as_c(&snapshot.said[2]), "{{1, 2}, {3, 4}, {5, 6}}");
    let Ok(Place::Memory(address)) = grid.place else { panic!("{grid:?}") };
    let mut bytes = [0; 24];
    view.read(address, &mut bytes).unwrap();
    let values: Vec<i32> = bytes.chunks(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(values, [1, 2, 3, 4, 5, 6]);
}

//! Files with flipped bits: there is always an answer, and no panic.

use crate::anything::Anything;
use crate::built::build;
use crate::numbers::Numbers;
use object::{Object, ObjectSection};
use rankscope::debuginfo::types::{Kind, Symbols, TypeRef};
use rankscope::debuginfo::{
    FrameView, Image, LoadedImage, LoadedImages, Registers, StackFrame, SymbolStore, stack, unwind_one,
};
use rankscope::model::{FileAddress, LoadBias, LocationSpec};

fn look_into(view: &FrameView<'_>, ty: &TypeRef, depth: u32) {
    let ty = view.type_of(ty);
    if depth > 4 {
        return;
    }
    match &ty.kind {
        Kind::Pointer(inner) | Kind::Typedef(inner) | Kind::Qualified(_, inner) => look_into(view, inner, depth + 1),
        Kind::Array { element, .. } => look_into(view, element, depth + 1),
        Kind::Aggregate { members, .. } => members.iter().take(8).for_each(|m| look_into(view, &m.ty, depth + 1)),
        _ => {}
    }
}

/// Makes all queries about an image.
fn ask(image: std::sync::Arc<Image>, places: &[u64]) {
    image.prepare();
    for name in ["main", "scaled", "scale", "leaf", "nothing", "values.c:walk"] {
        image.resolve(&LocationSpec::Function(name.into()));
    }
    for line in [1, 30, 45, 70, 4000] {
        image.resolve(&LocationSpec::FileLine { file: "values.c".into(), line });
    }
    image.contents().function_names("", 1000);
    image.contents().source_files();
    image.symbol("table");
    image.entry_points().main_function();
    let loaded = LoadedImage::new(image.clone(), LoadBias(0), "program".into(), None);
    let images = LoadedImages::new(vec![loaded]);
    for place in places {
        let address = FileAddress(*place);
        image.line_at(address);
        image.stepping_ranges(address);
        image.function_at(address);
        image.inline_frames(address);
        image.symbol_at(address);
        image.after_prologue(address);
        image.file().is_plt(address);
        let mut registers = Registers::new();
        for number in 0..17 {
            registers.set(number, 0x7fff_0000 + u64::from(number) * 8);
        }
        registers.set(16, *place);
        let _ = unwind_one(&images, &registers, true, &Anything);
        let frames: Vec<StackFrame> = stack(&images, &registers, &Anything, 0, Some(4)).frames;
        for frame in frames.iter().take(2) {
            let view = FrameView::new(&images, Some(frame), &Anything);
            for value in view.locals().into_iter().chain(view.arguments()) {
                look_into(&view, &value.ty, 0);
            }
        }
    }
    let view = FrameView::new(&images, None, &Anything);
    for value in view.globals("*") {
        look_into(&view, &value.ty, 0);
    }
    for name in ["struct cell", "count_t", "union word", "enum colour"] {
        if let Some(ty) = view.type_named(name) {
            look_into(&view, &ty, 0);
        }
    }
    for name in ["table", "per_thread", "main", "GREEN", "sink"] {
        view.variable(name);
    }
}

fn damaged(options: &[&str], rounds: u64) {
    let built = build("values.c", options);
    let bytes = std::fs::read(&built.path).unwrap();
    let file = object::File::parse(bytes.as_slice()).unwrap();
    let text = file.section_by_name(".text").unwrap();
    let places: Vec<u64> = (text.address()..text.address() + text.size()).step_by(23).collect();
    let sections: Vec<(u64, u64)> = file
        .sections()
        .filter(|section| {
            let name = section.name().unwrap();
            name.starts_with(".debug") || name.starts_with(".eh_frame") || name.contains("sym") || name.contains("str")
        })
        .filter_map(|section| section.file_range())
        .chain([(0, 64), (64, 700)])
        .filter(|(_, size)| *size > 0)
        .collect();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut opened = 0;
    for round in 0..rounds {
        let mut copy = bytes.clone();
        // Half of the rounds damage one section, the others any.
        let chosen = numbers.below(sections.len());
        for _ in 0..=numbers.below(12) {
            let (start, size) = if round % 2 == 0 { sections[chosen] } else { sections[numbers.below(sections.len())] };
            let at = start as usize + numbers.below(size as usize);
            copy[at] = match numbers.below(4) {
                0 => 0,
                1 => 0xff,
                2 => copy[at] ^ 1 << numbers.below(8),
                _ => numbers.below(256) as u8,
            };
        }
        if round % 16 == 0 {
            copy.truncate(numbers.below(copy.len()));
        }
        let Ok(image) = SymbolStore::new().open_bytes("program", copy) else { continue };
        opened += 1;
        let places: Vec<u64> = places.iter().copied().skip(round as usize % 3).step_by(3).collect();
        ask(image, &places);
    }
    assert!(opened > rounds / 2, "{opened} of {rounds} were worth asking");
}

#[test]
fn flipped_bits_of_plain_code() {
    damaged(&["-g", "-O0"], 150);
}

#[test]
fn flipped_bits_of_optimised_code() {
    damaged(&["-g", "-O2"], 150);
}

#[test]
fn flipped_bits_of_old_debug_information() {
    damaged(&["-gdwarf-3", "-O2"], 100);
}

#[test]
fn one_damaged_unit_leaves_the_others() {
    // Two units; the abbreviations of the first are overwritten.
    let built = crate::built::Built::with_two_units("deep.c", "part.c", &["-g", "-O0"]);
    let mut bytes = std::fs::read(&built.path).unwrap();
    let offsets: Vec<usize> = {
        let file = object::File::parse(bytes.as_slice()).unwrap();
        let info = file.section_by_name(".debug_info").unwrap();
        let (start, _) = info.file_range().unwrap();
        // An undefined version.
        vec![start as usize + 4]
    };
    for offset in offsets {
        bytes[offset] = 0x7f;
    }
    let image = SymbolStore::new().open_bytes("program", bytes).unwrap();
    let described = |name: &str| {
        let sites = image.resolve(&LocationSpec::Function(name.into()));
        sites.first().and_then(|site| site.source.clone()).is_some()
    };
    assert_eq!(sites_known(&image), (true, true));
    assert!(!described("recurse"));
    assert!(described("part"));
    let said = image.damage().unwrap().to_string();
    assert!(said.starts_with("program has damaged debug information, first in the unit at offset 0x0: "), "{said}");
}

/// True for each function that is found at all: by the symbol table, if not by its unit.
fn sites_known(image: &Image) -> (bool, bool) {
    let known = |name: &str| !image.resolve(&LocationSpec::Function(name.into())).is_empty();
    (known("recurse"), known("part"))
}

#[test]
fn what_compilers_make_is_whole() {
    let ways: [(&str, &str, &[&str]); 7] = [
        ("gcc", "values.c", &["-gdwarf-2", "-O0"]),
        ("gcc", "values.c", &["-gdwarf-3", "-O2"]),
        ("gcc", "values.c", &["-gdwarf-4", "-O2", "-fdebug-types-section"]),
        ("gcc", "values.c", &["-g", "-O2", "-flto"]),
        ("gcc", "values.c", &["-g3", "-O1", "-gz"]),
        ("g++", "scopes.cpp", &["-g", "-O2", "-flto"]),
        ("gfortran", "shapes.f90", &["-g", "-O2"]),
    ];
    for (compiler, source, options) in ways {
        let built = crate::built::build_with(compiler, source, options);
        let image = SymbolStore::new().open(&built.path).unwrap();
        image.prepare();
        image.resolve(&LocationSpec::FileLine { file: source.into(), line: 1 });
        assert!(!image.contents().source_files().is_empty(), "{compiler} {options:?}");
        assert_eq!(image.damage(), None, "{compiler} {options:?}");
    }
}

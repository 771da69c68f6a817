//! Stacks, compared frame by frame with gdb's.

use crate::built::{Built, build};
use crate::snapshot::Snapshot;
use rankscope::debuginfo::types::{Place, Symbols};
use rankscope::debuginfo::{FrameView, Stack, linker_events, stack, stack_depth};
use rankscope::model::FileAddress;

/// A frame as gdb's `backtrace` prints it, without arguments and module: level, function, file and line.
fn shown(stack: &Stack) -> Vec<String> {
    let line = |frame: &rankscope::model::Frame| {
        let function = frame.function.as_deref().unwrap_or("??");
        let place = frame.source.as_ref().map(|source| {
            let file = source.file.rsplit('/').next().unwrap_or_default();
            format!(" {file}:{}", source.line)
        });
        format!("{} {function}{}", frame.level, place.unwrap_or_default())
    };
    stack.frames.iter().map(|frame| line(&frame.frame)).collect()
}

fn gdb_shown(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let rest = line.strip_prefix('#')?;
        let (level, rest) = rest.split_once(' ')?;
        let rest = rest.trim_start();
        let rest = rest.split_once(" in ").filter(|(address, _)| address.starts_with("0x")).map_or(rest, |(_, r)| r);
        let function = if rest.starts_with('<') {
            rest.split_once('>')?.0.to_owned() + ">"
        } else {
            rest.split(' ').next()?.to_owned()
        };
        let place = rest.rsplit_once(" at ").map(|(_, place)| format!(" {}", place.rsplit('/').next().unwrap()));
        // The C library's sources are not installed; gdb has no lines for it either.
        Some(format!("{level} {function}{}", place.unwrap_or_default()))
    };
    text.lines().filter_map(line).collect()
}

const WAYS: &[&[&str]] = &[
    &["-g", "-O0"],
    &["-g", "-O2"],
    &["-g", "-O3", "-no-pie"],
    &["-O2"],
    &["-g", "-O1", "-fno-asynchronous-unwind-tables"],
    &["-O0", "-s", "-rdynamic"],
    &["-g", "-O2", "-static"],
];

#[test]
fn backtraces_are_gdb_s() {
    for options in WAYS {
        let built = build("deep.c", options);
        let before = ["break bottom", "handle SIGUSR1 nostop noprint", "run"];
        let snapshot = Snapshot::take(&built.path, &before, &["backtrace", "info registers"]);
        let ours = stack(&snapshot.images, &snapshot.registers, &snapshot, 0, None);
        let (mut lines, mut expected) = (shown(&ours), gdb_shown(&snapshot.said[0]));
        if options.contains(&"-static") {
            // Without debug information, some addresses of the C library have several names.
            for lines in [&mut lines, &mut expected] {
                lines.retain(|line| line.contains("deep.c") || line.contains('<'));
            }
        }
        assert_eq!(lines, expected, "{options:?} {:?}\n{}", ours.fault, snapshot.said[0]);
        assert_eq!(ours.fault, None, "{options:?}");
        assert!(ours.frames.len() > 8, "{options:?}");
        let depth = stack_depth(&snapshot.images, &snapshot.registers, &snapshot);
        assert_eq!(depth as usize, ours.frames.len());
        let part = stack(&snapshot.images, &snapshot.registers, &snapshot, 2, Some(4));
        assert_eq!(shown(&part), shown(&ours)[2..=4]);
    }
}

/// Code, variables and thread-local variables of a library, at its load address.
#[test]
fn libraries_are_where_the_linker_put_them() {
    let built = Built::with_library("part.c", "parted.c", &["-g", "-O0"]);
    let before = ["break main", "run", "break part", "continue", "next", "next"];
    let names = ["part_value", "part_thread", "own_thread", "part"];
    let commands: Vec<String> =
        std::iter::once("backtrace".to_owned()).chain(names.iter().map(|name| format!("print &{name}"))).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let snapshot = Snapshot::take(&built.path, &before, &commands);
    let ours = stack(&snapshot.images, &snapshot.registers, &snapshot, 0, None);
    assert_eq!(shown(&ours), gdb_shown(&snapshot.said[0]));
    let module = ours.frames[0].frame.code.module.clone().unwrap();
    assert_eq!(&*module, built.directory().join("libpart.so").to_str().unwrap());
    let view = FrameView::new(&snapshot.images, ours.frames.first(), &snapshot);
    for (name, said) in names.iter().zip(&snapshot.said[1..]) {
        let Ok(Place::Memory(address)) = view.variable(name).unwrap().place else { panic!("{name}") };
        assert!(said.split(' ').any(|word| word == address.to_string()), "{name}: {address}, gdb {said}");
    }
    let linker = snapshot.link_map.as_ref().and_then(|map| map.event).unwrap();
    assert_eq!(linker_events(&snapshot.images, &snapshot.auxiliary), [linker]);
    let library = snapshot.images.iter().find(|loaded| loaded.name == module).unwrap();
    let stub = snapshot.images.executable().unwrap();
    let printf = stub.image.file().segments().iter().filter(|segment| segment.executable).find_map(|segment| {
        let mut addresses = (segment.addresses.start.0..segment.addresses.end.0).step_by(16).map(FileAddress);
        addresses.find(|address| stub.image.symbol_at(*address).is_some_and(|(name, _)| &*name == "part@plt"))
    });
    assert!(stub.image.file().is_plt(printf.unwrap()));
    assert!(!library.image.file().is_plt(library.image.symbol("part").unwrap()));
}

//! Stacks, compared frame by frame with gdb's.

use crate::built::build;
use crate::snapshot::Snapshot;
use rankscope::engine::native::symbols::{Stack, stack, stack_depth};

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
        // The C library's sources are not here; gdb knows no lines of it either.
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
            // Without debug information one place of the C library has several names.
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

//! Places in the source that a program or its libraries name.

use model::{Frame, SourcePlace};

/// Returns a place, with the whole path of its file if one of these frames has it.
pub(crate) fn named_place(frames: &[Frame], file: &str, line: u32) -> SourcePlace {
    let known = frames.iter().find_map(|frame| same_file(frame, file));
    SourcePlace { file: known.unwrap_or(file).into(), line }
}

fn same_file<'a>(frame: &'a Frame, file: &str) -> Option<&'a str> {
    let known = &*frame.source.as_ref()?.file;
    let tail = file.rsplit("../").next()?.trim_start_matches("./");
    let is_same = known.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('/'));
    is_same.then_some(known)
}

//! Frames of libraries on a stack, which are shown as one line.

use super::called_name::called_name;
use crate::{Frame, MyCode};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Consecutive frames outside the user's code, two or more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FoldedFrames {
    /// Their places on the stack, the innermost frame first.
    pub places: Range<usize>,
    /// The outermost of their functions by the name that its caller uses; `None` if it has no known name.
    pub call: Option<Arc<str>>,
}

impl MyCode {
    /// Returns the frames of libraries that are shown as one line each, innermost first. None on a stack without the
    /// user's code: there is nothing that they would lead away from.
    pub fn folded(&self, stack: &[Frame]) -> Vec<FoldedFrames> {
        let mut of_place = HashMap::new();
        let mut is_library = |frame: &Frame| {
            let Some(source) = &frame.source else { return true };
            let function = frame.function.clone().filter(|_| !self.is_empty());
            let key = (frame.code.module.clone(), source.file.clone(), function);
            !*of_place.entry(key).or_insert_with(|| self.has(frame))
        };
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut users = 0_usize;
        for (at, frame) in stack.iter().enumerate() {
            match runs.last_mut() {
                _ if !is_library(frame) => users += 1,
                Some(run) if run.end == at => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
        if users == 0 {
            return Vec::new();
        }
        let fold = |places: Range<usize>| {
            let outermost = stack.get(places.end.checked_sub(1)?)?;
            let caller = stack.get(places.end).and_then(|frame| frame.function.as_deref());
            let call = outermost.function.as_deref().map(|name| called_name(name, caller).into());
            Some(FoldedFrames { places, call })
        };
        runs.into_iter().filter(|run| run.len() > 1).filter_map(fold).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodePlace, SourcePlace};
    use proptest::prelude::*;

    /// A stack of `u`ser and `l`ibrary functions, innermost first.
    fn stack(letters: &str) -> Vec<Frame> {
        let frame = |(level, letter): (usize, char)| {
            let source = SourcePlace { file: "/home/me/app.c".into(), line: 1 };
            let module = if letter == 'u' { "/home/me/app" } else { "/lib/libmpi.so.40" };
            Frame {
                level: level as u32,
                function: Some(format!("PMPI_{letter}{level}").into()),
                source: (letter == 'u').then_some(source),
                code: CodePlace { module: Some(module.into()), offset: 64, address: None },
                inlined: false,
                guessed: false,
                thread: None,
            }
        };
        letters.chars().enumerate().map(frame).collect()
    }

    fn folded(letters: &str) -> Vec<String> {
        let folded = MyCode::default().folded(&stack(letters));
        folded.iter().map(|fold| format!("{:?} {}", fold.places, fold.call.as_deref().unwrap_or("??"))).collect()
    }

    #[test]
    fn each_run_of_library_frames_is_one_line() {
        assert_eq!(folded("lllu"), ["0..3 MPI_l2"]);
        assert_eq!(folded("ulluuluulll"), ["1..3 MPI_l2", "8..11 MPI_l10"]);
        assert!(folded("luluu").is_empty(), "one frame takes no more room than the line that stands for it");
        assert!(folded("lll").is_empty(), "without the user's code all frames are shown");
        assert!(folded("").is_empty());
    }

    #[test]
    fn patterns_decide_what_is_folded() {
        let mut frames = stack("llu");
        frames[1].source = Some(SourcePlace { file: "/opt/mpi/wait.c".into(), line: 7 });
        let of = |patterns| MyCode::parse(patterns).unwrap().folded(&frames).len();
        assert_eq!((of(""), of("libmpi*"), of("wait.c"), of("PMPI_l1"), of("PMPI_l0")), (1, 0, 0, 0, 1));
    }

    proptest! {
        #[test]
        fn folded_frames_are_all_of_libraries_and_those_beside_them_are_not(letters in "[ul]{0,40}") {
            let is_library = |at: usize| letters.as_bytes().get(at) == Some(&b'l');
            let mut hidden = 0;
            for fold in MyCode::default().folded(&stack(&letters)) {
                prop_assert!(fold.places.len() > 1 && fold.places.clone().all(is_library));
                prop_assert!(!is_library(fold.places.end) && (fold.places.start == 0 || !is_library(fold.places.start - 1)));
                hidden += fold.places.len();
            }
            let runs = letters.split('u').map(str::len).filter(|length| *length > 1);
            prop_assert_eq!(hidden, if letters.contains('u') { runs.sum() } else { 0 });
        }
    }
}

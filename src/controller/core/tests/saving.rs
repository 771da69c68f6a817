//! Data that is being written to files while other things happen.

use super::*;
use crate::core::{DataWrite, Effect};
use model::{DataPart, DataShape, ElementForm, ElementOrder, NumberGrid, NumberKind};

fn part(size: u64, bytes: usize) -> Answer {
    let shape = DataShape { size, grid: None, address: None };
    Answer::DataPart(Box::new(DataPart { shape, bytes: vec![7; bytes] }))
}

impl Head {
    /// Returns what is written, and says that it is.
    fn written(&mut self) -> Vec<DataWrite> {
        let mut written = Vec::new();
        for effect in self.controller.take_effects() {
            if let Effect::WriteData(id, steps) = effect {
                written.extend(steps);
                self.controller.provide(id, Ok(String::new()));
            }
        }
        written
    }

    /// Begins to save 12 MiB of rank 2, of which 4 have come.
    fn saving() -> Self {
        let mut head = Self::stopped(false);
        head.execute("[2] save u u.bin");
        let (tid, ranks, operation) = head.asked();
        assert_eq!(ranks, "2");
        assert!(matches!(operation, Operation::ReadData { from: 0, .. }), "{operation:?}");
        head.answer(tid, "2", "", part(12 << 20, 4 << 20));
        assert!(matches!(head.written().as_slice(), [DataWrite::Begin { .. }, DataWrite::Bytes { .. }]));
        head
    }
}

#[test]
fn large_data_is_requested_block_by_block() {
    let mut head = Head::saving();
    for from in [4 << 20, 8 << 20] {
        let (tid, _, operation) = head.asked();
        assert!(matches!(operation, Operation::ReadData { from: of, .. } if of == from), "{operation:?}");
        head.answer(tid, "2", "", part(12 << 20, 4 << 20));
        let written = head.written();
        assert_eq!(matches!(written.last(), Some(DataWrite::Finish { .. })), from == 8 << 20, "{}", written.len());
    }
    assert_eq!(head.told(), ["[2] wrote u.bin: u (12.0 MiB)", "done [2]"]);
}

#[test]
fn halt_interrupts_the_writing_and_drops_the_file() {
    let mut head = Head::saving();
    let (tid, ..) = head.asked();
    head.execute("halt");
    let (halt, ranks, _) = head.asked();
    head.answer(halt, &ranks, "", Answer::Ok);
    head.told();
    head.answer(tid, "2", "", part(12 << 20, 4 << 20));
    assert_eq!(head.told(), ["[2] error: interrupted: u.bin is not written", "done [2] failed"]);
    assert!(matches!(head.controller.take_effects().as_slice(), [Effect::DropData(_)]));
    assert!(head.sent().is_empty(), "nothing more is requested");
}

#[test]
fn a_rank_that_continues_spoils_its_file() {
    let mut head = Head::saving();
    let (tid, ..) = head.asked();
    head.execute("[2] go");
    head.sent();
    head.told();
    head.answer(tid, "2", "", part(12 << 20, 4 << 20));
    let told = head.told();
    let why = "[2] error: rank 2 was continued before its data was complete: u.bin is not written";
    assert!(told.iter().any(|line| line == why), "{told:?}");
    assert!(matches!(head.controller.take_effects().as_slice(), [Effect::DropData(_)]));
}

#[test]
fn a_full_disk_ends_the_command() {
    let mut head = Head::saving();
    let (tid, ..) = head.asked();
    head.answer(tid, "2", "", part(12 << 20, 4 << 20));
    let Some(Effect::WriteData(id, _)) = head.controller.take_effects().pop() else { panic!("nothing is written") };
    head.controller.provide(id, Err("cannot write u.bin: disk full".to_owned()));
    assert_eq!(head.told(), ["[2] error: cannot write u.bin: disk full: u.bin is not written", "done [2] failed"]);
    assert!(matches!(head.controller.take_effects().as_slice(), [Effect::DropData(_)]));
}

#[test]
fn small_data_of_many_ranks_is_requested_once() {
    let mut head = Head::stopped(true);
    head.execute("save u u.%r.bin");
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "0-3");
    head.answer(tid, "0-1,3", "", part(8, 8));
    head.answer(tid, "2", "", Answer::Failed(Failure::new(ErrorCode::MEMORY, "Cannot access memory")));
    let written = head.written();
    assert_eq!(written.iter().filter(|step| matches!(step, DataWrite::Finish { .. })).count(), 3);
    let told = head.told();
    assert_eq!(
        told,
        ["[2] error: Cannot access memory", "[0-1,3] wrote u.%r.bin: u (3 files, 24 bytes)", "done [0-3] failed"]
    );
    head.execute("save u u.bin");
    assert!(head.told()[0].contains("4 ranks would write u.bin: name it u.%r.bin"));
}

/// Saves numbers of this many bytes of all ranks in one file of text; the answers have `most` bytes, or those that were
/// requested. Returns the lines of the file.
#[track_caller]
fn saved_as_text(size: u32, count: u64, most: usize) -> Vec<String> {
    let mut head = Head::stopped(true);
    head.execute("save u u.csv");
    let mut bytes = Vec::new();
    for number in 0..count {
        bytes.extend((0..size).map(|at| u8::try_from(number >> (8 * at).min(56) & 0xff).unwrap()));
    }
    let grid = NumberGrid {
        element: ElementForm::Number(NumberKind::Unsigned),
        size,
        counts: vec![count],
        order: ElementOrder::Rows,
    };
    let shape = DataShape { size: bytes.len() as u64, grid: Some(grid), address: None };
    let mut text = Vec::new();
    for _ in 0..100 {
        let (tid, ranks, operation) = head.asked();
        let Operation::ReadData { from, length, .. } = operation else { panic!("{operation:?}") };
        let from = usize::try_from(from).unwrap();
        let end = (from + (length as usize).min(most)).min(bytes.len());
        let part = DataPart { shape: shape.clone(), bytes: bytes[from..end].to_vec() };
        head.answer(tid, &ranks, "", Answer::DataPart(Box::new(part)));
        for step in head.written() {
            match step {
                DataWrite::Bytes { bytes, .. } => text.extend(bytes),
                DataWrite::Finish { .. } => {
                    return String::from_utf8(text).unwrap().lines().map(str::to_owned).collect();
                }
                DataWrite::Begin { .. } => {}
            }
        }
    }
    panic!("the file is not complete");
}

#[test]
fn no_number_is_torn_between_two_answers() {
    for (size, count, most) in
        [(3, 1_600_000, usize::MAX), (10, 450_000, usize::MAX), (8, 600_000, 1_000_001), (16, 300_000, 999_999)]
    {
        let lines = saved_as_text(size, count, most);
        let expected = (0..4).flat_map(|rank| (0..count).map(move |number| format!("{rank},{number}")));
        assert!(lines.iter().cloned().eq(expected), "{size}: {} lines", lines.len());
    }
}

//! The lines of `compare`.

use super::{of_command, set};
use crate::Comparison;
use crate::report::{Content, text_lines};
use model::{Datum, ProcessSet};

#[test]
fn statistics_have_as_many_digits_as_tell_something() {
    let double = |rank: &str, value: f64| {
        let datum = Datum { descriptor: "f8".into(), data: value.to_be_bytes().to_vec(), type_name: "double".into() };
        (set(rank), value.to_string(), datum)
    };
    let lines = |values: Vec<(ProcessSet, String, Datum)>| {
        text_lines(&of_command(Content::Comparison("x".into(), Comparison::new(values))))
    };
    let tiny = lines(vec![double("0", 1e-9), double("1", 3e-9)]);
    assert_eq!(tiny[1], "[0-1] min 1e-9 (rank 0), max 3e-9 (rank 1), mean 2e-9, deviation 1e-9");
    let large = lines(vec![double("0", 1e300), double("1", 3e300)]);
    assert_eq!(large[1], "[0-1] min 1e300 (rank 0), max 3e300 (rank 1), mean 2e300, deviation 1e300");
    let thirds = lines(vec![double("0-1", 1.0), double("2", 2.0), double("3", f64::NAN)]);
    let measured = "min 1 (ranks 0-1), max 2 (rank 2), mean 1.333333333, deviation 0.4714045208, without 1 NaN";
    assert_eq!(thirds[1], format!("[0-3] {measured}"));
    assert_eq!(thirds.iter().filter(|line| line.contains("[3]")).count(), 1, "{thirds:?}");
}

#[test]
fn without_a_majority_the_extremes_come_first() {
    let double = |rank: u32, value: f64| {
        let datum = Datum { descriptor: "f8".into(), data: value.to_be_bytes().to_vec(), type_name: "double".into() };
        (ProcessSet::range(rank, rank + 1), value.to_string(), datum)
    };
    let each = [2.5, 2.25, -1449.0, 2.75, 8.0, 2.0];
    let values: Vec<_> = (0..).zip(each).map(|(rank, value)| double(rank, value)).collect();
    let told = text_lines(&of_command(Content::Comparison("x".into(), Comparison::new(values))));
    assert!(told[1].starts_with("[0-5] min -1449 (rank 2), max 8 (rank 4), mean "), "{told:?}");
    assert_eq!(told[2..5], ["[2] = -1449", "[4] = 8", "[0] = 2.5"]);
}

#[test]
fn arrays_of_which_a_part_is_printed_are_not_called_equal() {
    let array = |rank: &str, text: &str| {
        let datum = Datum { descriptor: "[r0,900is4]is4".into(), data: vec![0; 4], type_name: "int [900]".into() };
        (set(rank), text.to_owned(), datum)
    };
    let lines = |values: Vec<(ProcessSet, String, Datum)>| {
        text_lines(&of_command(Content::Comparison("field".into(), Comparison::new(values))))
    };
    let told = lines(vec![array("0-2", "{1, 2...}"), array("3", "{1, 3...}")]);
    assert_eq!(told[2], "[0-3] only the elements that are printed are compared; \"stats field\" measures all");
    let whole = lines(vec![array("0-2", "{1, 2}"), array("3", "{1, 3}")]);
    assert!(whole.iter().all(|line| !line.contains("measures all")), "{whole:?}");
}

#[test]
fn what_is_odd_is_compared_first_and_the_histogram_last() {
    let double = |ranks: &str, value: f64| {
        let datum = Datum { descriptor: "f8".into(), data: value.to_be_bytes().to_vec(), type_name: "double".into() };
        (set(ranks), value.to_string(), datum)
    };
    let lines = |values: Vec<(ProcessSet, String, Datum)>| {
        text_lines(&of_command(Content::Comparison("x".into(), Comparison::new(values))))
    };
    let told = lines(vec![double("0-6,9-14", 1.0), double("7", 3.0), double("15", f64::NAN), double("8", 2.0)]);
    assert_eq!(told[0], "[7-8,15] x differs from that of the other 13 ranks");
    assert_eq!(told[1], "[0-15] x: 16 values, 4 distinct");
    assert_eq!(told[3..7], ["[15] = NaN", "[7] = 3", "[8] = 2", "[0-6,9-14] = 1"]);
    assert!(told[7].contains("13 ####") && told.len() == 17, "{told:?}");
    // Two values are listed with their ranks anyway, and the distribution of addresses tells nothing.
    let two = lines(vec![double("0-6", 125.0), double("7", 126.0)]);
    assert_eq!(two[0], "[7] x differs from that of the other 7 ranks");
    assert_eq!(two[3..], ["[7] = 126", "[0-6] = 125"]);
    let pointer = |rank: u32, address: u64| {
        let data = [&[5], &address.to_be_bytes()[..]].concat();
        let datum = Datum { descriptor: "^a8is4".into(), data, type_name: "int *".into() };
        (ProcessSet::range(rank, rank + 1), format!("{address:#x}"), datum)
    };
    let addresses = [0x5555_5555_92b0, 0x5555_5555_a2c0, 0x5555_5555_b2d0, 0x5555_5555_c2e0];
    let pointers = lines((0..).zip(addresses).map(|(rank, address)| pointer(rank, address)).collect());
    assert_eq!(pointers.len(), 2 + addresses.len(), "{pointers:?}");
    assert_eq!(lines(vec![double("3", 1.0)])[0], "[3] x: 1 value, 1 distinct");
}

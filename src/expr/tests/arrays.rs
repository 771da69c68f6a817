//! Arrays of all shapes, measured and searched where they are.

use super::table::*;
use crate::{EvalError, Value, find_in_array, measure_array};
use debuginfo::types::{Dimension, Encoding, Kind, Place, TypeRef};
use model::{ErrorCode, ScanCondition, VirtualAddress};
use proptest::prelude::*;

const START: u64 = 0x1_0000;

fn strided(dimensions: &[(i64, u64, i64)]) -> TypeRef {
    let dimensions = dimensions
        .iter()
        .map(|(lower, count, stride)| Dimension {
            lower: *lower,
            count: Some(*count),
            assumed: false,
            stride: Some(*stride),
        })
        .collect();
    made(None, None, Kind::Array { element: int(), dimensions })
}

fn at(ty: TypeRef, address: u64) -> Value {
    Value::new(ty, Place::Memory(VirtualAddress(address)))
}

proptest! {
    #[test]
    fn elements_are_those_at_their_addresses(
        dimensions in proptest::collection::vec((-3_i64..3, 1_u64..5, -12_i64..12), 1..4),
    ) {
        let dimensions: Vec<_> = dimensions.into_iter().map(|(lower, count, stride)| (lower, count, 4 * stride)).collect();
        let mut table = Table::default();
        let memory: Vec<u8> = (0..500_i32).flat_map(|at| (at * 37 % 501).to_le_bytes()).collect();
        table.put(START, &memory);
        let middle = START + 1000;
        let mut elements = vec![(Vec::new(), middle)];
        for (lower, count, stride) in &dimensions {
            elements = elements
                .into_iter()
                .flat_map(|(index, address)| {
                    (0..*count as i64).map(move |number| {
                        let index = [index.as_slice(), &[lower + number]].concat();
                        (index, address.wrapping_add_signed(stride * number))
                    })
                })
                .collect();
        }
        let number = |address: u64| f64::from((address - START) as i32 / 4 * 37 % 501);
        let array = at(strided(&dimensions), middle);
        let statistics = measure_array(&array, &table.context()).unwrap();
        let finite = statistics.finite.unwrap();
        let numbers: Vec<f64> = elements.iter().map(|(_, address)| number(*address)).collect();
        let low = numbers.iter().copied().fold(f64::MAX, f64::min);
        let sum: f64 = numbers.iter().sum();
        prop_assert_eq!(statistics.count, numbers.len() as u64);
        prop_assert_eq!(finite.min.value.get(), low);
        let place = numbers.iter().position(|value| *value == low).unwrap();
        prop_assert_eq!(&finite.min.at.subscripts, &elements[place].0);
        prop_assert!((finite.mean.get() - sum / numbers.len() as f64).abs() < 1e-9);
        let denormal = find_in_array(&array, &ScanCondition::Denormal, None, &table.context()).unwrap();
        prop_assert_eq!(denormal.found, 0);
    }
}

#[test]
fn the_first_unreadable_element_is_named() {
    let mut table = Table::default();
    table.put(START, &[0; 40]);
    let message = |ty: TypeRef, address: u64| {
        let EvalError { code, message, .. } = measure_array(&at(ty, address), &table.context()).unwrap_err();
        assert_eq!(code, ErrorCode::MEMORY);
        message
    };
    let whole = message(array(int(), &[4, 4]), START);
    assert!(whole.ends_with("at address 0x10028: element [2][2], after 10 readable ones of 16"), "{whole}");
    let back = message(strided(&[(1, 12, -4)]), START + 36);
    assert!(back.ends_with("at address 0xfffc: element [11], after 10 readable ones of 12"), "{back}");
    assert!(!message(int(), 8).contains("element"));
}

#[test]
fn only_numbers_are_measured() {
    let mut table = Table::default();
    table.put(START, &[0; 64]);
    let message = |ty: TypeRef| measure_array(&at(ty, START), &table.context()).unwrap_err().message;
    assert_eq!(
        message(array(base("complex double", 16, Encoding::Complex), &[2])),
        "complex double is complex: complex numbers have no order."
    );
    let point = structure(Some("point"), 8, vec![field("x", int(), 0)]);
    assert!(message(array(point.clone(), &[2])).contains("is not a number: name one of its members, as in .x"));
    assert!(message(point).contains("is neither an array of numbers nor a container"));
    assert!(message(pointer(double())).contains("p[0]@100"));
    let flexible = Dimension { lower: 0, count: None, assumed: false, stride: None };
    assert!(message(made(None, None, Kind::Array { element: int(), dimensions: vec![flexible] })).contains("bounds"));
    let none = measure_array(&at(array(int(), &[0]), START), &table.context()).unwrap();
    assert_eq!((none.count, none.finite), (0, None));
    let one = measure_array(&at(int(), START), &table.context()).unwrap();
    assert_eq!((one.count, one.finite.unwrap().min.at.subscripts.len()), (1, 0));
    let huge = strided(&[(0, u64::MAX, 4), (0, 2, 4)]);
    assert!(message(huge).contains("more elements than can be counted"));
}

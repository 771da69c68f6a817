//! Properties of the statistics and the search, compared with plain loops.

use super::element_kind::{ElementKind, ElementType};
use super::histogram::Histogram;
use super::measure::to_read_again;
use super::search::{Firsts, Search, Wanted};
use super::summary::Summary;
use super::tally::{Sample, Tally, to_sample};
use super::tiles::{TILE, TileUser, Tiles};
use model::aif::{FloatLayout, Number};
use model::{Relation, ScanCondition};
use proptest::prelude::*;

const DOUBLE: ElementType = ElementType { kind: ElementKind::Double, size: 8 };

/// Gives bytes to a user in parts that end at these elements.
fn give(element: ElementType, raw: &[u8], ends: &[usize], user: &mut dyn TileUser) {
    let mut tiles = Tiles::new(element.size, user);
    let mut start = 0;
    for end in ends.iter().map(|end| end * element.size).filter(|end| *end <= raw.len()) {
        if end > start {
            tiles.add(&raw[start..end]);
            start = end;
        }
    }
    tiles.add(&raw[start..]);
    tiles.end();
}

fn bytes(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn summary(element: ElementType, raw: &[u8], ends: &[usize]) -> Summary {
    counted(element, raw, ends, None)
}

fn counted(element: ElementType, raw: &[u8], ends: &[usize], tally: Option<Tally>) -> Summary {
    let mut summary = Summary::new(element, tally);
    give(element, raw, ends, &mut summary);
    summary
}

/// The tally for an array of which these elements are a sample.
fn tally(sample: &[f64]) -> Option<Tally> {
    let mut users = Sample::new(DOUBLE);
    give(DOUBLE, &bytes(sample), &[], &mut users);
    users.tally()
}

fn histogram(element: ElementType, raw: &[u8], ends: &[usize], range: (f64, f64)) -> Vec<u64> {
    let mut histogram = Histogram::new(element, range.0, range.1);
    give(element, raw, ends, &mut histogram);
    histogram.counts()
}

fn found(element: ElementType, raw: &[u8], ends: &[usize], wanted: Wanted) -> (u64, Vec<u64>) {
    let mut search = Search::new(element, wanted, Firsts::default());
    give(element, raw, ends, &mut search);
    (search.kept.found, search.kept.first)
}

/// Numbers as they occur, with a few that are not finite.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => -1e3..1e3,
        5 => (-4_i32..4).prop_map(f64::from),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(0.0), Just(5e-324)],
    ]
}

/// Few numbers, repeated in an order of their own up to several tiles, or each of them many times.
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    (proptest::collection::vec(number(), 1..60), 1_usize..4 * TILE, any::<bool>()).prop_map(|(some, count, smooth)| {
        let place = |at: usize| if smooth { at / 500 } else { at * at };
        (0..count).map(|at| some[place(at) % some.len()]).collect()
    })
}

fn ends() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0_usize..4 * TILE, 0..9).prop_map(|mut ends| {
        ends.sort_unstable();
        ends
    })
}

proptest! {
    #[test]
    fn any_division_into_blocks_gives_the_same_as_none(values in numbers(), ends in ends()) {
        let raw = bytes(&values);
        let (whole, divided) = (summary(DOUBLE, &raw, &[]), summary(DOUBLE, &raw, &ends));
        prop_assert_eq!(&whole, &divided);
        if let Some((min, max)) = whole.peaks {
            let range = (min.value, max.value);
            prop_assert_eq!(histogram(DOUBLE, &raw, &[], range), histogram(DOUBLE, &raw, &ends, range));
        }
        // Tiles whose numbers are in one part are not read again.
        if let Some((min, max)) = whole.peaks {
            let mut partly = Histogram::new(DOUBLE, min.value, max.value);
            for part in to_read_again(whole.ranges().unwrap(), &mut partly, values.len() as u64) {
                give(DOUBLE, &raw[part.start as usize * 8..part.end as usize * 8], &[], &mut partly);
            }
            prop_assert_eq!(partly.counts(), histogram(DOUBLE, &raw, &[], (min.value, max.value)));
        }
        for wanted in [Wanted::NotANumber, Wanted::Compared(Relation::Greater, Number::Signed(2))] {
            prop_assert_eq!(found(DOUBLE, &raw, &[], wanted), found(DOUBLE, &raw, &ends, wanted));
        }
    }

    #[test]
    fn numbers_that_are_counted_at_the_first_reading_are_in_the_same_parts(
        values in numbers(),
        known in 1_usize..4 * TILE,
        offset in prop_oneof![3 => Just(0.0), 1 => -1e9..1e9],
    ) {
        let values: Vec<f64> = values.iter().map(|value| value + offset).collect();
        let raw = bytes(&values);
        let summary = counted(DOUBLE, &raw, &[], tally(&values[..known.min(values.len())]));
        if let (Some(tally), Some((min, max))) = (summary.tally(), summary.peaks) {
            let mut counted = Histogram::new(DOUBLE, min.value, max.value);
            if counted.takes_counted(tally, min.value, max.value) {
                prop_assert_eq!(counted.counts(), histogram(DOUBLE, &raw, &[], (min.value, max.value)));
            }
        }
    }

    #[test]
    fn statistics_are_those_of_a_plain_loop(values in numbers()) {
        let raw = bytes(&values);
        let summary = summary(DOUBLE, &raw, &[]);
        prop_assert_eq!(summary.nan, values.iter().filter(|value| value.is_nan()).count() as u64);
        prop_assert_eq!(summary.infinite, values.iter().filter(|value| value.is_infinite()).count() as u64);
        let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let Some((min, max)) = summary.peaks else {
            prop_assert!(finite.is_empty());
            return Ok(());
        };
        let place = |wanted: f64| values.iter().position(|value| *value == wanted).unwrap() as u64;
        let (low, high) = (finite.iter().copied().fold(f64::MAX, f64::min), finite.iter().copied().fold(f64::MIN, f64::max));
        prop_assert_eq!((min.value, min.at), (low, place(low)));
        prop_assert_eq!((max.value, max.at), (high, place(high)));
        let (mean, deviation) = summary.mean_and_deviation();
        let count = finite.len() as f64;
        let plain = finite.iter().sum::<f64>() / count;
        let variance = finite.iter().map(|value| (value - plain).powi(2)).sum::<f64>() / count;
        prop_assert!((mean - plain).abs() < 1e-9 && (deviation - variance.sqrt()).abs() < 1e-9, "{mean} {deviation}");
        let counts = histogram(DOUBLE, &raw, &[], (low, high));
        prop_assert_eq!(counts.iter().sum::<u64>(), finite.len() as u64);
        prop_assert_eq!(counts.len(), if low < high { 10 } else { 1 });
        // Halves of the smallest numbers would all be 0.
        let scale = if high - low < 1e-300 { 2f64.powi(600) } else { 0.5 };
        let of_range = |value: f64| value * scale - low * scale;
        let part = |value: f64| ((of_range(value) * (10.0 / of_range(high))) as usize).min(9);
        let mut plain = [0; 10];
        finite.iter().for_each(|value| plain[if low < high { part(*value) } else { 0 }] += 1);
        prop_assert_eq!(&counts[..], &plain[..counts.len()]);
    }

    #[test]
    fn a_search_finds_what_a_plain_loop_finds(values in numbers(), limit in number(), relation in 0_usize..6) {
        let relation = Relation::ALL[relation];
        let meets = |value: f64| match relation {
            Relation::Less => value < limit,
            Relation::LessOrEqual => value <= limit,
            Relation::Greater => value > limit,
            Relation::GreaterOrEqual => value >= limit,
            Relation::Equal => value == limit,
            Relation::Unequal => value != limit,
        };
        let number = Number::Float(FloatLayout::ieee(8).unwrap(), limit.to_bits().into());
        let wanted = Wanted::Compared(relation, number);
        let places: Vec<u64> = (0..).zip(&values).filter(|(_, value)| meets(**value)).map(|(at, _)| at).collect();
        let first = places.iter().copied().take(10).collect();
        prop_assert_eq!(found(DOUBLE, &bytes(&values), &[], wanted), (places.len() as u64, first));
        // Wide floats are compared one by one.
        let wide = ElementType { kind: ElementKind::Float(FloatLayout::x87()), size: 16 };
        let raw: Vec<u8> =
            values.iter().flat_map(|value| FloatLayout::x87().from_f64(*value).to_le_bytes()).collect();
        prop_assert_eq!(found(wide, &raw, &[], wanted).0, places.len() as u64);
        prop_assert_eq!(summary(wide, &raw, &[]).peaks, summary(DOUBLE, &bytes(&values), &[]).peaks);
    }

    #[test]
    fn extremes_of_integers_are_exact(values in proptest::collection::vec(any::<i64>(), 1..40), near: bool) {
        let values: Vec<i64> = values.into_iter().map(|value| if near { i64::MAX - value.rem_euclid(5) } else { value }).collect();
        let element = ElementType { kind: ElementKind::Integer { signed: true }, size: 8 };
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let (min, max) = summary(element, &raw, &[]).peaks.unwrap();
        let exact = |integer: Option<Number>, value: f64| match integer {
            Some(Number::Signed(integer)) => integer as i64,
            _ => value as i64,
        };
        let place = |wanted: i64| values.iter().position(|value| *value == wanted).unwrap() as u64;
        let (low, high) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
        prop_assert_eq!((exact(min.integer, min.value), min.at), (low, place(low)));
        prop_assert_eq!((exact(max.integer, max.value), max.at), (high, place(high)));
        let equal = found(element, &raw, &[], Wanted::Compared(Relation::Equal, Number::Signed(low.into())));
        prop_assert_eq!(equal.1[0], place(low));
        prop_assert_eq!(equal.0, values.iter().filter(|value| **value == low).count() as u64);
    }
}

#[test]
fn a_range_of_numbers_near_the_smallest_has_equal_parts() {
    for unit in [5e-324, 1e-310, 1e-300, 1e-280] {
        let values: Vec<f64> = (0..=20).map(|number| f64::from(number) * unit).collect();
        let counts = histogram(DOUBLE, &bytes(&values), &[], (0.0, 20.0 * unit));
        assert_eq!(counts, [2, 2, 2, 2, 2, 2, 2, 2, 2, 3], "{unit:e}");
    }
}

/// Random numbers, the same each time.
fn random(count: usize) -> Vec<f64> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn numbers_that_are_spread_evenly_are_read_once() {
    let values = random(64 * TILE + 500_000);
    let mut tally = tally(&values[..64 * TILE]);
    assert!(tally.is_some());
    for (values, is_enough) in [(values.clone(), true), ([&values[..], &[-1e15]].concat(), false)] {
        let summary = counted(DOUBLE, &bytes(&values), &[], tally.clone());
        let (min, max) = summary.peaks.unwrap();
        assert_eq!(summary.tally().is_some(), is_enough, "a number far from the sample moves the edges");
        let mut histogram = Histogram::new(DOUBLE, min.value, max.value);
        if let Some(tally) = summary.tally() {
            assert!(histogram.takes_counted(tally, min.value, max.value));
            assert_eq!(histogram.counts(), self::histogram(DOUBLE, &bytes(&values), &[], (min.value, max.value)));
        }
    }
    // A tally whose range is wider than that of the numbers does not know enough of them, either.
    let few = counted(DOUBLE, &bytes(&values.iter().map(|value| value / 3.0).collect::<Vec<_>>()), &[], tally.take());
    let (min, max) = few.peaks.unwrap();
    assert!(!Histogram::new(DOUBLE, min.value, max.value).takes_counted(few.tally().unwrap(), min.value, max.value));
}

#[test]
fn a_sample_decides_whether_counting_helps() {
    let smooth: Vec<f64> = (0..64 * TILE).map(|at| at as f64).collect();
    assert_eq!(tally(&smooth), None, "its tiles are narrow");
    assert_eq!(tally(&[2.0; TILE]), None);
    assert_eq!(tally(&[f64::NAN, f64::INFINITY]), None);
    assert_eq!(tally(&[1e200, -1e200, 3.0]), None);
    assert_eq!(tally(&[0.0, 3e-310, 1e-300]), None, "the cells per unit overflow");
    assert_eq!(tally(&[1e15, 1e15 + 1.0, 1e15 + 3.0]), None, "cells would be narrower than the distance of doubles");
    assert!(tally(&[f64::NAN, 1.0, 2.0]).is_some());
    assert_eq!(to_sample(1000), None);
    assert_eq!(to_sample(u64::MAX), None);
    let sampled = to_sample(1 << 20).unwrap();
    assert_eq!((sampled.len(), &sampled[1], sampled.last().unwrap().end), (64, &(16384..17408), 63 * 16384 + 1024));
}

#[test]
fn the_extremes_of_later_tiles_replace_those_of_the_first_only_if_they_are_beyond() {
    let mut values: Vec<i64> = vec![i64::MAX - 1; 3 * TILE];
    values[2 * TILE] = i64::MAX;
    values[2 * TILE + 1] = i64::MIN;
    let element = ElementType { kind: ElementKind::Integer { signed: true }, size: 8 };
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let (min, max) = summary(element, &raw, &[]).peaks.unwrap();
    assert_eq!((min.integer, min.at), (Some(Number::Signed(i64::MIN.into())), 2 * TILE as u64 + 1));
    assert_eq!((max.integer, max.at), (Some(Number::Signed(i64::MAX.into())), 2 * TILE as u64));
}

#[test]
fn huge_numbers_do_not_overflow_and_a_large_mean_does_not_hide_the_deviation() {
    let huge = summary(DOUBLE, &bytes(&[f64::MAX, f64::MIN, 0.0, 0.0]), &[]);
    let (mean, deviation) = huge.mean_and_deviation();
    assert!(mean.abs() < 1e290 && (deviation / (f64::MAX / 2_f64.sqrt()) - 1.0).abs() < 1e-12, "{mean} {deviation}");
    assert_eq!(histogram(DOUBLE, &bytes(&[f64::MAX, f64::MIN]), &[], (f64::MIN, f64::MAX)).iter().sum::<u64>(), 2);
    // Tiles of usual numbers are merged with the tiles of huge ones.
    let mut values = vec![1.0; TILE];
    values.extend(vec![1e200; TILE]);
    let (mean, deviation) = summary(DOUBLE, &bytes(&values), &[]).mean_and_deviation();
    assert!((mean / 5e199 - 1.0).abs() < 1e-12 && (deviation / 5e199 - 1.0).abs() < 1e-12, "{mean} {deviation}");
    let far: Vec<f64> = (0..3000).map(|at| 1e9 + f64::from(at % 2)).collect();
    let (mean, deviation) = summary(DOUBLE, &bytes(&far), &[]).mean_and_deviation();
    assert!((mean - 1e9 - 0.5).abs() < 1e-6 && (deviation - 0.5).abs() < 1e-9, "{mean} {deviation}");
}

#[test]
fn denormal_numbers_of_every_width_are_found() {
    let layouts = [(FloatLayout::brain(), 2), (FloatLayout::x87(), 16), (FloatLayout::ieee(2).unwrap(), 2)];
    let mut all: Vec<(ElementKind, FloatLayout, usize)> =
        layouts.into_iter().map(|(layout, size)| (ElementKind::Float(layout), layout, size)).collect();
    all.push((ElementKind::Single, FloatLayout::ieee(4).unwrap(), 4));
    all.push((ElementKind::Double, FloatLayout::ieee(8).unwrap(), 8));
    all.push((ElementKind::Float(FloatLayout::ieee(16).unwrap()), FloatLayout::ieee(16).unwrap(), 16));
    for (kind, layout, size) in all {
        let element = ElementType { kind, size };
        // A denormal number is a small fraction with the exponent 0.
        let numbers =
            [layout.from_f64(0.0), 3, layout.from_f64(1.0), layout.from_f64(-0.0) | 1, layout.from_f64(f64::NAN)];
        let raw: Vec<u8> = numbers.iter().flat_map(|bits| bits.to_le_bytes()[..size].to_vec()).collect();
        let (of, first) = found(element, &raw, &[], Wanted::new(&ScanCondition::Denormal, None).unwrap());
        assert_eq!((of, first), (2, vec![1, 3]), "{layout:?}");
        assert_eq!(found(element, &raw, &[], Wanted::NotANumber), (1, vec![4]), "{layout:?}");
    }
    let integers = ElementType { kind: ElementKind::Integer { signed: false }, size: 2 };
    assert_eq!(found(integers, &[1, 0, 0, 0], &[], Wanted::Denormal).0, 0);
}

#[test]
fn a_number_too_large_for_a_double_is_finite() {
    let x87 = ElementType { kind: ElementKind::Float(FloatLayout::x87()), size: 16 };
    let raw: Vec<u8> = [0x7ffe_ffff_ffff_ffff_ffff_u128, FloatLayout::x87().from_f64(f64::INFINITY)]
        .iter()
        .flat_map(|bits| bits.to_le_bytes())
        .collect();
    let summary = summary(x87, &raw, &[]);
    assert_eq!((summary.infinite, summary.nan), (1, 0));
    assert_eq!(summary.peaks.unwrap().1.value, f64::MAX);
    assert_eq!(found(x87, &raw, &[], Wanted::Infinite), (1, vec![1]));
}

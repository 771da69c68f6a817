//! Members of all elements of an array of structs, for commands that take a whole array.

use super::table::*;
use crate::{Expression, measure_array};
use model::VirtualAddress;
use std::collections::HashMap;

const START: u64 = 0x1_0000;
const COUNT: i32 = 4;

/// `struct particle { int id; struct point { int x, y; } at; int pair[2]; int *out; } particles[4], *p`, `one[1]`, and
/// a `struct line { int n; int data[1]; } *line`.
fn program() -> Table {
    let mut table = Table::default();
    let point = structure(Some("point"), 8, vec![field("x", int(), 0), field("y", int(), 4)]);
    let members = vec![
        field("id", int(), 0),
        field("at", point, 4),
        field("pair", array(int(), &[2]), 12),
        field("", int(), 20),
        field("out", pointer(int()), 24),
    ];
    let particle = structure(Some("particle"), 32, members);
    let bytes: Vec<u8> = (0..COUNT)
        .flat_map(|number| {
            let numbers = [number, 10 + number, 20 + number, 30 + number, 40 + number, -1];
            let out = START + 16 * number as u64;
            numbers.into_iter().flat_map(i32::to_le_bytes).chain(out.to_le_bytes()).collect::<Vec<u8>>()
        })
        .collect();
    table.place("particles", array(particle.clone(), &[COUNT as u64]), START, &bytes);
    table.place("one", array(particle.clone(), &[1]), START + 0x100, &bytes[..32]);
    table.place("p", pointer(particle.clone()), START + 0x200, &START.to_le_bytes());
    table.place("grid", array(particle, &[2, 2]), START + 0x300, &bytes);
    let line = structure(Some("line"), 8, vec![field("n", int(), 0), field("data", array(int(), &[1]), 4)]);
    table.place("line", pointer(line), START + 0x400, &START.to_le_bytes());
    let point = structure(Some("point"), 8, vec![field("x", int(), 0), field("y", int(), 4)]);
    let parts = structure(Some("parts"), 20, vec![field("n", int(), 0), field("parts", array(point, &[2]), 4)]);
    let numbers: Vec<u8> = (0..10_i32).flat_map(|number| number.to_le_bytes()).collect();
    table.place("lines", array(parts, &[2]), START + 0x500, &numbers);
    table
}

fn measured(text: &str) -> Result<(u64, f64, f64, Vec<i64>), String> {
    let table = program();
    let context = table.context();
    let value = Expression::parse(text).unwrap().evaluate_as_array(&context).map_err(|error| error.message)?;
    let numbers = measure_array(&value, &context).map_err(|error| error.message)?;
    let finite = numbers.finite.unwrap();
    Ok((numbers.count, finite.min.value.get(), finite.max.value.get(), finite.max.at.subscripts))
}

#[test]
fn a_member_of_an_array_is_that_of_all_elements() {
    let expected: HashMap<&str, (u64, f64, f64, Vec<i64>)> = [
        ("particles.id", (4, 0.0, 3.0, vec![3])),
        ("particles.at.y", (4, 20.0, 23.0, vec![3])),
        ("particles.pair", (8, 30.0, 43.0, vec![3, 1])),
        ("particles.pair[0]", (4, 30.0, 33.0, vec![3])),
        ("(p[0]@3).at.x", (3, 10.0, 12.0, vec![2])),
        ("(p[1]@2).pair[1]", (2, 41.0, 42.0, vec![1])),
        ("(*p@2).id", (2, 0.0, 1.0, vec![1])),
        ("grid.id", (4, 0.0, 3.0, vec![1, 1])),
        ("grid[1].at.y", (2, 22.0, 23.0, vec![1])),
        ("grid[1][0].pair", (2, 32.0, 42.0, vec![1])),
        ("lines.parts.y", (4, 2.0, 9.0, vec![1, 1])),
        ("lines.parts[1].x", (2, 3.0, 8.0, vec![1])),
        ("one.id", (1, 0.0, 0.0, vec![0])),
        ("one->id", (1, 0.0, 0.0, vec![])),
        ("particles[2].id", (1, 2.0, 2.0, vec![])),
        // What follows in memory, inside one struct or behind its pointer.
        ("particles[1].pair[0]@2", (2, 31.0, 41.0, vec![1])),
        ("p->at.x@2", (2, 10.0, 20.0, vec![1])),
        ("p->out[0]@3", (3, 0.0, 20.0, vec![2])),
        ("line->data[0]@3", (3, 10.0, 30.0, vec![2])),
        ("line->data@2", (2, 10.0, 20.0, vec![1, 0])),
    ]
    .into();
    for (text, numbers) in expected {
        assert_eq!(measured(text), Ok(numbers), "{text}");
    }
}

#[test]
fn the_first_element_is_never_taken_for_all() {
    let refused = [
        ("particles.id + 1", "id is a member of every element here"),
        ("-particles.id", "take one element, as in [0].id"),
        ("particles[particles.id].id", "id is a member of every element here"),
        ("particles.pair[0]@3", "Only one number can be computed with"),
        ("particles->id", "-> leads to the first element only"),
        ("particles.out[0]", "The elements only point to this: take one of them, as in [0]."),
        ("particles.nothing", "There is no member named nothing."),
        ("p[0].id@9", "goes on past the end of the struct particle: for id of 9 of them, write (p[0]@9).id."),
        ("p->id@9", "goes on past the end"),
        ("p->at.y@8", "goes on past the end of the"),
        ("particles[0].pair[1]@6", "goes on past the end"),
        ("particles", "is not a number: name one of its members, as in .id"),
    ];
    for (text, why) in refused {
        let message = measured(text).expect_err(text);
        assert!(message.contains(why), "{text}: {message}");
    }
    // What C's operators take, gdb prints: only what takes an array differs.
    let table = program();
    let plain = Expression::parse("particles.id").unwrap().evaluate(&table.context()).unwrap();
    assert_eq!(plain.address(), Some(VirtualAddress(START)));
}

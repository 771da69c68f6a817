//! Functions that return values in every way that the compiler has.
#![allow(dead_code)]

use std::hint::black_box;

struct Integers {
    x: i32,
    y: i32,
}

struct Mixed {
    x: u8,
    y: f64,
}

struct Floats(f32, f32);

struct Bytes(u8, u8, u8);

struct Only(f64);

enum Alternative {
    Float(f32),
    Words { x: u16, y: u16 },
    Nothing,
}

#[inline(never)]
fn integers(v: i32) -> Integers {
    Integers { x: v, y: v + 1 }
}

#[inline(never)]
fn mixed(v: u8) -> Mixed {
    Mixed { x: v, y: 2.5 }
}

#[inline(never)]
fn floats(v: f32) -> Floats {
    Floats(v, 2.5)
}

#[inline(never)]
fn bytes(v: u8) -> Bytes {
    Bytes(v, v + 1, v + 2)
}

#[inline(never)]
fn only(v: f64) -> Only {
    Only(v)
}

#[inline(never)]
fn array(v: u8) -> [u8; 4] {
    [v; 4]
}

#[inline(never)]
fn alternative(v: i32) -> Alternative {
    if v > 1 { Alternative::Float(1.5) } else { Alternative::Words { x: 3, y: 4 } }
}

#[inline(never)]
fn text(v: &str) -> &str {
    &v[1..]
}

#[inline(never)]
fn boxed(v: i32) -> Option<Box<i32>> {
    if v > 0 { None } else { Some(Box::new(v)) }
}

#[inline(never)]
fn maybe(v: i32) -> Option<i32> {
    Some(v)
}

#[inline(never)]
fn maybe_float(v: f64) -> Option<f64> {
    Some(v)
}

#[inline(never)]
fn checked(v: i32) -> Result<i32, u8> {
    Ok(v)
}

#[inline(never)]
fn wide(v: u128) -> u128 {
    v + (1 << 64)
}

#[inline(never)]
fn tuple(v: i64) -> (i64, bool) {
    (v, true)
}

#[inline(never)]
fn three(v: i64) -> (f32, u16, u8) {
    (v as f32, 1, 2)
}

#[inline(never)]
fn letter(v: u8) -> char {
    char::from(v)
}

#[inline(never)]
fn truth(v: u8) -> bool {
    v > 1
}

#[inline(never)]
fn nested(v: u8) -> Option<Option<bool>> {
    Some(Some(v > 1))
}

#[inline(never)]
fn nothing(v: u8) {
    black_box(v);
}

#[inline(never)]
fn far(v: u64) -> [u64; 3] {
    [v, v + 1, v + 2]
}

#[inline(never)]
fn taking(a: Integers, b: Floats, c: [u64; 3], d: (u8, f64), e: &[i32], f: Bytes, g: Option<u16>, h: [u8; 4]) -> f64 {
    let sums = [
        f64::from(a.x + a.y),
        f64::from(b.0 + b.1),
        c.iter().sum::<u64>() as f64,
        f64::from(d.0) + d.1,
        f64::from(e.iter().sum::<i32>()),
        f64::from(f.0 + f.1 + f.2),
        f64::from(g.unwrap_or(1000)),
        f64::from(h[3]),
    ];
    sums.iter().zip(1..).map(|(sum, weight)| sum * f64::from(weight)).sum()
}

fn arguments() {
    let (a, b, c) = (Integers { x: 1, y: 2 }, Floats(1.5, 2.25), [3, 4, 5]);
    let (d, all, f) = ((7, 0.5), [10, 20, 30], Bytes(1, 2, 3));
    let (e, g, h) = (&all[1..], Some(9), [1, 2, 3, 4]);
    let word = "abc";
    black_box((&a, &b, &c, &d, e, &f, &g, &h, word)); // call from here
    black_box(taking(a, b, c, d, e, f, g, h));
}

fn main() {
    black_box(integers(1).x);
    black_box(mixed(1).y);
    black_box(floats(1.0).1);
    black_box(bytes(1).2);
    black_box(only(1.0).0);
    black_box(array(1)[0]);
    black_box(alternative(1));
    black_box(alternative(2));
    black_box(text("abc"));
    black_box(boxed(1));
    black_box(maybe(1));
    black_box(maybe_float(1.0));
    black_box(checked(7));
    black_box(wide(1));
    black_box(tuple(1));
    black_box(three(1));
    black_box(letter(65));
    black_box(truth(3));
    black_box(nested(2));
    nothing(1);
    black_box(far(5)[2]);
    arguments();
}

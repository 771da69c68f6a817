//! Values of every kind that Rust has, functions to stop in, and what a caller sees of them.
#![allow(dead_code, unused_variables, clippy::all)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hint::black_box;
use std::rc::{Rc, Weak};
use std::sync::Arc;

static GREETING: &str = "hello";
static mut COUNTER: u64 = 40;
const LIMIT: i32 = 12;
static TABLE: [Point; 2] = [Point { x: 1, y: 2 }, Point { x: 3, y: 4 }];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Clone, Copy, Debug)]
struct Pair(u8, f64);

#[derive(Clone, Copy, Debug)]
struct Unit;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Color {
    Red,
    Green = 5,
    Blue,
}

#[derive(Clone, Debug)]
enum Shape {
    Nothing,
    Circle(f32),
    Rectangle { width: u16, height: u16 },
    Named(String, Box<Shape>),
}

enum Single {
    Only(u32),
}

/// A slice that nobody has set.
#[allow(dead_code)]
union Wild {
    bytes: [u8; 16],
    slice: &'static [u32],
}

#[derive(Clone, Copy)]
union Bits {
    whole: u32,
    float: f32,
}

struct Wrapper<T> {
    inner: T,
    tag: &'static str,
}

trait Area {
    fn area(&self) -> f64;
}

impl Area for Point {
    fn area(&self) -> f64 {
        let product = self.x * self.y;
        f64::from(product) // mark: area
    }
}

impl<T: Debug> Wrapper<T> {
    fn describe(&self, times: usize) -> String {
        let text = format!("{:?}", self.inner);
        text.repeat(times) // mark: describe
    }
}

impl Shape {
    fn size(&self) -> u32 {
        match self {
            Shape::Nothing => 0,
            Shape::Circle(radius) => *radius as u32, // mark: circle
            Shape::Rectangle { width, height } => u32::from(*width) * u32::from(*height),
            Shape::Named(name, inner) => name.len() as u32 + inner.size(), // mark: named
        }
    }
}

mod geometry {
    pub mod plane {
        pub fn distance(from: super::super::Point, to: &super::super::Point) -> i32 {
            let dx = to.x - from.x;
            let dy = to.y - from.y;
            dx.abs() + dy.abs() // mark: distance
        }
    }
}

fn numbers(small: i8, byte: u8, large: i128, huge: u128) -> (i64, bool) {
    let short = -300_i16;
    let word = 0xffff_u16;
    let long = i64::MIN;
    let size = usize::MAX;
    let single = 1.5_f32;
    let double = -2.25e10_f64;
    let letter = 'é';
    let newline = '\n';
    let truth = true;
    let nothing = ();
    let pointer = &raw const long;
    let never: Option<std::convert::Infallible> = None;
    (long, truth) // mark: numbers
}

fn compounds() -> Point {
    let point = Point { x: 3, y: -4 };
    let pair = Pair(7, 0.5);
    let unit = Unit;
    let tuple = (1_u8, "two", 3.0_f32);
    let nested = ((1, 2), [Point { x: 5, y: 6 }; 2]);
    let one = (9_i64,);
    let bits = Bits { whole: 0x3f80_0000 };
    let array = [1_u32, 2, 3, 4, 5];
    let zeros = [0_u8; 300];
    let grid = [[1_i16, 2, 3], [4, 5, 6]];
    let slice = &array[1..4];
    let bytes = b"raw";
    let text = "text \"quoted\" ü";
    let empty = "";
    let reference = &point;
    let twice = &reference;
    let raw = std::ptr::addr_of!(point);
    let null: *const Point = std::ptr::null();
    let function: fn(Point, &Point) -> i32 = geometry::plane::distance;
    let wrapper = Wrapper { inner: point, tag: "tagged" };
    let mutable = &mut [1_u8, 2];
    let wild = Wild { bytes: [0xff; 16] };
    point // mark: compounds
}

fn enums() -> Shape {
    let red = Color::Red;
    let green = Color::Green;
    let nothing = Shape::Nothing;
    let circle = Shape::Circle(1.5);
    let rectangle = Shape::Rectangle { width: 3, height: 4 };
    let named = Shape::Named(String::from("box"), Box::new(circle.clone()));
    let single = Single::Only(8);
    let some = Some(3_i32);
    let none: Option<i32> = None;
    let some_ref = Some(&some);
    let none_ref: Option<&i32> = None;
    let boxed: Option<Box<i32>> = Some(Box::new(11));
    let unboxed: Option<Box<i32>> = None;
    let deep: Option<Option<bool>> = Some(None);
    let deeper = Some(Some(true));
    let good: Result<u8, String> = Ok(200);
    let bad: Result<u8, String> = Err("broken".to_owned());
    let color = Some(Color::Blue);
    let wide = Some(u128::MAX - 1);
    let nonzero = std::num::NonZeroU8::new(5);
    let letter = Some('x');
    let ordering = 1.cmp(&2);
    named // mark: enums
}

fn containers() -> usize {
    let string = String::from("owned text");
    let vector = vec![1_i32, 2, 3];
    let points = vec![Point { x: 1, y: 2 }, Point { x: 3, y: 4 }];
    let strings = vec![String::from("a"), String::from("bc")];
    let none: Vec<u64> = Vec::new();
    let mut deque: VecDeque<u16> = (1..5).collect();
    deque.pop_front();
    deque.push_back(9);
    let boxed = Box::new(Point { x: 8, y: 9 });
    let slice: Box<[u8]> = vec![1, 2, 3].into_boxed_slice();
    let borrowed: Box<str> = "boxed".into();
    let counted = Rc::new(Point { x: 10, y: 11 });
    let weak: Weak<Point> = Rc::downgrade(&counted);
    let shared = Arc::new(vec![1_u8, 2]);
    let cell = Cell::new(5_i32);
    let refcell = RefCell::new(String::from("inside"));
    let held = refcell.borrow();
    let tree: BTreeMap<i32, &str> = [(1, "one"), (2, "two")].into_iter().collect();
    let set: BTreeSet<char> = ['a', 'b'].into_iter().collect();
    let hash: HashMap<u8, u16> = [(1, 10)].into_iter().collect();
    let hashes: HashSet<u32> = [77].into_iter().collect();
    let object: Box<dyn Area> = Box::new(Point { x: 2, y: 3 });
    let borrow: &dyn Area = &*counted;
    let path = std::path::PathBuf::from("/tmp/x");
    let os = std::ffi::OsString::from("os");
    let time = std::time::Duration::from_millis(1500);
    string.len() + vector.len() // mark: containers
}

fn closures(base: i32) -> i32 {
    let offset = 10;
    let add = |value: i32| {
        let sum = value + base + offset;
        sum // mark: closure
    };
    let total = add(1) + [1, 2].iter().map(|item| add(*item)).sum::<i32>();
    total // mark: closures
}

fn shadowed(value: u32) -> u32 {
    let value = value + 1;
    let text = "outer";
    {
        let value = "inner";
        let text = value.len();
        black_box(text); // mark: shadowed
    }
    value
}

fn generic<T: Debug + Copy, const N: usize>(items: [T; N], index: usize) -> T {
    let chosen = items[index];
    chosen // mark: generic
}

fn longest<'a>(left: &'a str, right: &'a str) -> &'a str {
    if left.len() > right.len() { left } else { right } // mark: longest
}

fn maybe(value: i32) -> Option<i32> {
    if value > 0 { Some(value) } else { None } // mark: maybe
}

fn main() {
    unsafe { COUNTER += 2 };
    let result = numbers(-5, 97, -170_000_000_000_000_000_000_000_000_000, 1 << 100);
    let point = compounds();
    let shape = enums();
    let sizes = (shape.size(), Shape::Circle(2.5).size());
    let count = containers();
    let closed = closures(100);
    let shade = shadowed(6);
    let picked = generic([1.5_f64, 2.5], 1) + f64::from(generic([7_u8; 3], 0));
    let wrapped = Wrapper { inner: Some(4_u8), tag: "w" }.describe(2);
    let length = longest("short", "longer one");
    let found = maybe(4);
    let lost = maybe(-4);
    let near = geometry::plane::distance(point, &Point { x: 0, y: 0 });
    let area: &dyn Area = &point;
    let squares = area.area();
    println!("{result:?} {sizes:?} {count} {closed} {shade} {picked} {wrapped} {length} {found:?} {lost:?} {near} {squares} {GREETING} {LIMIT} {:?}", TABLE[black_box(1)]); // mark: main
}

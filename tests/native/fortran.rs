//! Expressions of Fortran, with gdb as the judge.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = include_str!("../programs/sections.f90");

fn build() -> (PathBuf, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("sections.f90");
    std::fs::write(&file, SOURCE).unwrap();
    let program = directory.path().join("program");
    let mut compiler = Command::new("gfortran");
    compiler.args(["-g", "-O0", "-J"]).arg(directory.path()).arg(&file).arg("-o").arg(&program);
    assert!(compiler.status().unwrap().success());
    (program, directory)
}

#[test]
fn sections_and_arrays_with_gaps() {
    let (program, _directory) = build();
    let line = line_of(SOURCE, "print *, a, c");
    let mut beside = Beside::at(&program, &format!("sections.f90:{line}"));
    beside.print(&[
        "a(2:3)",
        "a(:)",
        "a(2:)",
        "a(:3)",
        "a(1:4:2)",
        "a(::3)",
        "b(1:2,1)",
        "b(2,:)",
        "b(1:2,2)",
        "b",
        "b(3,2)",
        "c(2:3,-1,1)",
        "c(2,-1:0,2)",
        "c",
        "c(4,1,2)",
        "odd",
        "odd(2)",
        "odd(2:3)",
        "back",
        "xs",
        "xs(2:3)",
        "grid",
        "grid(1,:)",
        "grid(:,2:3)",
        "grid(2,3)",
        "points(2:3)",
        "points(2)%x",
        "points(2)%y * 4",
        "2 * points(2)%x",
        "points(2)%X",
        "words",
        "words(2)",
        "words(2:3)",
        "text",
        "text(1:3)",
        "text(3:)",
        "a(4:2)",
        "a(5)",
        "a(1:9)",
        "a(4:1:-1)",
        "A(2)",
        "a(2)+b(1,1)*2",
        "-a(1)",
        "$",
        "a(2:3)",
        "$(2)",
        "odd",
        "$(4)",
        "$$3",
    ]);
    beside.whatis(&[
        "odd",
        "grid",
        "xs",
        "a(2:3)",
        "b(1:2,1)",
        "words",
        "text(1:3)",
        "points(2)%x",
        "grid(:,1)",
        "yes .and. no",
    ]);
    beside.ptype(&["odd", "grid", "a(2:3)"]);
    beside.judge();
}

#[test]
fn operators_constants_and_intrinsic_functions() {
    let (program, _directory) = build();
    let line = line_of(SOURCE, "print *, a, c");
    let mut beside = Beside::at(&program, &format!("sections.f90:{line}"));
    beside.print(&[
        "yes .and. no",
        "yes .or. no",
        ".not. yes",
        "yes .eqv. no",
        "yes .neqv. no",
        "a(1) .eq. 1",
        "a(1) .ne. 1",
        "a(1) == 1 .and. a(2) > 1",
        "a(2) .lt. 3",
        "a(2) .ge. 3",
        "a(2) .le. 3",
        "a(2) .gt. 3",
        "a(2) /= 3",
        ".true.",
        ".FALSE.",
        "a(2)**3",
        "2**10",
        "2.0**3",
        "2**3**2",
        "7/2",
        "7 .and. 2",
        "1.5d0",
        "1.5d-3",
        "1e3",
        "size(a)",
        "size(b, 2)",
        "lbound(c)",
        "ubound(c,1)",
        "sizeof(a)",
        "kind(r)",
        "abs(-3)",
        "abs(-2.5)",
        "mod(7,3)",
        "mod(-7,3)",
        "modulo(-7,3)",
        "associated(odd)",
        "allocated(grid)",
        "shape(b)",
        "rank(c)",
        "floor(2.5)",
        "ceiling(2.5)",
        "yes == no",
        "'abc'",
        "yes",
        "no",
        "i + j",
        "yes .and. (a(1) == 1 .or. no)",
    ]);
    beside.judge();
}

#[test]
fn arguments_with_descriptors() {
    let (program, _directory) = build();
    let line = line_of(SOURCE, "n = size(whole)");
    let mut beside = Beside::at(&program, &format!("sections.f90:{line}"));
    let questions = [
        "whole",
        "part",
        "part(2)",
        "whole(2,1)",
        "whole(1:2,1)",
        "whole(1,:)",
        "part(2:3)",
        "flag",
        "ubound(whole)",
        "size(part)",
    ];
    beside.print(&questions);
    beside.whatis(&["whole", "part", "whole(2,1)"]);
    beside.go_on();
    beside.print(&questions);
    beside.whatis(&["whole", "part"]);
    beside.judge();
}

/// A program in Fortran with a part in C.
fn build_passed(options: &[&str]) -> (PathBuf, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let program = directory.path().join("program");
    let mut compiler = Command::new("gfortran");
    compiler.args(options).args(["passed.f90", "passed_c.c"].map(|file| sources.join(file))).arg("-o").arg(&program);
    assert!(compiler.status().unwrap().success());
    (program, directory)
}

/// In DWARF 4 the type gives the length by calling for another variable's location, which with optimisation is a list
/// of locations.
#[test]
fn texts_whose_lengths_are_passed() {
    let line = line_of(include_str!("../programs/passed.f90"), "mark: passed");
    for options in [["-gdwarf-4", "-O0"], ["-gdwarf-4", "-O2"], ["-gdwarf-5", "-O0"], ["-gdwarf-5", "-O2"]] {
        let (program, _directory) = build_passed(&options);
        let mut beside = Beside::at(&program, &format!("passed.f90:{line}"));
        for times in 0..2 {
            beside.print(&["name", "opts", "NAME", "name(1:1)"]);
            beside.whatis(&["name", "opts"]);
            let texts = [["'eleven char'", "'six ch'"], ["'x'", "'seven c'"]];
            assert_eq!(["name", "opts"].map(|text| beside.ours(text)), texts[times], "{options:?}");
            if times == 0 {
                beside.go_on();
            }
        }
        beside.judge();
    }
}

#[test]
fn variables_of_c_where_the_program_is_in_fortran() {
    let (program, _directory) = build_passed(&["-g", "-O0"]);
    let line = line_of(include_str!("../programs/passed.f90"), "mark: passed");
    let mut beside = Beside::at(&program, &format!("passed.f90:{line}"));
    beside.print(&["c_counter", "c_record", "c_name", "c_small", "c_counter%parts", "c_record%letter", "c_name(1)"]);
    beside.whatis(&["c_counter", "c_record", "c_name", "c_small"]);
    beside.judge();
}

#[test]
fn pointers_to_what_has_bounds_of_its_own() {
    let (program, _directory) = build_passed(&["-g", "-O0"]);
    let line = line_of(include_str!("../programs/passed.f90"), "mark: pointed");
    let mut beside = Beside::at(&program, &format!("passed.f90:{line}"));
    beside.ptype(&["one", "said"]);
    beside.whatis(&["one", "said"]);
    beside.print(&["one%many", "held%many(1)"]);
    beside.judge();
}

/// For the whole array, gdb 13 shows the first element's allocated components for all elements; for one element, its
/// own.
#[test]
fn elements_with_bounds_of_their_own() {
    let several = crate::support::build::build("gfortran", "several.f90", &["-g", "-O0"]);
    let line = line_of(include_str!("../programs/several.f90"), "mark: filled");
    let mut beside = Beside::at(&several, &format!("several.f90:{line}"));
    beside.print(&[
        "row(1)",
        "row(2)",
        "row(3)",
        "row(3)%near",
        "later(1)",
        "later(2)",
        "later(1)%weights(0)",
        "many(12)",
    ]);
    beside.whatis(&["row", "later", "row(1)"]);
    // Allocatable arrays are marked so even if their bounds are known; those of an array belong to no single element.
    beside.ptype(&["row", "later", "many", "one", "row(2:3)", "row(1)", "row(3)", "later(2)", "row(3)%weights"]);
    for (array, elements) in [("row", &["row(1)", "row(2)", "row(3)"][..]), ("later", &["later(1)", "later(2)"])] {
        let elements: Vec<String> = elements.iter().map(|element| beside.ours(element)).collect();
        assert_eq!(beside.ours(array), format!("({})", elements.join(", ")));
    }
    beside.judge();
}

const ELEMENTS: &str = "program elements
  implicit none
  type point
    integer :: v(3)
    real :: x
    integer, allocatable :: own(:)
  end type
  type(point) :: a(4)
  complex :: z
  integer :: i
  do i = 1, 4
    a(i)%v = [i, 10*i, 100*i]
    a(i)%x = i * 1.5
    allocate(a(i)%own(2))
  end do
  z = (1.0, 2.0)
  print *, a(1)%v, z
end program
";

fn build_elements() -> (PathBuf, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("elements.f90");
    std::fs::write(&file, ELEMENTS).unwrap();
    let program = directory.path().join("program");
    let mut compiler = Command::new("gfortran");
    assert!(compiler.args(["-g", "-O0"]).arg(&file).arg("-o").arg(&program).status().unwrap().success());
    (program, directory)
}

/// gdb refuses sections of components. The expected values are those of the elements one by one, which gdb has.
#[test]
fn an_array_that_is_a_component_of_a_section_takes_subscripts() {
    let (program, _directory) = build_elements();
    let mut beside = Beside::at(&program, &format!("elements.f90:{}", line_of(ELEMENTS, "print *")));
    beside.print(&["a(1)%v(2)", "a(2)%v(2)", "a(4)%v(2)", "a(3)%v"]);
    for (expression, expected) in [
        ("a(1:2)%v(2)", "(10, 20)"),
        ("a%v(2)", "(10, 20, 30, 40)"),
        ("a(4:1:-1)%v(2)", "(40, 30, 20, 10)"),
        ("a(1:2)%v(1:2)", "((1, 10) (2, 20))"),
        ("a(2:3)%v", "((2, 20, 200) (3, 30, 300))"),
        ("a(1:2)%v(4)", "no such vector element"),
    ] {
        assert_eq!(beside.ours(expression), expected, "{expression}");
    }
    // Each element's array is at another address.
    assert!(beside.ours("a(1:2)%own(1)").contains("own is an array in each element"));
    beside.judge();
}

#[test]
fn complex_numbers_are_written_as_fortran_writes_them() {
    let (program, _directory) = build_elements();
    let mut beside = Beside::at(&program, &format!("elements.f90:{}", line_of(ELEMENTS, "print *")));
    beside.print(&[
        "(1.0, 2.0)",
        "(1,-2)",
        "-(1,2)",
        "(1.0,2.0)*(0.0,1.0)",
        "z+(1,2)",
        "z*(0,1)",
        "z/(0,1)",
        "(i,2)",
        "(a(1)%x, 2.5)",
        "((1,2))",
        "(1,2)+1",
        "(1,2)==(1,2)",
        "(1,2)==(1,3)",
        "kind((1,2))",
        "sizeof((1,2))",
        "z = (3,4)",
        "z",
        "(1)",
    ]);
    beside.whatis(&["(1.0,2.0)", "(i,2)"]);
    beside.judge();
}

//! `layout`: ranks as a grid of processes.

use crate::support::batch::{json, relay as fake};
use crate::support::build::build;

#[test]
fn layout_tells_the_coordinates_of_ranks() {
    let outcome = fake("layout 2x2\n[2-3] layout\nlayout none\nlayout\n").expect(0);
    let told = outcome.of("layout");
    assert_eq!((&told[0]["layout"], &told[0]["ranks"]), (&"2x2".into(), &"2-3".into()));
    assert_eq!(told[0]["coordinates"], serde_json::json!([{"rank": 2, "at": [1, 0]}, {"rank": 3, "at": [1, 1]}]));
    assert_eq!(told[1]["layout"], "none");
}

#[test]
fn layout_lists_the_hosts_of_ranks() {
    let outcome = fake("layout hosts\n[2-3] layout\nlayout host\nlayout\n").expect(0);
    let told = outcome.of("layout");
    assert_eq!((&told[0]["layout"], &told[0]["hosts"][0]["ranks"]), (&"hosts".into(), &"2-3".into()));
    assert_ne!(told[0]["hosts"][0]["host"], "", "{}", outcome.text);
    assert_eq!((&told[1]["layout"], &told[1]["hosts"][0]["ranks"]), (&"hosts".into(), &"0-3".into()));
}

#[test]
fn a_grid_of_another_size_is_refused() {
    let outcome = fake("layout 4x3\n").expect(1);
    let error = &outcome.of("error")[0];
    assert_eq!((&error["message"], &error["position"]), (&"4x3 has 12 cells, and the job 4 ranks".into(), &7.into()));
    fake("layout 4x\n").expect(1);
}

#[test]
fn gdbs_layouts_have_no_effect() {
    let outcome = fake("layout 2x2\nlayout src\nlayout asm\nlayout\n").expect(0);
    assert_eq!(outcome.of("layout")[0]["layout"], "2x2");
}

/// A program with a function like `MPI_Cart_create`, and one as Fortran calls it.
fn calling() -> String {
    let bare = build("gcc", "grid_call_bare.c", &["-O0", "-c"]).display().to_string();
    build("gcc", "grid_call.c", &["-g", "-O0", &bare]).display().to_string()
}

#[test]
fn the_grid_is_read_from_the_call_that_makes_it() {
    let lines = "layout cart\nbreak MPI_Cart_create\nbreak mpi_cart_create_\ngo\nwait\nlayout cart\nlayout\n\
                 step 3\nlayout none\nlayout cart\nlayout\ngo\nwait\nlayout cart\nlayout\nfinish\nlayout cart\n\
                 go\nwait\nlayout cart\nlayout\nkill\n";
    let program = calling();
    for engine in ["native", "gdb"] {
        let outcome = json(&["--engine", engine, "-n", "4", "--keep-going"], &[&program], lines).expect(1);
        let layouts: Vec<_> = outcome.of("layout").iter().map(|told| told["layout"].clone()).collect();
        assert_eq!(layouts, ["2x1x2", "2x1x2", "4x1x1", "4x1x1"], "{engine}: {}", outcome.text);
        let errors: Vec<_> =
            outcome.of("error").iter().map(|told| told["message"].as_str().unwrap().to_owned()).collect();
        let [before, after, negative] = errors.as_slice() else { panic!("{engine}: {errors:?}") };
        for error in [before, after] {
            assert!(
                error.starts_with("no stopped rank is in MPI_Cart_create: \"break MPI_Cart_create\""),
                "{engine}: {error}"
            );
        }
        assert_eq!(negative, "MPI_Cart_create was given no grid: a dimension of 0 has no ranks", "{engine}");
    }
}

#[test]
fn arguments_in_registers_are_not_read_once_the_function_may_have_changed_them() {
    let lines =
        "break *mpi_cart_create_\ngo\nwait\nlayout cart\nlayout\nlayout none\nstepi 12\nlayout cart\nlayout\nkill\n";
    let outcome = json(&["-n", "4", "--keep-going"], &[&calling()], lines).expect(1);
    let layouts: Vec<_> = outcome.of("layout").iter().map(|told| told["layout"].clone()).collect();
    assert_eq!(layouts, ["4x1x1", "none"], "{}", outcome.text);
    let error = outcome.of("error")[0]["message"].as_str().unwrap().to_owned();
    assert!(error.starts_with("MPI_Cart_create is beyond its beginning, where its arguments can be read: "), "{error}");
}

#[test]
fn other_ranks_make_other_grids() {
    let lines = "break MPI_Cart_create\ngo\nwait\n[3] set dims[0] = 1\nlayout cart\n[0-2] layout cart\nlayout\nkill\n";
    let outcome = json(&["-n", "4", "--keep-going"], &[&calling()], lines).expect(1);
    let error = &outcome.of("error")[0]["message"];
    let words = "the ranks make different grids: 2x1x2 on 0-2, 1x1x2 on 3; \"[RANKS] layout cart\" takes that of some";
    assert_eq!(error, words, "{}", outcome.text);
    assert_eq!(outcome.of("layout")[0]["layout"], "2x1x2");
}

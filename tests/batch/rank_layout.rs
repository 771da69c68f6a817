//! `layout`: ranks as a grid of processes.

use crate::support::batch::relay as fake;

#[test]
fn layout_tells_the_coordinates_of_ranks() {
    let outcome = fake("layout 2x2\n[2-3] layout\nlayout none\nlayout\n").expect(0);
    let told = outcome.of("layout");
    assert_eq!((&told[0]["layout"], &told[0]["ranks"]), (&"2x2".into(), &"2-3".into()));
    assert_eq!(told[0]["coordinates"], serde_json::json!([{"rank": 2, "at": [1, 0]}, {"rank": 3, "at": [1, 1]}]));
    assert_eq!(told[1]["layout"], "none");
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

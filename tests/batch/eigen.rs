//! Matrices of Eigen: shown by their rows, measured as arrays, and indexed as in the program.

use crate::support::batch::json;
use crate::support::build::build;
use crate::support::marks::source;
use serde_json::{Value, json as object};

const SHOWN: [(&str, &str); 18] = [
    ("m", "Eigen::Matrix of 3 rows, 4 columns = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}"),
    ("fixed", "Eigen::Matrix of 2 rows, 2 columns = {{1, 2}, {3, 4}}"),
    ("v", "Eigen::Matrix of 5 elements = {1, 2, 3, 4, 5}"),
    ("row", "Eigen::Matrix of 3 elements = {7, 8, 9}"),
    ("by_rows", "Eigen::Matrix of 2 rows, 3 columns = {{1, 2, 3}, {4, 5, 6}}"),
    ("bounded", "Eigen::Array of 2 rows, 3 columns = {{2, 2, 2}, {2, 2, inf}}"),
    ("map", "Eigen::Map of 2 rows, 3 columns = {{1, 3, 5}, {2, 4, 6}}"),
    ("padded", "Eigen::Map of 3 rows, 2 columns = {{0, 1}, {4, 5}, {8, 9}}"),
    ("thirds", "Eigen::Map of 4 elements = {0, 3, 6, 9}"),
    ("upside_down", "Eigen::Map of 2 rows, 3 columns = {{11, 7, 3}, {9, 5, 1}}"),
    ("padded(2,1) + thirds[2] + upside_down(1,2)", "16"),
    ("m(2,3)", "23"),
    ("by_rows(1,0) + v(4) + row[2]", "18"),
    ("same(1,2) + map(1,1)", "16"),
    ("m.rows() * 10 + m.cols()", "34"),
    ("bounded.size()", "6"),
    ("&m(0,1) == &m(0,0) + 3", "true"),
    ("twice(21)", "42"),
];

#[test]
fn matrices_of_eigen_are_shown_and_measured_by_rows() {
    let mut commands: String = SHOWN.iter().map(|(expression, _)| format!("print {expression}\n")).collect();
    let measured = ["m", "same", "v", "by_rows", "map", "none", "padded", "thirds", "upside_down"];
    commands += &measured.map(|expression| format!("stats {expression}\n")).concat();
    commands += "scan m > 21\nscan bounded inf\nprint m(2)\n";
    let text = std::fs::read_to_string(source("eigen.cpp")).unwrap();
    let line = |mark: &str| text.lines().position(|line| line.contains(mark)).unwrap() + 1;
    let program = build("g++", "eigen.cpp", &["-g", "-O0"]);
    commands += &format!("break eigen.cpp:{}\ngo\nwait\nprint part\nstats part\n", line("seen here"));
    let script = format!("break eigen.cpp:{}\ngo\nwait\n{commands}", line("measured here"));
    let outcome = json(&["-n", "1", "--keep-going"], &[program.to_str().unwrap()], &script);
    let values = outcome.of("value");
    assert_eq!(values.len(), SHOWN.len() + 1, "{}", outcome.text);
    assert_eq!(values[SHOWN.len()]["value"], "Eigen::Ref of 2 rows, 2 columns = {{11, 12}, {21, 22}}");
    for (value, (expression, shown)) in values.iter().zip(SHOWN) {
        assert_eq!(value["value"], shown, "{expression}");
    }
    let found = outcome.of("stats");
    assert_eq!(found.len(), measured.len() + 1, "{}", outcome.text);
    let of = |stats: &Value| object!([stats["count"], stats["min_at"], stats["max"], stats["max_at"], stats["mean"]]);
    assert_eq!(of(&found[0]), object!([12, [[0, 0]], 23, [[2, 3]], 11.5]));
    assert_eq!(of(&found[1]), of(&found[0]));
    assert_eq!(of(&found[2]), object!([5, [[0]], 5, [[4]], 3]));
    assert_eq!(of(&found[3]), object!([6, [[0, 0]], 6, [[1, 2]], 3.5]));
    assert_eq!(of(&found[4]), object!([6, [[0, 0]], 6, [[1, 2]], 3.5]));
    assert_eq!(found[5]["count"], 0);
    assert_eq!(of(&found[6]), object!([6, [[0, 0]], 9, [[2, 1]], 4.5]));
    assert_eq!(of(&found[7]), object!([4, [[0]], 9, [[3]], 4.5]));
    assert_eq!(of(&found[8]), object!([6, [[1, 2]], 11, [[0, 0]], 6]));
    assert_eq!(of(&found[9]), object!([4, [[0, 0]], 22, [[1, 1]], 16.5]));
    let scans = outcome.of("scan");
    assert_eq!(scans[0]["first"], object!([[2, 2], [2, 3]]), "{}", outcome.text);
    assert_eq!((&scans[1]["found"], &scans[1]["first"]), (&object!(1), &object!([[1, 2]])));
    assert_eq!(outcome.of("error").len(), 1, "a matrix needs a row and a column: {}", outcome.text);
}

//! Structs and strings in files, and files that are replaced.

use crate::saved_data::{at, errors, line, python_with_numpy};
use crate::support::batch::json;
use crate::support::build::build;
use serde_json::{Value, json as object};
use std::path::Path;
use std::process::Command;

/// What numpy makes of a file: the offsets and sizes of the fields, and values by expressions in which `a` is the array.
#[track_caller]
fn numpy_says(place: &Path, name: &str, expressions: &[&str]) -> Vec<String> {
    let script = "import sys, numpy\na = numpy.load(sys.argv[1])\nfor text in sys.argv[2:]: print(eval(text))";
    let python = python_with_numpy();
    let output = Command::new(python).args(["-c", script, name]).args(expressions).current_dir(place).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn numpy_reads_structs_by_the_names_of_their_members() {
    for engine in ["native", "gdb"] {
        let lines = [
            "[0] save shapes DIR/shapes.npy",
            "[0] save shapes[1][0] DIR/one.npy",
            "save particles DIR/all.npy",
            "print sizeof(struct shape)",
        ];
        let (outcome, place) = at("saved.c", &["-n", "2", "--engine", engine], &lines);
        let outcome = outcome.expect(0);
        let said = numpy_says(
            place.path(),
            "shapes.npy",
            &[
                "a.shape, a.dtype.itemsize",
                "[n for n in a.dtype.names]",
                "a['tag'].tolist()",
                "a['sides'].tolist()",
                "a['at']['y'].tolist()",
                "a['corners']['x'].tolist()",
                "a['levels'][1, 1].tolist()",
                "a['either'].dtype, a['either'].copy().view('<i4').tolist()",
                "a['shown'].tolist(), a['mask'][0, 0]",
                "(a['data'][0, 1] - a['data'][0, 0])",
                "a['last'].tolist()",
            ],
        );
        let size = outcome.of("value")[0]["value"].as_str().unwrap().to_owned();
        assert_eq!(
            said,
            [
                format!("((2, 2), {size})").as_str(),
                "['tag', 'sides', 'at', 'corners', 'levels', 'either', 'shown', 'mask', 'data', 'last']",
                "[[97, 98], [99, 100]]",
                "[[0, 10], [20, 30]]",
                "[[0.5, 1.5], [2.5, 3.5]]",
                "[[[1.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [1.0, 3.0]]]",
                "[[3, 1, 0], [2, 3, 0]]",
                "(dtype('V4'), [[7, 7], [7, 7]])",
                "([[False, True], [False, True]], 65535)",
                "8",
                "[[122, 122], [122, 122]]",
            ],
            "{engine}"
        );
        assert_eq!(numpy_says(place.path(), "one.npy", &["a.shape", "a['sides']"]), ["()", "20"], "{engine}");
        let said = numpy_says(place.path(), "all.npy", &["a.shape", "a['position'][1, 2].tolist()", "a.dtype.descr"]);
        let fields = "[('id', '<i4'), ('', '|V4'), ('mass', '<f8'), ('position', '<f4', (3,)), ('', '|V4')]";
        assert_eq!(said, ["(2, 3)", "[2.0, 3.0, 4.0]", fields], "{engine}");
        assert_eq!(outcome.of("saved")[2]["dtype"], fields, "{engine}");
    }
}

#[test]
fn structs_that_numpy_cannot_have_are_refused_with_the_member() {
    let lines = [
        "[0] save several_flags DIR/f.npy",
        "[0] save wide DIR/w.npy",
        "[0] save particles DIR/p.csv",
        "[0] save wide.narrow DIR/n.npy",
    ];
    let (outcome, place) = at("saved.c", &["-n", "1"], &lines);
    let found = errors(&outcome.expect(1));
    let wanted = ["low is a bit-field", "integers of 128 bits (member wide)", "as in .id"];
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (error, wanted) in found.iter().zip(wanted) {
        assert!(error.contains(wanted), "{error} lacks {wanted}");
    }
    assert!(!place.path().join("f.npy").exists() && place.path().join("n.npy").exists());
}

#[test]
fn strings_of_either_library_are_saved_as_their_characters() {
    let program = build("clang++", "libcxx_types.cpp", &["-g", "-O0", "-std=c++17", "-stdlib=libc++"]);
    let place = tempfile::tempdir().unwrap();
    let lines = ["save brief DIR/brief.bin", "save text DIR/text.bin", "save ages DIR/ages.bin"];
    let lines = lines.join("\n").replace("DIR", place.path().to_str().unwrap());
    let script = format!("break libcxx_types.cpp:{}\ngo\nwait\n{lines}\n", line("libcxx_types.cpp"));
    let outcome = json(&["-n", "1", "--keep-going"], &[program.to_str().unwrap()], &script).expect(1);
    let text = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    assert_eq!(text("brief.bin"), "short");
    assert_eq!(text("text.bin"), "a text that is too long for the object itself");
    let found = errors(&outcome);
    assert!(found.len() == 1 && found[0].contains("does not store its elements one after another"), "{found:?}");
}

#[test]
fn a_file_that_is_replaced_is_named_so() {
    let lines = [
        "[0] save grid DIR/u.npy",
        "[0] save count DIR/u.npy",
        "dump value DIR/%r.bin grid",
        "dump value DIR/%r.bin count",
    ];
    let (outcome, place) = at("saved.c", &["-n", "2"], &lines);
    let outcome = outcome.expect(0);
    let replaced: Vec<Value> = outcome.of("saved").iter().map(|saved| saved["replaced"].clone()).collect();
    assert_eq!(replaced, [Value::Null, object!(1), Value::Null, object!(2)], "{}", outcome.text);
    assert_eq!(std::fs::read(place.path().join("0.bin")).unwrap(), 6_i32.to_le_bytes());
}

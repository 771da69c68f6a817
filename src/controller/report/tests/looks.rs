//! The lines of several looks at the stacks of running ranks.

use super::*;
use crate::state::SampledStacks;
use model::{Answer, MyCode};

#[test]
fn the_looks_at_running_ranks_say_how_often_each_call_was_seen() {
    let frame = |level, function: &str, line| Frame {
        level,
        function: Some(function.into()),
        source: Some(SourcePlace { file: "/path/ring.c".into(), line }),
        code: CodePlace { module: Some("/path/ring".into()), offset: 1, address: None },
        inlined: false,
        guessed: false,
        thread: None,
    };
    let (busy, waits) = ([frame(0, "work", 3), frame(1, "main", 9)], [frame(0, "wait", 7), frame(1, "main", 12)]);
    let mut looks = SampledStacks::new(MyCode::default());
    for rank_1 in [&waits, &busy, &waits] {
        let answers = [(set("0"), Answer::Stack(busy.to_vec())), (set("1"), Answer::Stack(rank_1.to_vec()))];
        looks.add(answers.iter().map(|(ranks, answer)| (ranks, answer)));
    }
    let tree = looks.tree(Duration::from_millis(250));
    let json = r#"{"type":"tree","ranks":"0-1","samples":3,"seconds":0.25,"moved":"1","seen":6,"root":{"function":"main","lines":[{"line":9,"ranks":"0-1","seen":4},{"line":12,"ranks":"1","seen":2}],"ranks":"0-1","seen":6,"children":[{"function":"work","file":"/path/ring.c","line":3,"ranks":"0-1","seen":4,"children":[]},{"function":"wait","file":"/path/ring.c","line":7,"ranks":"1","seen":2,"children":[]}]}}"#;
    let lines = [
        "[0-1] looked at 3 times in 0.2 s",
        "[1] moved to other lines or calls",
        "[0] always at the same line",
        "[0-1] 100% main at lines 9 66%, 12 33%",
        "[0-1]  66%   work at ring.c:3",
        "[1]  33%   wait at ring.c:7",
    ];
    check(Content::Tree { tree, all: false }, &[json], &lines);
}

//! The source view of a program that was compiled elsewhere.

use super::*;
use rankscope::controller::state::{Lookup, SourceText};
use rankscope::model::{ErrorCode, Failure, SourceOrigin};
use std::sync::Arc;

/// The screen with another source than the session has.
fn with_source(size: (u16, u16), change: impl FnOnce(&Arc<str>, &SourceText) -> Lookup<SourceText>) -> String {
    let driver = in_kernel(size, 8);
    let mut state = driver.state().clone();
    let file = driver.app.view.source.file.clone().unwrap();
    let known = state.inspection.sources.get(&file).and_then(|lookup| lookup.value()).unwrap();
    let changed = change(&file, known);
    state.inspection.sources.insert(file, changed);
    text(&crate::drawn::screen(&driver.app, &state, &driver.theme))
}

fn moved(file: &Arc<str>, source: &SourceText) -> Lookup<SourceText> {
    let path = Some("/home/me/stencil/src/stencil.c".to_owned());
    let changed_since = Some("/opt/bin/stencil".to_owned());
    let origin = SourceOrigin { path, changed_since };
    Lookup::Known(SourceText::new(file.clone(), source.text.clone()).found(origin))
}

#[test]
fn the_source_view_says_that_a_file_has_changed_and_where_it_was_found() {
    assert_snapshot!("moved_source_160x50", with_source(LARGE, moved));
    let narrow = with_source(CLASSIC, moved);
    assert!(narrow.contains("stencil.c has changed sinc"), "{narrow}");
}

#[test]
fn the_source_view_says_which_rule_would_find_a_missing_file() {
    let words = "/build/stencil/stencil.c: No such file or directory. If the sources are elsewhere: set substitute-path \
        /build/stencil /home/me/stencil, or directory DIR.";
    let missing = |_: &Arc<str>, _: &SourceText| Lookup::Failed(Failure::new(ErrorCode::NO_SOURCE, words));
    assert_snapshot!("missing_source_80x24", with_source(CLASSIC, missing));
}

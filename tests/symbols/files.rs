//! A line of a file is looked up only in the line tables that name the file.

use crate::built::{Built, build};
use rankscope::debuginfo::{Image, IndexCache, SymbolStore, slow_reads, watch_this_thread};
use rankscope::model::LocationSpec;
use std::path::Path;
use std::sync::Arc;

/// A program of three units, two of which have code of a header.
fn built() -> Built {
    let sources = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(sources.path().join(name), text).unwrap();
    write("ours_shared.h", "static int shared(int n)\n{\n    return n * 2;\n}\n");
    write("ours_first.c", "#include \"ours_shared.h\"\nint first(int n)\n{\n    return shared(n);\n}\n");
    write("ours_second.c", "#include \"ours_shared.h\"\nint second(int n)\n{\n    return shared(n) + 1;\n}\n");
    write("ours_main.c", "int first(int); int second(int);\nint main(void)\n{\n    return first(1) + second(2);\n}\n");
    let source = |name: &str| sources.path().join(name).display().to_string();
    let parts = [source("ours_first.c"), source("ours_second.c")];
    build(&source("ours_main.c"), &["-g", "-O0", "-Wl,--build-id", &parts[0], &parts[1]])
}

fn functions_at(image: &Image, file: &str, line: u32) -> Vec<String> {
    let sites = image.resolve(&LocationSpec::FileLine { file: file.into(), line });
    sites
        .iter()
        .map(|site| format!("{}:{}", site.function.as_deref().unwrap(), site.source.as_ref().unwrap().line))
        .collect()
}

/// The line tables read on a watched thread for one program.
fn tables_read(program: &str) -> Vec<String> {
    let line_tables = slow_reads().into_iter().filter_map(|read| read.strip_prefix("lines of ").map(str::to_owned));
    line_tables.filter(|path| path.contains(program)).collect()
}

fn open(program: &Path, cache: &Path) -> Arc<Image> {
    let image = SymbolStore::keeping(IndexCache::within(cache.to_owned())).open(program).unwrap();
    image.prepare();
    image
}

#[test]
fn only_tables_that_name_the_file_are_read_with_and_without_a_kept_index() {
    let (built, cache) = (built(), tempfile::tempdir().unwrap());
    for kept in [0, 1] {
        assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), kept);
        let image = open(&built.path, cache.path());
        let reader = std::thread::spawn(move || {
            watch_this_thread();
            let second = functions_at(&image, "ours_second.c", 4);
            let none = functions_at(&image, "ours_nowhere.c", 4);
            assert_eq!((second, none), (vec!["second:4".to_owned()], Vec::new()));
            assert!(
                tables_read("ours_").iter().all(|path| path.ends_with("ours_second.c")),
                "{:?}",
                tables_read("ours_")
            );
            assert!(!tables_read("ours_").is_empty());
            image
        });
        let image = reader.join().unwrap();
        assert_eq!(functions_at(&image, "ours_shared.h", 3), ["shared:3", "shared:3"]);
        assert_eq!(functions_at(&image, "ours_first.c", 4), ["first:4"]);
    }
}

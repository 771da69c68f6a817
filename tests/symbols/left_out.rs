//! Code discarded by the linker: it is still described, at invalid addresses.

use crate::built::{Built, build_with};
use crate::places::{gdb_sites, open, our_sites};
use rankscope::debuginfo::Image;
use rankscope::model::LocationSpec;

const SOURCE: &str = include_str!("../programs/left_out.c");

fn built(compiler: &str, linker: &str, options: &[&str]) -> Built {
    let linker = format!("-fuse-ld={linker}");
    let all = [&["-O1", "-Wl,--gc-sections", &linker][..], options].concat();
    build_with(compiler, "left_out.c", &all)
}

fn line_of(text: &str) -> usize {
    SOURCE.lines().position(|line| line.contains(text)).unwrap() + 1
}

/// Checks that every location of a breakpoint is at instructions of the file.
fn assert_code(image: &Image, location: &str) {
    for site in image.resolve(&LocationSpec::parse(location).unwrap()) {
        let section = image.file().section_at(site.address);
        assert!(section.is_some_and(|section| section.executable), "{location}: {site:?}");
    }
}

#[test]
fn no_breakpoint_is_where_code_was_left_out() {
    let sink = format!("left_out.c:{}", line_of("sink = x;"));
    let within = format!("left_out.c:{}", line_of("MANY(sink = x;)"));
    let locations = ["helper", "kept", "dropped", "dropped_and_large", "main", &sink, &within];
    let locations = locations.map(str::to_owned);
    for compiler in ["gcc", "clang"] {
        for linker in ["bfd", "gold", "lld"] {
            for options in [
                &["-gdwarf-5", "-ffunction-sections"][..],
                &["-gdwarf-4", "-ffunction-sections"],
                &["-gdwarf-5", "-ffunction-sections", "-no-pie"],
                &["-gdwarf-5", "-ffunction-sections", "-gsplit-dwarf"],
            ] {
                let built = built(compiler, linker, options);
                let image = open(&built.path);
                let expected = gdb_sites(&built.path, &locations);
                for (location, expected) in locations.iter().zip(expected) {
                    assert_code(&image, location);
                    assert_eq!(our_sites(&image, location), expected, "{compiler} {linker} {options:?} {location}");
                }
            }
        }
    }
}

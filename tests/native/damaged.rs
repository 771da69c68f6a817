//! Programs with damaged debug information: reported once, and the rest is usable.

use crate::driver::{Built, Session, build, compile};
use object::{Object as _, ObjectSection as _};
use rankscope::model::{Answer, Event, Operation, Severity};
use std::path::Path;
use std::process::Command;

const MAIN: &str = "int part(int);\nint main(void)\n{\n    int x = part(3);\n    return x;\n}\n";
const PART: &str = "int part(int n)\n{\n    int y = n + 1;\n    return y;\n}\n";

/// A program of two units.
fn two_units() -> Built {
    let part = tempfile::tempdir().unwrap();
    let (source, object) = (part.path().join("part.c"), part.path().join("part.o"));
    std::fs::write(&source, PART).unwrap();
    compile(&source, &object, &["-g", "-O0", "-c"]);
    build(MAIN, &["-g", "-O0", object.to_str().unwrap()])
}

/// Overwrites the middle of a section.
fn damage(program: &Built, section: &str, with: u8) {
    let mut bytes = std::fs::read(&program.path).unwrap();
    let (start, size) = {
        let file = object::File::parse(bytes.as_slice()).unwrap();
        file.section_by_name(section).unwrap().file_range().unwrap()
    };
    let (start, size) = (start as usize, size as usize);
    bytes[start + size / 3..start + size * 2 / 3].fill(with);
    std::fs::write(&program.path, bytes).unwrap();
}

fn warnings(session: &Session) -> Vec<String> {
    let events = session.all(0).iter();
    let warnings = events.filter_map(|event| match event {
        Event::Message(Severity::Warning, text) => Some(text.clone()),
        _ => None,
    });
    warnings.collect()
}

/// Runs to `part`, which the symbol table has whatever happens to the rest, and inspects the rank there.
fn warnings_of(program: &Built) -> Vec<String> {
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    assert_eq!(session.breakpoint(0, 1, "part"), 1);
    session.breakpoint(0, 2, "part.c:3");
    session.breakpoint(0, 3, "program.c:4");
    session.go(0);
    session.stop(0);
    let Answer::Stack(_) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None }) else {
        panic!()
    };
    session.ask(0, Operation::Locals(rankscope::model::Context::default()));
    warnings(&session)
}

#[test]
fn damage_is_said_once_for_a_file() {
    for section in [".debug_info", ".debug_abbrev", ".debug_line"] {
        for with in [0, 0xff] {
            let program = two_units();
            damage(&program, section, with);
            let warnings = warnings_of(&program);
            assert_eq!(warnings.len(), 1, "{section} {with:#x}: {warnings:?}");
            let name = program.path.display().to_string();
            assert!(warnings[0].starts_with(&format!("{name} has damaged debug information")), "{warnings:?}");
        }
    }
}

#[test]
fn nothing_is_said_of_what_is_whole() {
    assert_eq!(warnings_of(&two_units()), Vec::<String>::new());
}

fn objcopy(option: &str, files: &[&Path]) {
    let status = Command::new("objcopy").arg(option).args(files).status();
    assert!(status.unwrap().success(), "{option}");
}

/// A build that rewrites the program in place while it is being debugged.
#[test]
fn a_file_that_is_written_over_ends_nothing() {
    let program = two_units();
    let apart = program.path.with_extension("debug");
    objcopy("--only-keep-debug", &[&program.path, &apart]);
    objcopy("--strip-debug", &[&program.path]);
    objcopy(&format!("--add-gnu-debuglink={}", apart.display()), &[&program.path]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    std::fs::File::create(&apart).unwrap();
    session.ask(0, Operation::Locals(rankscope::model::Context::default()));
    assert_eq!(session.breakpoint(0, 1, "part"), 1);
    session.go(0);
    session.stop(0);
    let Answer::Stack(_) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None }) else {
        panic!()
    };
    session.ask(0, Operation::Locals(rankscope::model::Context::default()));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(4));
    let warnings = warnings(&session);
    assert!(matches!(&*warnings, [one] if one.contains("was overwritten while it is being debugged")), "{warnings:?}");
}

/// Sources, debug links and split units may name pipes, devices or huge files.
#[test]
fn no_pipe_or_device_that_debug_information_names_is_read() {
    let place = tempfile::tempdir().unwrap();
    let (pipe, large) = (place.path().join("pipe.c"), place.path().join("large.c"));
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    std::fs::File::create(&large).unwrap().set_len(1 << 30).unwrap();
    for (source, words) in [
        (Path::new("/dev/zero"), "a device, not a regular file"),
        (&pipe, "a pipe, not a regular file"),
        (&large, "the limit is 16777216"),
    ] {
        let program = build(&format!("#line 1 \"{}\"\n{MAIN}{PART}", source.display()), &["-g", "-O0"]);
        let mut session = Session::launch(&program.path, 1);
        session.stop(0);
        assert_eq!(session.breakpoint(0, 1, "part"), 1);
        session.go(0);
        session.stop(0);
        let file = source.display().to_string();
        let Answer::Failed(failure) = session.ask(0, Operation::Source(file)) else { panic!("{source:?} is read") };
        assert!(failure.message.contains(words), "{}", failure.message);
        // The stack refers to the same file, and is available all the same.
        let Answer::Stack(_) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None }) else {
            panic!()
        };
    }
}

#[test]
fn a_debug_link_is_a_file_beside_the_program() {
    let program = two_units();
    let directory = program.path.parent().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let (apart, beside) = (elsewhere.path().join("apart.debug"), directory.join("apart.debug"));
    // Without a build ID only the link's checksum identifies them.
    objcopy("--remove-section=.note.gnu.build-id", &[&program.path]);
    objcopy("--only-keep-debug", &[&program.path, &apart]);
    objcopy("--strip-debug", &[&program.path]);
    let sites_of_line = |name: &str, link: &str| {
        // The name as stored in the section; objcopy would keep only its last component.
        let mut section = link.as_bytes().to_vec();
        section.resize(section.len() / 4 * 4 + 4, 0);
        section.extend(crc32(&std::fs::read(&apart).unwrap()).to_le_bytes());
        let file = elsewhere.path().join("section");
        std::fs::write(&file, section).unwrap();
        let linked = directory.join(name);
        objcopy(&format!("--add-section=.gnu_debuglink={}", file.display()), &[&program.path, &linked]);
        let mut session = Session::launch(&linked, 1);
        session.stop(0);
        let sites = session.breakpoint(0, 1, "program.c:4");
        session.breakpoint(0, 2, "part");
        session.go(0);
        session.stop(0);
        (sites, warnings(&session).concat())
    };
    let ignored = |(sites, said): (usize, String), why: &str| {
        assert_eq!(sites, 0);
        assert!(said.contains("its debug link") && said.contains(why), "{said}");
    };
    let up = format!("../../../../../../..{}", apart.display());
    ignored(sites_of_line("absolute", apart.to_str().unwrap()), "is ignored: it is not a plain file name");
    ignored(sites_of_line("relative", &up), "is ignored: it is not a plain file name");
    // Most programs of a system have a debug link whose file is not installed.
    assert_eq!(sites_of_line("absent", "apart.debug"), (0, String::new()));
    std::fs::copy(&apart, &beside).unwrap();
    assert_eq!(sites_of_line("plain", "apart.debug"), (1, String::new()));
    // A pipe that nobody ever writes to.
    std::fs::remove_file(&beside).unwrap();
    nix::unistd::mkfifo(&beside, nix::sys::stat::Mode::S_IRWXU).unwrap();
    ignored(sites_of_line("pipe", "apart.debug"), "a pipe, not a regular file");
    std::fs::remove_file(&beside).unwrap();
    std::fs::copy(&program.path, &beside).unwrap();
    ignored(sites_of_line("other", "apart.debug"), "belongs to another build");
}

/// 64 MiB in 64 KiB.
#[test]
fn a_section_that_would_fill_the_memory_is_named_and_not_read() {
    let zeros = "__asm__(\".pushsection .debug_ranges,\\\"\\\",@progbits; .zero 67108864; .popsection\");\n";
    let program = build(&format!("{zeros}{MAIN}{PART}"), &["-g", "-O0"]);
    objcopy("--compress-debug-sections=zlib", &[&program.path]);
    let warnings = warnings_of(&program);
    assert!(
        matches!(&*warnings, [one] if one.contains("ignoring its section .debug_ranges") && one.contains("67108864")),
        "{warnings:?}"
    );
}

fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1));
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), bit))
}

//! Programs compiled for a test, and gdb's output about them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a directory of its own, deleted with it.
pub struct Built {
    directory: tempfile::TempDir,
    pub path: PathBuf,
}

/// Compiles a program of `tests/programs`.
pub fn build(source: &str, options: &[&str]) -> Built {
    build_with("gcc", source, options)
}

/// As [`build`], with another compiler.
pub fn build_with(compiler: &str, source: &str, options: &[&str]) -> Built {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    compile(compiler, source, options, &path);
    Built { directory, path }
}

fn compile(compiler: &str, source: &str, options: &[&str], output: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
    // The source first, so that the linker searches libraries among the options for its symbols.
    let mut command = Command::new(compiler);
    command.arg(&source).args(options).arg("-o").arg(output);
    // A Fortran compiler writes its module files into the current directory.
    let output = command.current_dir(output.parent().unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

impl Built {
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Compiles a program of two sources.
    pub fn with_two_units(program: &str, part: &str, options: &[&str]) -> Self {
        let part = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(part);
        build(program, &[options, &[part.to_str().unwrap()]].concat())
    }

    /// Compiles a library into the directory of the program.
    pub fn with_library(source: &str, program: &str, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let library = directory.path().join("libpart.so");
        compile("gcc", source, &[options, &["-shared", "-fPIC"]].concat(), &library);
        let path = directory.path().join("program");
        let rpath = format!("-Wl,-rpath,{}", directory.path().display());
        compile("gcc", program, &[options, &[library.to_str().unwrap(), &rpath]].concat(), &path);
        Self { directory, path }
    }
}

/// gdb's output for commands.
pub fn gdb(path: &Path, commands: &[String]) -> String {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-ex", "set breakpoint pending off", "-ex", "set width 0", "-ex", "set height 0"]);
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let output = gdb.arg(path).stdin(std::process::Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// gdb's output for each of some commands, after others whose output does not matter.
pub fn gdb_each(path: &Path, before: &[String], commands: &[String]) -> Vec<String> {
    let mut all = before.to_vec();
    for command in commands {
        all.extend(["echo \\n====\\n".to_owned(), command.clone()]);
    }
    let text = gdb(path, &all);
    let parts: Vec<String> = text.split("\n====\n").skip(1).map(|part| part.trim_end().to_owned()).collect();
    assert_eq!(parts.len(), commands.len(), "{text}");
    parts
}

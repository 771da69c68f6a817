//! The built-in demo: a C program, compiled into the user's cache if its source has changed, or found compiled beside
//! rankscope.

use crate::own_directories::own_directories;
use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const SOURCE: &str = include_str!("stencil.c");
const FLAGS: &[&str] = &["-g", "-O0"];
/// Name of the compiled demo beside rankscope, for hosts without a compiler.
const COMPILED: &str = "rankscope-demo";

/// Ranks of the demo if no number is given.
pub const RANKS: u32 = 8;
/// The simulated program of `demo --simulate`.
pub const SIMULATED: &str = "fake:stencil";

/// Errors of preparing the demo program. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The compiler cannot be run.
    #[error(
        "cannot run {compiler:?} to compile the demo ({source}): install a C compiler, set CC to one, put the compiled demo \
         beside rankscope as \"rankscope-demo\" (docs/INSTALL.md), or try simulated ranks: rankscope demo --simulate"
    )]
    NoCompiler {
        /// The compiler that was tried.
        compiler: String,
        /// The system's error.
        source: io::Error,
    },
    /// The compiler failed.
    #[error("{compiler:?} could not compile the demo:\n{words}")]
    Compiler {
        /// The compiler that was tried.
        compiler: String,
        /// The compiler's output.
        words: String,
    },
    /// There is no cache directory.
    #[error(
        "no cache directory to compile the demo into: set HOME, put the compiled demo beside rankscope as \
         \"rankscope-demo\" (docs/INSTALL.md), or try simulated ranks: rankscope demo --simulate"
    )]
    NoHome,
    /// The cache directory cannot be written.
    #[error("cannot write the demo to {}: {source}", path.display())]
    Cache {
        /// The path that could not be written.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Returns the path of the compiled demo and compiles it if necessary; if that fails, the one beside rankscope.
pub fn program() -> Result<PathBuf, DemoError> {
    // Not in a shared directory such as /tmp: a program found there could be anybody's.
    let cache = own_directories().map(|directories| directories.cache_dir().join("demo"));
    let compiler = std::env::var("CC").ok().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "cc".to_owned());
    let compiled = cache.ok_or(DemoError::NoHome).and_then(|cache| compiled(&cache, &compiler));
    compiled.or_else(|error| beside_rankscope().ok_or(error))
}

fn beside_rankscope() -> Option<PathBuf> {
    std::env::current_exe().ok().map(|own| own.with_file_name(COMPILED)).filter(|file| file.is_file())
}

fn compiled(cache: &Path, compiler: &str) -> Result<PathBuf, DemoError> {
    let mut hasher = DefaultHasher::new();
    (SOURCE, FLAGS, compiler).hash(&mut hasher);
    let directory = cache.join(format!("{:016x}", hasher.finish()));
    let program = directory.join("stencil");
    if program.is_file() {
        return Ok(program);
    }
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |source| DemoError::Cache { path, source }
    };
    std::fs::create_dir_all(&directory).map_err(fault(&directory))?;
    let source = directory.join("stencil.c");
    std::fs::write(&source, SOURCE).map_err(fault(&source))?;
    // Another rankscope may be compiling too: the rename makes the program appear at once.
    let unfinished = directory.join(format!("stencil.{}", std::process::id()));
    let output = Command::new(compiler)
        .args(FLAGS)
        .arg("-o")
        .arg(&unfinished)
        .arg(&source)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| DemoError::NoCompiler { compiler: compiler.to_owned(), source })?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(DemoError::Compiler { compiler: compiler.to_owned(), words });
    }
    std::fs::rename(&unfinished, &program).map_err(fault(&program))?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_compiled_once_and_runs() {
        let cache = tempfile::tempdir().unwrap();
        let program = compiled(cache.path(), "cc").unwrap();
        let first = std::fs::metadata(&program).unwrap().modified().unwrap();
        assert_eq!(compiled(cache.path(), "cc").unwrap(), program);
        assert_eq!(std::fs::metadata(&program).unwrap().modified().unwrap(), first);
        let output = Command::new(&program).arg("1").env("RANKSCOPE_RANK", "2").env("RANKSCOPE_SIZE", "8").output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(text.contains("iteration 0: residual ") && text.contains("rank 2 of 8 is done"), "{text}");
    }

    #[test]
    fn without_a_compiler_it_says_what_to_do() {
        let cache = tempfile::tempdir().unwrap();
        let error = compiled(cache.path(), "/does/not/exist/cc").unwrap_err().to_string();
        assert!(error.contains("/does/not/exist/cc") && error.contains("--simulate"), "{error}");
        assert!(matches!(compiled(cache.path(), "false"), Err(DemoError::Compiler { .. })));
    }
}

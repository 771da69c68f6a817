//! Programs of MPI: HPL in C, as it is within hpcc, and MUMPS in Fortran. Each is started as one process, without a
//! launcher. MUMPS needs libraries of linear algebra (in Debian `libscalapack-mpich-dev`, `liblapack-dev`, `libblas-dev`).

use crate::software::{Parts, Way, driver};
use crate::sources::{Sources, files_in};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

pub const C: &[Way] = &[&["mpicc.mpich", "-g", "-O0"], &["mpicc.mpich", "-g", "-O2"]];

pub const FORTRAN: &[Way] = &[&["mpif90.mpich", "-g", "-O0"], &["mpif90.mpich", "-g", "-O2"]];

/// The routines that HPL takes from other libraries.
const BLAS: &[&str] =
    &["dgemm", "dgemv", "dger", "dscal", "dswap", "dcopy", "daxpy", "dtrsm", "dtrsv", "idamax", "xerbla", "lsame"];

pub fn hpl(sources: &Sources) -> Parts {
    let (hpcc, blas) = (sources.debian("hpcc"), sources.debian("lapack").join("BLAS/SRC"));
    let below = |directory: &Path| {
        let mut all: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.sort();
        all.iter().filter(|path| path.is_dir()).flat_map(|path| files_in(path, &["c"], &[])).collect::<Vec<_>>()
    };
    let mut files = ["hpl/src", "hpl/testing"].map(|part| below(&hpcc.join(part))).concat();
    files.extend(BLAS.iter().map(|name| blas.join(format!("{name}.f"))));
    files.push(driver("use_hpl.c"));
    let mut options =
        ["-DAdd_", "-DF77_INTEGER=int", "-DStringSunStyle", "-lgfortran", "-lm"].map(str::to_owned).to_vec();
    options.extend(["include", "hpl/include"].map(|part| format!("-I{}", hpcc.join(part).display())));
    Parts { files, options }
}

pub fn mumps(sources: &Sources) -> Parts {
    let mumps = sources.debian("mumps");
    let modules = sources.directory.join("mumps.modules");
    std::fs::create_dir_all(&modules).unwrap();
    // The makefile would generate this file, by the size of integers.
    std::fs::copy(mumps.join("src/mumps_int_def32_h.in"), modules.join("mumps_int_def.h")).unwrap();
    let mut files = in_order(objects_of_double(&mumps.join("src")));
    files.extend([mumps.join("src/mumps_c.c"), driver("use_mumps.f90")]);
    let mut options =
        ["-DAdd_", "-DMUMPS_ARITH=MUMPS_ARITH_d", "-fallow-argument-mismatch"].map(str::to_owned).to_vec();
    let includes = [mumps.join("include"), modules.clone()].map(|directory| format!("-I{}", directory.display()));
    options.extend(includes.into_iter().chain([format!("-J{}", modules.display())]));
    options.extend(["-lscalapack-mpich", "-llapack", "-lblas", "-lpthread"].map(str::to_owned));
    Parts { files, options }
}

/// The sources that the makefile lists for double precision.
fn objects_of_double(directory: &Path) -> Vec<PathBuf> {
    let makefile = std::fs::read_to_string(directory.join("Makefile")).unwrap();
    let lists = makefile.split_once("OBJS_COMMON_MOD").map_or("", |(_, lists)| lists);
    let lists = lists.split_once("include ").map_or(lists, |(lists, _)| lists);
    let object = |word: &str| {
        let name = word.trim_end_matches('\\').strip_suffix(".o")?.replace("$(ARITH)", "d");
        ["F", "c"].map(|end| directory.join(format!("{name}.{end}"))).into_iter().find(|path| path.exists())
    };
    let mut known = HashSet::new();
    lists.split_whitespace().filter_map(object).filter(|path| known.insert(path.clone())).collect()
}

/// Sorts Fortran sources so that modules precede their users.
fn in_order(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let words_behind = |text: &str, word: &str| -> HashSet<String> {
        let line = |line: &str| {
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            (words.next()? == word).then(|| words.next().map(str::to_owned))?
        };
        text.lines().filter(|line| line.starts_with(' ')).filter_map(line).collect()
    };
    let read = |path: PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).to_lowercase();
        (path, words_behind(&text, "module"), words_behind(&text, "use"))
    };
    let mut left: Vec<_> = files.into_iter().map(read).collect();
    let mut ordered = Vec::new();
    loop {
        let missing: HashSet<String> = left.iter().flat_map(|(_, has, _)| has.iter().cloned()).collect();
        let ready = |(_, has, uses): &(PathBuf, HashSet<String>, HashSet<String>)| {
            uses.iter().all(|module| has.contains(module) || !missing.contains(module))
        };
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(ready);
        if now.is_empty() {
            // The rest depends on itself: let the compiler report that.
            ordered.extend(later.into_iter().map(|(path, _, _)| path));
            return ordered;
        }
        ordered.extend(now.into_iter().map(|(path, _, _)| path));
        left = later;
    }
}

//! Decides which frames are of the user's code: a table of the usual libraries, and the patterns of `my-code`.

use super::called_name::called_name;
use crate::{Frame, glob_matches_bytes};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Base names of libraries that nobody debugs by intent.
const LIBRARIES: &[&str] = &[
    // The C library and the dynamic linker.
    "ld-linux*",
    "ld-musl*",
    "ld-2.*",
    "ld.so*",
    "libc.so*",
    "libc-2.*",
    "libc.musl*",
    "libm.so*",
    "libm-2.*",
    "libmvec*",
    "libpthread*",
    "libdl.so*",
    "libdl-2.*",
    "librt.so*",
    "librt-2.*",
    "libutil.so*",
    "libresolv*",
    "libnss_*",
    "linux-vdso*",
    // Run-time libraries of compilers and languages.
    "libgcc_s*",
    "libstdc++*",
    "libc++*",
    "libsupc++*",
    "libunwind*",
    "libgfortran*",
    "libquadmath*",
    "libflang*",
    "libFortran*",
    "libifcore*",
    "libifport*",
    "libimf*",
    "libirc*",
    "libintlc*",
    "libsvml*",
    "libatomic*",
    "libstd-*",
    "libjvm*",
    "libasan*",
    "libubsan*",
    "libtsan*",
    "liblsan*",
    // The interpreter of Python.
    "libpython*",
    "python",
    "python2*",
    "python3*",
    // Threads.
    "libgomp*",
    "libomp*",
    "libiomp*",
    "libtbb*",
    // MPI: Open MPI, MPICH and its descendants (Intel, Cray, MVAPICH).
    "libmpi.so*",
    "libmpi_*",
    "libmpich*",
    "libmpifort*",
    "libmpicxx*",
    "libmpl.so*",
    "libopa.so*",
    "libopen-pal*",
    "libopen-rte*",
    "libompi*",
    "mca_*.so*",
    "libpmi*",
    "libprrte*",
    "libhcoll*",
    // What MPI libraries communicate through.
    "libfabric*",
    "lib*-fi.so*",
    "libucp*",
    "libucs*",
    "libuct*",
    "libucm*",
    "libucc*",
    "libpsm*",
    "libibverbs*",
    "librdmacm*",
    "libmlx5*",
    "libnccl*",
    "librccl*",
    "libhwloc*",
    "libevent*",
    // Accelerators.
    "libcuda*",
    "libnvidia*",
    "libamdhip*",
    "libhsa-*",
    "libze_*",
];

/// Libraries by their directories: modules of Python that are written in C, and are called as the user's may be.
const DIRECTORIES: &[&str] = &["*/lib-dynload/*", "*/mpi4py/*", "*/numpy/*", "*/scipy/*"];

/// Source files of the system and of the runtimes, which are also compiled into programs: headers and static libraries.
const FILES: &[&str] = &[
    "/usr/include/*",
    "/usr/lib/gcc/*",
    "/usr/lib/llvm*",
    "*/include/c++/*",
    "/rustc/*",
    "*/sysdeps/*",
    "sysdeps/*",
    "*/glibc-*",
    "./csu/*",
    "./nptl/*",
    "./libio/*",
    "./stdlib/*",
    "./signal/*",
    "./elf/*",
    "*/libgfortran/*",
    "*/libgomp/*",
    "*/libstdc++-v3/*",
];

/// The number of frames that an engine searches for the user's code.
pub const USER_FRAME_SEARCH: u32 = 64;

/// The innermost frame of the user's code, of a thread that has stopped outside of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserFrame {
    /// The frame; its level is at least 1, or 0 if it stands for stacks of different depths.
    pub frame: Frame,
    /// The function that it called, or the library if that has no known name; `None` if neither is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Arc<str>>,
}

impl UserFrame {
    /// The same without load addresses.
    pub fn without_address(&self) -> Self {
        Self { frame: self.frame.without_address(), call: self.call.clone() }
    }

    /// Drops what another one at the same place does not share: its level becomes 0 if their stacks differ in depth.
    pub(crate) fn keep_shared(&mut self, other: &Self) {
        self.frame.keep_shared(&other.frame);
        if self.frame.level != other.frame.level {
            self.frame.level = 0;
        }
    }

    /// True if both are at the same place and called the same function, however deep their stacks are.
    pub fn is_at_place_of(&self, other: &Self) -> bool {
        self.call == other.call && self.frame.place() == other.frame.place()
    }
}

/// Decides which frames are the user's code: by a table of the usual libraries, and by the patterns of the setting
/// `my-code`, which come first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MyCode(Vec<String>);

impl MyCode {
    /// Parses patterns with `*` and `?`, separated by blanks or commas; a `-` before one says that it is not the
    /// user's code.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut patterns = Vec::new();
        for word in text.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
            let word = word.strip_prefix('+').unwrap_or(word);
            if word.trim_start_matches('-').is_empty() {
                return Err(format!("{word:?}: expected a pattern, such as libmine* or -/opt/vendor/*"));
            }
            patterns.push(word.to_owned());
        }
        Ok(Self(patterns))
    }

    /// True if there are no patterns, only the table.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a frame is the user's code. One without source never is.
    pub fn has(&self, frame: &Frame) -> bool {
        let Some(source) = &frame.source else { return false };
        self.has_place(frame.code.module.as_deref(), &source.file, frame.function.as_deref())
    }

    /// True if code is the user's, by the path of its module, its source file and its function.
    pub fn has_place(&self, module: Option<&str>, file: &str, function: Option<&str>) -> bool {
        let function = function.map(|name| name.split('(').next().unwrap_or(name));
        let fits = |pattern: &str| {
            let is = |text: &str| matches(pattern, text);
            if pattern.contains('/') {
                return is(file) || module.is_some_and(is);
            }
            is(base(file)) || module.is_some_and(|module| is(base(module))) || function.is_some_and(is)
        };
        for pattern in self.0.iter().rev() {
            match pattern.strip_prefix('-') {
                Some(foreign) if fits(foreign) => return false,
                None if fits(pattern) => return true,
                _ => {}
            }
        }
        let is_library = |path: &str| {
            LIBRARIES.iter().any(|one| matches(one, base(path))) || DIRECTORIES.iter().any(|one| matches(one, path))
        };
        let is_of_library = module.is_some_and(is_library);
        !is_of_library && !FILES.iter().any(|one| matches(one, file))
    }

    /// Returns the innermost frame of the user's code in a stack from frame 0 outwards; `None` if there is none or it
    /// is frame 0.
    pub fn user_frame(&self, stack: &[Frame]) -> Option<UserFrame> {
        let at = stack.iter().position(|frame| self.has(frame)).filter(|_| stack.first().is_some_and(is_innermost))?;
        let callee = stack.get(at.checked_sub(1)?)?;
        let frame = stack.get(at)?.clone();
        let call = match &callee.function {
            Some(name) => Some(called_name(name, frame.function.as_deref()).into()),
            None => callee.code.module.as_deref().map(|module| base(module).into()),
        };
        Some(UserFrame { frame, call })
    }
}

impl fmt::Display for MyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

fn is_innermost(frame: &Frame) -> bool {
    frame.level == 0
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn matches(pattern: &str, text: &str) -> bool {
    glob_matches_bytes(pattern.as_bytes(), text.as_bytes())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{CodePlace, SourcePlace};

    /// Builds a stack from lines `module function [file:line]`, innermost first; `??` is an unknown function.
    fn stack(lines: &[&str]) -> Vec<Frame> {
        let frame = |(level, line): (usize, &&str)| {
            let mut words = line.split_whitespace();
            let (module, function) = (words.next().unwrap(), words.next().unwrap());
            let source = words.next().map(|at| {
                let (file, line) = at.rsplit_once(':').unwrap();
                SourcePlace { file: file.into(), line: line.parse().unwrap() }
            });
            let code = CodePlace { module: Some(module.into()), offset: 64, address: None };
            Frame {
                level: level as u32,
                function: Some(function).filter(|name| *name != "??").map(Into::into),
                source,
                code,
                inlined: false,
                guessed: false,
                thread: None,
            }
        };
        lines.iter().enumerate().map(frame).collect()
    }

    /// `LEVEL FUNCTION:LINE in CALL`; `-` if there is none.
    pub(in crate::my_code) fn user_of(patterns: &str, lines: &[&str]) -> String {
        let Some(user) = MyCode::parse(patterns).unwrap().user_frame(&stack(lines)) else { return "-".to_owned() };
        let (function, line) = (user.frame.function.unwrap(), user.frame.source.unwrap().line);
        format!("{} {function}:{line} in {}", user.frame.level, user.call.as_deref().unwrap_or("??"))
    }

    const OPEN_MPI: [&str; 8] = [
        "/lib/x86_64-linux-gnu/libc.so.6 __GI_sched_yield sysdeps/unix/syscall-template.S:120",
        "/lib/x86_64-linux-gnu/libmpi.so.40 ompi_request_default_wait",
        "/lib/x86_64-linux-gnu/libmpi.so.40 ompi_coll_base_sendrecv_actual",
        "/lib/x86_64-linux-gnu/libmpi.so.40 ompi_coll_base_allreduce_intra_recursivedoubling",
        "/lib/x86_64-linux-gnu/libmpi.so.40 ompi_coll_base_allreduce_intra_ring",
        "/usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_coll_tuned.so ompi_coll_tuned_allreduce_intra_dec_fixed",
        "/lib/x86_64-linux-gnu/libmpi.so.40 PMPI_Allreduce",
        "/home/me/deadlock main /home/me/deadlock.c:118",
    ];

    const MPICH: [&str; 7] = [
        "/usr/lib/x86_64-linux-gnu/ucx/libuct.so.0.0.0 ??",
        "/lib/x86_64-linux-gnu/libucp.so.0 ucp_worker_progress",
        "/lib/x86_64-linux-gnu/libmpich.so.12 ??",
        "/lib/x86_64-linux-gnu/libmpich.so.12 ??",
        "/lib/x86_64-linux-gnu/libmpich.so.12 PMPI_Sendrecv",
        "/home/me/deadlock rebalance /home/me/deadlock.c:101",
        "/home/me/deadlock main /home/me/deadlock.c:116",
    ];

    #[test]
    fn the_caller_of_mpi_is_the_users_frame() {
        assert_eq!(user_of("", &OPEN_MPI), "7 main:118 in MPI_Allreduce");
        assert_eq!(user_of("", &MPICH), "5 rebalance:101 in MPI_Sendrecv");
        // MPI built with debug information, and inlined functions of headers.
        let with_source = [
            "/opt/ompi/lib/libopen-pal.so.40.30.4 opal_progress /build/opal/runtime/opal_progress.c:231",
            "/opt/ompi/lib/libmpi.so.40 PMPI_Wait /build/ompi/mpi/c/wait.c:70",
            "/home/me/app boost::mpi::wait_all<int> /usr/include/boost/mpi/nonblocking.hpp:50",
            "/home/me/app solve /home/me/solve.cpp:9",
        ];
        assert_eq!(user_of("", &with_source), "3 solve:9 in boost::mpi::wait_all<int>");
        let fortran = [
            "/lib/libmpi.so.40 PMPI_Recv",
            "/lib/libmpi_mpifh.so.40 pmpi_recv_",
            "/home/me/app MAIN__ /home/me/main.f90:40",
        ];
        assert_eq!(user_of("", &fortran), "2 MAIN__:40 in mpi_recv");
    }

    #[test]
    fn only_a_wrapper_of_mpi_calls_it_by_its_profiling_name() {
        let mut stack = MPICH;
        stack[5] = "/home/me/libprofile.so MPI_Sendrecv /home/me/profile.c:7";
        assert_eq!(user_of("", &stack), "5 MPI_Sendrecv:7 in PMPI_Sendrecv");
    }

    #[test]
    fn a_call_without_a_name_is_called_by_its_library() {
        let openmp = ["/lib/libgomp.so.1 ??", "/lib/libgomp.so.1 ??", "/home/me/app fields::relax /home/me/app.f90:12"];
        assert_eq!(user_of("", &openmp), "2 fields::relax:12 in libgomp.so.1");
    }

    #[test]
    fn the_interpreter_of_python_is_a_library() {
        let python = "/usr/bin/python3.11";
        let wait = [
            "/usr/lib/python3.11/lib-dynload/_queue.cpython-311-x86_64-linux-gnu.so get /build/Modules/_queuemodule.c:237",
            &format!("{python} PyObject_Vectorcall /build/Objects/call.c:299"),
            "/home/me/model/_core.cpython-311-x86_64-linux-gnu.so solve /home/me/model/core.c:80",
            &format!("{python} Py_RunMain /build/Modules/main.c:680"),
        ];
        assert_eq!(user_of("", &wait), "2 solve:80 in PyObject_Vectorcall");
        assert_eq!(user_of("", &[wait[0], wait[1], wait[3]]), "-", "a program that is all Python");
    }

    #[test]
    fn a_stack_that_ends_in_or_lacks_the_users_code_has_no_user_frame() {
        assert_eq!(user_of("", &OPEN_MPI[7..]), "-");
        assert_eq!(user_of("", &OPEN_MPI[..7]), "-");
        assert_eq!(user_of("", &[]), "-");
        // A thread of a runtime.
        let thread = ["/lib/libgomp.so.1 ??", "/lib/libc.so.6 start_thread ./nptl/pthread_create.c:442"];
        assert_eq!(user_of("", &thread), "-");
        // The outermost frames alone do not say which is the innermost.
        let outer: Vec<Frame> = stack(&OPEN_MPI).split_off(6);
        assert_eq!(MyCode::default().user_frame(&outer), None);
    }

    #[test]
    fn a_program_without_source_is_passed_over() {
        let lines = ["/home/me/app kernel", "/home/me/app main /home/me/main.c:3"];
        assert_eq!(user_of("", &lines), "1 main:3 in kernel");
    }

    #[test]
    fn patterns_come_before_the_table_and_the_last_that_fits_counts() {
        let lines = [
            "/lib/libc.so.6 __poll ./io/poll.c:29",
            "/opt/vendor/libsolver.so vendor::step(int) /src/vendor/step.cpp:8",
            "/home/me/app wrap /home/me/wrap.c:5",
            "/home/me/app main /home/me/main.c:3",
        ];
        for (patterns, user) in [
            ("", "1 vendor::step(int):8 in poll"),
            ("-/opt/vendor/*", "2 wrap:5 in vendor::step(int)"),
            ("-/src/vendor/*", "2 wrap:5 in vendor::step(int)"),
            ("-libsolver*", "2 wrap:5 in vendor::step(int)"),
            ("-vendor::*, -wrap", "3 main:3 in wrap"),
            ("-vendor::*  -wrap.c", "3 main:3 in wrap"),
            ("-vendor::* -/home/* +main.c", "3 main:3 in wrap"),
            ("-vendor::* +main.c -/home/*", "-"),
            ("+libc.so*", "-"),
        ] {
            assert_eq!(user_of(patterns, &lines), user, "{patterns}");
        }
    }

    #[test]
    fn patterns_are_read_and_written() {
        assert_eq!(MyCode::parse(" -/opt/lib*, +libmine* ,x").unwrap().to_string(), "-/opt/lib* libmine* x");
        assert_eq!(MyCode::parse("").unwrap(), MyCode::default());
        assert!(MyCode::parse("a -").unwrap_err().contains("expected a pattern"));
    }

    #[test]
    fn stacks_of_different_depth_are_at_one_place() {
        let one = MyCode::default().user_frame(&stack(&OPEN_MPI)).unwrap();
        let mut deeper = OPEN_MPI.to_vec();
        deeper.insert(1, "/lib/x86_64-linux-gnu/libopen-pal.so.40 opal_progress");
        let mut other = MyCode::default().user_frame(&stack(&deeper)).unwrap();
        assert!(one != other && one.is_at_place_of(&other));
        other.keep_shared(&one);
        assert_eq!((other.frame.level, other.frame.source), (0, one.frame.source));
    }
}

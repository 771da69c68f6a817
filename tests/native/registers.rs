//! Registers with parts, by field and by flag, and `$_siginfo`: the same as in gdb.

use crate::beside_gdb::Beside;
use crate::driver::{build, line_of};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, Context, Operation};

const VECTORS: &str = include_str!("../programs/vectors.c");

#[test]
fn vectors_by_field_and_flags_by_name() {
    let program = build(VECTORS, &[]);
    let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(VECTORS, "/* loaded */")));
    let vectors = ["$xmm3", "$xmm4", "$ymm3", "$ymm5", "$ymm15"];
    beside.print(&vectors);
    beside.print(&[
        "$xmm3.v2_double",
        "$xmm3.v4_float[1]",
        "$xmm4.v16_int8",
        "$xmm3.v8_half",
        "$xmm3.v8_bfloat16[3]",
        "$xmm3.uint128",
        "$ymm3.v4_double",
        "$ymm3.v4_double[2] * 2",
        "$ymm3.v8_float[7]",
        "$ymm3.v2_int128",
        "$ymm3.v32_int8[0]",
        "sizeof($ymm3)",
        "$mxcsr",
        "$mxcsr & 1",
        "$eflags",
        "$st0",
        "$fctrl",
    ]);
    beside.whatis(&["$xmm3", "$ymm3", "$mxcsr", "$eflags", "$ymm3.v4_double[0]", "$xmm3.v16_int8[0]"]);
    beside.ptype(&["$mxcsr", "$eflags"]);
    beside.print(&["$xmm3.v2_double[0] = 7.5", "$ymm3.v4_double[3] = 2", "$ymm6.v4_int64[1] = 9", "$mxcsr = 0x1fa0"]);
    beside.print(&["$xmm3", "$ymm3", "$ymm6", "$ymm5", "$mxcsr"]);
    // The answer for all registers has the same value.
    let names = vectors.map(|name| name[1..].to_owned()).to_vec();
    let Answer::Registers(registers) = beside.session.ask(0, Operation::Registers(Context::default(), names)) else {
        panic!("no registers");
    };
    for (register, name) in registers.iter().zip(vectors) {
        assert_eq!(format(&register.value, &FormatOptions::default()).unwrap(), beside.ours(name));
    }
    assert_eq!(registers.len(), vectors.len());
    // The program sees the values that were set.
    beside.go_on();
    beside.print(&["seen", "$mxcsr"]);
    beside.judge();
}

const FAULT: &str = "#include <signal.h>\n#include <unistd.h>\nstatic void nothing(int number)\n{\n}\n\
                     int main(void)\n{\n    signal(SIGUSR1, nothing);\n    volatile int *at = (int *)16;\n    \
                     kill(getpid(), SIGUSR1); /* begin */\n    *at = 3;\n    return 0;\n}\n";

#[test]
fn what_is_said_of_a_signal() {
    let program = build(FAULT, &[]);
    let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(FAULT, "/* begin */")));
    beside.print(&["$_siginfo.si_signo", "$_thread", "$_gthread", "$_inferior", "$_thread + 1"]);
    beside.ptype(&["$_siginfo._sifields._rt", "$_siginfo._sifields._sigchld", "$_siginfo._sifields._sigsys"]);
    beside.whatis(&["$_siginfo", "$_siginfo.si_code", "$_siginfo._sifields._sigfault.si_addr", "$_thread"]);
    beside.go_on();
    beside.print(&["$_siginfo.si_signo", "$_siginfo.si_code", "$_siginfo._sifields._kill.si_uid"]);
    assert_eq!(
        beside.ours("$_siginfo._sifields._kill.si_pid"),
        beside.session.pids[&rankscope::model::Rank(0)].to_string()
    );
    beside.go_on();
    beside.print(&["$_siginfo", "$_siginfo._sifields._sigfault", "*$_siginfo._sifields._sigfault._addr_bnd._lower"]);
    beside.judge();
}

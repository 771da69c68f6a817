//! Convenience variables that describe a stop, as in gdb: `$_siginfo`, `$_thread`, `$_gthread`, `$_inferior`.

use crate::EvalError;
use crate::context::EvalContext;
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of, pointer_to};
use debuginfo::types::{Aggregate, Kind, Member, Type, TypeRef};
use model::ErrorCode;
use std::sync::{Arc, LazyLock};

pub(crate) fn is_of_the_stop(name: &str) -> bool {
    matches!(name, "_siginfo" | "_thread" | "_gthread" | "_inferior")
}

/// Returns the value of one of these variables.
pub(crate) fn of_the_stop(name: &str, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let error = |message: &str| EvalError::new(ErrorCode::DEBUGGER, message);
    let number = |number: u32| Value::known(Builtin::Int.ty(), number.to_le_bytes().to_vec());
    match name {
        "_siginfo" => {
            let bytes = context.signal_information().ok_or_else(|| error("Unable to read siginfo"))?;
            Ok(Value::known(SIGNAL_INFORMATION.clone(), bytes))
        }
        // A rank is one process, so it has one inferior.
        "_inferior" => Ok(number(1)),
        _ => context.thread_number().map(number).ok_or_else(|| error("No thread selected")),
    }
}

fn named(name: &str, ty: TypeRef, size: u64) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size), kind: Kind::Typedef(ty) }))
}

fn aggregate(tag: Aggregate, name: Option<&str>, size: u64, members: &[(&str, u64, TypeRef)]) -> TypeRef {
    let member = |(name, offset, ty): &(&str, u64, TypeRef)| Member {
        name: Some((*name).into()),
        ty: ty.clone(),
        offset: *offset,
        bits: None,
        base: false,
        is_static: false,
        virtual_at: None,
    };
    let kind = Kind::Aggregate { tag, members: members.iter().map(member).collect(), declaration: false };
    TypeRef::Made(Arc::new(Type { name: name.map(Arc::from), size: Some(size), kind }))
}

/// `siginfo_t` of 64-bit processes (`<asm-generic/siginfo.h>`), with the members that gdb shows.
static SIGNAL_INFORMATION: LazyLock<TypeRef> = LazyLock::new(|| {
    let (int, word, long) = (Builtin::Int.ty(), Builtin::UnsignedInt.ty(), Builtin::Long.ty());
    let pointer = || pointer_to(TypeRef::Void);
    let part = |size, members: &[(&str, u64, TypeRef)]| aggregate(Aggregate::Struct, None, size, members);
    let value =
        aggregate(Aggregate::Union, Some("sigval_t"), 8, &[("sival_int", 0, int.clone()), ("sival_ptr", 0, pointer())]);
    let (pid, uid) = (named("__pid_t", int.clone(), 4), named("__uid_t", word.clone(), 4));
    let clock = named("__clock_t", long.clone(), 8);
    let sender = [("si_pid", 0, pid), ("si_uid", 4, uid)];
    let sent = [&sender[..], &[("si_sigval", 8, value.clone())]].concat();
    let child =
        [&sender[..], &[("si_status", 8, int.clone()), ("si_utime", 16, clock.clone()), ("si_stime", 24, clock)]]
            .concat();
    let bounds = part(16, &[("_lower", 0, pointer()), ("_upper", 8, pointer())]);
    let fields = aggregate(
        Aggregate::Union,
        None,
        112,
        &[
            ("_pad", 0, array_of(int.clone(), Some(4), Some(28))),
            ("_kill", 0, part(8, &sender)),
            (
                "_timer",
                0,
                part(16, &[("si_tid", 0, int.clone()), ("si_overrun", 4, int.clone()), ("si_sigval", 8, value)]),
            ),
            ("_rt", 0, part(16, &sent)),
            ("_sigchld", 0, part(32, &child)),
            (
                "_sigfault",
                0,
                part(
                    32,
                    &[("si_addr", 0, pointer()), ("_addr_lsb", 8, Builtin::Short.ty()), ("_addr_bnd", 16, bounds)],
                ),
            ),
            ("_sigpoll", 0, part(16, &[("si_band", 0, long), ("si_fd", 8, int.clone())])),
            (
                "_sigsys",
                0,
                part(16, &[("_call_addr", 0, pointer()), ("_syscall", 8, int.clone()), ("_arch", 12, word)]),
            ),
        ],
    );
    aggregate(
        Aggregate::Struct,
        Some("siginfo"),
        128,
        &[("si_signo", 0, int.clone()), ("si_errno", 4, int.clone()), ("si_code", 8, int), ("_sifields", 16, fields)],
    )
});

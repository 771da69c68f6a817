//! The functions of the run-time libraries of OpenMP in which threads wait for others: those that compilers call for
//! directives, and those of locks that programs call.

use model::TeamCall;

/// The place of the lock among the arguments of a call.
const FIRST: Option<usize> = Some(0);
const THIRD: Option<usize> = Some(2);

/// The functions by name, with what they wait for, and the place of the lock among their arguments.
const CALLS: &[(&str, TeamCall, Option<usize>)] = &[
    ("omp_set_lock", TeamCall::SetLock, FIRST),
    ("omp_set_nest_lock", TeamCall::SetNestLock, FIRST),
    ("GOMP_critical_start", TeamCall::Critical, None),
    ("GOMP_critical_name_start", TeamCall::Critical, FIRST),
    ("GOMP_barrier", TeamCall::Barrier, None),
    ("GOMP_barrier_cancel", TeamCall::Barrier, None),
    ("GOMP_loop_end", TeamCall::Barrier, None),
    ("GOMP_loop_end_cancel", TeamCall::Barrier, None),
    ("GOMP_sections_end", TeamCall::Barrier, None),
    ("GOMP_sections_end_cancel", TeamCall::Barrier, None),
    ("GOMP_single_copy_start", TeamCall::Barrier, None),
    ("GOMP_single_copy_end", TeamCall::Barrier, None),
    ("GOMP_parallel", TeamCall::Barrier, None),
    ("GOMP_parallel_end", TeamCall::Barrier, None),
    ("GOMP_parallel_reductions", TeamCall::Barrier, None),
    ("GOMP_parallel_sections", TeamCall::Barrier, None),
    ("GOMP_taskwait", TeamCall::TaskWait, None),
    ("GOMP_taskwait_depend", TeamCall::TaskWait, None),
    ("GOMP_taskgroup_end", TeamCall::TaskGroup, None),
    ("GOMP_ordered_start", TeamCall::Ordered, None),
    ("GOMP_doacross_wait", TeamCall::Ordered, None),
    ("__kmpc_set_lock", TeamCall::SetLock, THIRD),
    ("__kmpc_set_nest_lock", TeamCall::SetNestLock, THIRD),
    ("__kmpc_critical", TeamCall::Critical, THIRD),
    ("__kmpc_critical_with_hint", TeamCall::Critical, THIRD),
    ("__kmpc_barrier", TeamCall::Barrier, None),
    ("__kmpc_cancel_barrier", TeamCall::Barrier, None),
    ("__kmpc_copyprivate", TeamCall::Barrier, None),
    ("__kmpc_fork_call", TeamCall::Barrier, None),
    ("__kmpc_omp_taskwait", TeamCall::TaskWait, None),
    ("__kmpc_omp_wait_deps", TeamCall::TaskWait, None),
    ("__kmpc_end_taskgroup", TeamCall::TaskGroup, None),
    ("__kmpc_ordered", TeamCall::Ordered, None),
    ("__kmpc_doacross_wait", TeamCall::Ordered, None),
];

/// Parallel regions with a loop, whose names have the schedule: `GOMP_parallel_loop_dynamic`.
const LOOPS: &str = "GOMP_parallel_loop_";

/// Returns what a function of these libraries waits for, and the place of the lock among its arguments.
pub(super) fn team_call(name: &str) -> Option<(TeamCall, Option<usize>)> {
    // Compilers of Fortran append an underscore.
    let plain = if name.starts_with("omp_") { name.trim_end_matches('_') } else { name };
    if plain.starts_with(LOOPS) {
        return Some((TeamCall::Barrier, None));
    }
    let found = CALLS.iter().find(|(known, ..)| *known == plain)?;
    Some((found.1, found.2))
}

/// Returns the name of a lock or critical region by the symbol of its address; compilers add to that of a region. One
/// without a name of its own has none.
pub(super) fn lock_name(symbol: &str, offset: u64) -> Option<String> {
    let region = symbol.trim_start_matches(['.', '_']).strip_prefix("gomp_critical_user_");
    if let Some(region) = region {
        // What a compiler appends is shown in brackets.
        let region = region.split(['.', '[']).next().unwrap_or_default();
        return (!region.is_empty()).then(|| region.to_owned());
    }
    Some(if offset == 0 { symbol.to_owned() } else { format!("{symbol}+{offset}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_both_libraries_are_known() {
        assert_eq!(team_call("omp_set_lock_"), Some((TeamCall::SetLock, Some(0))));
        assert_eq!(team_call("__kmpc_critical_with_hint"), Some((TeamCall::Critical, Some(2))));
        assert_eq!(team_call("GOMP_parallel_loop_nonmonotonic_dynamic"), Some((TeamCall::Barrier, None)));
        assert_eq!(team_call("omp_get_wtime"), None);
    }

    #[test]
    fn regions_have_the_names_of_the_program() {
        for (symbol, name) in [
            (".gomp_critical_user_UPDATE", Some("UPDATE")),
            (".gomp_critical_user_UPDATE.var", Some("UPDATE")),
            (".gomp_critical_user_UPDATE.AS0.var", Some("UPDATE")),
            (".gomp_critical_user_UPDATE[var]", Some("UPDATE")),
            (".gomp_critical_user_.var", None),
            ("locks", Some("locks")),
        ] {
            assert_eq!(lock_name(symbol, 0).as_deref(), name, "{symbol}");
        }
        assert_eq!(lock_name("locks", 8).as_deref(), Some("locks+8"));
    }
}

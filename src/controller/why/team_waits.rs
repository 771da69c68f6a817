//! Words for waits in the run-time libraries of OpenMP.

use super::situation::Place;
use model::{Awaited, ProcessSet, Rank, TeamCall, TeamThread, TeamWait};

/// Returns the place of a thread that waits in OpenMP: compilers call functions for directives that a program does not
/// name, and the library may show none.
pub(crate) fn team_place(place: &Place, call: TeamCall) -> Place {
    let call = match call {
        TeamCall::SetLock => "omp_set_lock",
        TeamCall::SetNestLock => "omp_set_nest_lock",
        TeamCall::Critical => "omp critical",
        TeamCall::Barrier => "an OpenMP barrier",
        TeamCall::TaskWait => "omp taskwait",
        TeamCall::TaskGroup => "omp taskgroup",
        TeamCall::Ordered => "omp ordered",
    };
    Place { call: Some(call.into()), ..place.clone() }
}

/// Says for what a thread waits in OpenMP, and for whom as far as it is known; `place` is where the first of those
/// threads is.
pub(crate) fn team_words(wait: &TeamWait, place: Option<&str>) -> Option<String> {
    let library = &wait.library;
    let owner = |relation: &str, thread: &TeamThread| {
        let thread = std::slice::from_ref(thread);
        format!("{relation} its {}{}", names(thread), whereabouts(thread, place))
    };
    let unrecorded = format!("({library} does not record owners)");
    let whom = match &wait.awaited {
        Awaited::Owner(thread) => Some(owner("held by", thread)),
        Awaited::Itself => Some("held by itself".to_owned()),
        Awaited::PerhapsOwner(thread) => Some(format!("{} {unrecorded}", owner("perhaps held by", thread))),
        Awaited::OwnWaiters(1) => Some(format!("perhaps held by itself {unrecorded}")),
        Awaited::OwnWaiters(count) => {
            Some(format!("perhaps held by one of the {count} threads that wait for it {unrecorded}"))
        }
        Awaited::UnrecordedOwner => Some(format!("whose owner {library} does not record")),
        Awaited::Arrivals { size, missing, .. } if missing.is_empty() => {
            Some(format!("where all {size} threads have arrived"))
        }
        Awaited::Arrivals { size, arrived, missing } => {
            let wait = if *arrived == 1 { "waits" } else { "wait" };
            let whom = format!("its {}{}", names(missing), whereabouts(missing, place));
            Some(format!("where {arrived} of {size} threads {wait} for {whom}"))
        }
        Awaited::Active { size, threads } if threads.is_empty() => {
            Some(format!("while all {size} threads of its team wait in OpenMP"))
        }
        Awaited::Active { size, threads } => {
            let do_not = if threads.len() == 1 { "does not" } else { "do not" };
            let whom = format!("{}{}", names(threads), whereabouts(threads, place));
            Some(format!("while {} of the {size} threads of its team {do_not} wait in OpenMP: {whom}", threads.len()))
        }
        Awaited::Unknown => None,
    };
    let parts: Vec<String> = [lock(wait.call, wait.name.as_deref()), whom].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// `for the region UPDATE`
fn lock(call: TeamCall, name: Option<&str>) -> Option<String> {
    name.map(|name| match call {
        TeamCall::Critical => format!("for the region {name}"),
        _ => format!("for {name}"),
    })
}

/// `threads 2-4 (OpenMP 1-3)`
fn names(threads: &[TeamThread]) -> String {
    let set = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(Rank).collect::<ProcessSet>().to_string();
    let ids = set(&mut threads.iter().map(|thread| thread.id.0));
    let numbers = set(&mut threads.iter().filter_map(|thread| thread.number));
    let word = if threads.len() == 1 { "thread" } else { "threads" };
    let numbers = if numbers.is_empty() { numbers } else { format!(" (OpenMP {numbers})") };
    format!("{word} {ids}{numbers}")
}

/// `, which is in omp_set_lock (grid.c:40), for lock_b`
fn whereabouts(threads: &[TeamThread], place: Option<&str>) -> String {
    let (Some(place), Some(first)) = (place, threads.first()) else { return String::new() };
    let which = if threads.len() == 1 { "which" } else { "the first of which" };
    let waits = first.waits.as_ref().and_then(|(call, name)| lock(*call, name.as_deref()));
    let waits = waits.map_or_else(String::new, |lock| format!(", {lock}"));
    format!(", {which} is {place}{waits}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ThreadId;

    fn thread(id: u32, waits: Option<(TeamCall, Option<String>)>) -> TeamThread {
        TeamThread { id: ThreadId(id), number: Some(id - 1), waits }
    }

    fn said(call: TeamCall, name: Option<&str>, awaited: Awaited) -> String {
        let wait = TeamWait { call, name: name.map(str::to_owned), library: "libgomp".to_owned(), awaited };
        team_words(&wait, Some("in MPI_Recv (halo.c:12)")).unwrap_or_default()
    }

    #[test]
    fn owners_are_said_as_far_as_the_library_records_them() {
        let other = thread(2, Some((TeamCall::SetLock, Some("one".to_owned()))));
        assert_eq!(
            said(TeamCall::SetNestLock, Some("two"), Awaited::Owner(other.clone())),
            "for two, held by its thread 2 (OpenMP 1), which is in MPI_Recv (halo.c:12), for one"
        );
        assert_eq!(
            said(TeamCall::Critical, Some("sum"), Awaited::PerhapsOwner(thread(2, None))),
            "for the region sum, perhaps held by its thread 2 (OpenMP 1), which is in MPI_Recv (halo.c:12) (libgomp does \
             not record owners)"
        );
        assert_eq!(said(TeamCall::SetLock, None, Awaited::UnrecordedOwner), "whose owner libgomp does not record");
        assert_eq!(said(TeamCall::SetLock, Some("one"), Awaited::Unknown), "for one");
        assert_eq!(
            said(TeamCall::Critical, None, Awaited::OwnWaiters(3)),
            "perhaps held by one of the 3 threads that wait for it (libgomp does not record owners)"
        );
        assert_eq!(said(TeamCall::SetLock, Some("one"), Awaited::Itself), "for one, held by itself");
    }

    #[test]
    fn those_who_have_not_arrived_are_counted_and_named() {
        let arrivals = |arrived, missing| Awaited::Arrivals { size: 4, arrived, missing };
        let barrier = |arrived, missing| said(TeamCall::Barrier, None, arrivals(arrived, missing));
        assert_eq!(
            barrier(3, vec![thread(3, None)]),
            "where 3 of 4 threads wait for its thread 3 (OpenMP 2), which is in MPI_Recv (halo.c:12)"
        );
        assert_eq!(
            barrier(1, (2..5).map(|id| thread(id, None)).collect()),
            "where 1 of 4 threads waits for its threads 2-4 (OpenMP 1-3), the first of which is in MPI_Recv (halo.c:12)"
        );
        assert_eq!(barrier(4, Vec::new()), "where all 4 threads have arrived");
        let active = |threads| said(TeamCall::TaskWait, None, Awaited::Active { size: 4, threads });
        assert_eq!(
            active(vec![thread(2, None)]),
            "while 1 of the 4 threads of its team does not wait in OpenMP: thread 2 (OpenMP 1), which is in MPI_Recv \
             (halo.c:12)"
        );
        assert_eq!(active(Vec::new()), "while all 4 threads of its team wait in OpenMP");
    }
}

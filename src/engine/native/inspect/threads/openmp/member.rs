//! A thread as OpenMP's run-time library sees it: its team, and the call that it waits in.

use super::calls::{lock_name, team_call};
use super::numbers::{Team, is_runtime, number, owner_mark, runtime_of, team};
use super::passed::{called, passed};
use crate::native::inspect::StoppedThread;
use debuginfo::StackFrame;
use model::{Frame, MyCode, TeamCall, TeamThread, ThreadId, USER_FRAME_SEARCH, VirtualAddress};
use nix::libc;

/// The lock of critical regions without a name, of which libgomp has one that no symbol names.
const UNNAMED_REGION: u64 = 0;

/// A thread of a rank.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(super) id: ThreadId,
    pub(super) at: At,
    /// Its number in its team.
    pub(super) number: Option<u32>,
    pub(super) team: Option<Team>,
    /// The mark by which locks record that it owns them.
    pub(super) mark: Option<u64>,
    /// The word for which it sleeps in the kernel.
    pub(super) sleeps_for: Option<u64>,
}

/// What a thread executes.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// Nobody knows.
    Unseen,
    /// No code of the user.
    Idle,
    /// Code of the user, which waits in OpenMP if it has called that.
    Users(Option<Waiting>),
}

/// A call that waits.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) call: TeamCall,
    /// The file name of the library.
    pub(super) library: String,
    /// The lock and what it contains, if its address is known.
    pub(super) lock: Option<Lock>,
}

/// A lock of OpenMP.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    pub(super) address: u64,
    /// The name of its variable or critical region.
    pub(super) name: Option<String>,
    /// The first two words there.
    pub(super) words: Option<[u64; 2]>,
}

impl Member {
    /// A thread that runs, or for which there is no time.
    pub(crate) fn unseen(id: ThreadId) -> Self {
        Self { id, at: At::Unseen, number: None, team: None, mark: None, sleeps_for: None }
    }

    /// Reads the stack of a thread. `sleeping` is the system call in which it sleeps, with its arguments.
    pub(crate) fn read(
        thread: &StoppedThread<'_>,
        id: ThreadId,
        my_code: &MyCode,
        sleeping: Option<(i64, [u64; 6])>,
    ) -> Self {
        let stack = thread.stack(0, Some(USER_FRAME_SEARCH - 1)).frames;
        let sleeps_for = sleeping.filter(|(call, _)| *call == libc::SYS_futex).map(|(_, [word, ..])| word);
        let sleeps_for = sleeps_for.filter(|_| stack.first().is_some_and(|frame| is_of_runtime(&frame.frame)));
        let library = runtime_of(thread, stack.iter().map(|frame| &frame.frame));
        let of_user = stack.iter().position(|frame| my_code.has(&frame.frame));
        // Code of the user without debug information.
        let of_user = of_user.or_else(|| stack.iter().position(|frame| is_users_without_source(&frame.frame, my_code)));
        let at = match of_user {
            // The stack could not be read to its end, or is too deep.
            None if library.is_none() && stack.len() >= USER_FRAME_SEARCH as usize => At::Unseen,
            None => At::Idle,
            Some(at) => At::Users(waiting(thread, &stack, at, sleeps_for)),
        };
        let number = library.and_then(|library| number(thread, library));
        let team = library.and_then(|library| team(thread, library));
        let mark = library.and_then(|library| owner_mark(thread, library));
        Self { id, at, number, team, mark, sleeps_for }
    }

    /// True if the thread waits in OpenMP.
    pub(crate) fn waits(&self) -> bool {
        self.waiting().is_some()
    }

    pub(super) fn waiting(&self) -> Option<&Waiting> {
        match &self.at {
            At::Users(waiting) => waiting.as_ref(),
            At::Unseen | At::Idle => None,
        }
    }

    /// The thread by its number, and where it waits.
    pub(super) fn thread(&self) -> TeamThread {
        let waits = self.waiting().map(|waiting| (waiting.call, waiting.name()));
        TeamThread { id: self.id, number: self.number, waits }
    }
}

impl Waiting {
    /// The name of the lock.
    pub(super) fn name(&self) -> Option<String> {
        self.lock.as_ref()?.name.clone()
    }

    /// True if the library is GCC's.
    pub(super) fn is_of_gcc(&self) -> bool {
        self.library.starts_with("libgomp")
    }

    /// True if both wait for one lock; `None` if it is not known.
    pub(super) fn has_lock_of(&self, other: &Self) -> Option<bool> {
        let is_lock = |call| matches!(call, TeamCall::SetLock | TeamCall::SetNestLock | TeamCall::Critical);
        if !is_lock(self.call) || !is_lock(other.call) {
            return Some(false);
        }
        let (own, theirs) = (self.lock.as_ref()?, other.lock.as_ref()?);
        Some(own.address == theirs.address)
    }
}

impl Lock {
    fn is_unnamed_region(&self) -> bool {
        self.address == UNNAMED_REGION
    }
}

/// Returns the call in which the frame of the user at a place on the stack waits in OpenMP.
fn waiting(thread: &StoppedThread<'_>, stack: &[StackFrame], at: usize, sleeps_for: Option<u64>) -> Option<Waiting> {
    let (user, callee) = (stack.get(at)?, stack.get(at.checked_sub(1)?)?);
    let module =
        callee.frame.code.module.as_deref().filter(|module| is_of_runtime(&callee.frame) && !module.is_empty())?;
    let library = module.rsplit('/').next().unwrap_or(module).to_owned();
    let by_call = called(thread, user).and_then(|name| Some((team_call(&name)?, name)));
    let by_name = || callee.frame.function.clone().and_then(|name| Some((team_call(&name)?, name)));
    let ((call, place), name) = by_call.or_else(by_name)?;
    let waiting = Waiting { call, library, lock: None };
    let is_lock = matches!(call, TeamCall::SetLock | TeamCall::SetNestLock | TeamCall::Critical);
    if !is_lock {
        return Some(waiting);
    }
    if &*name == "GOMP_critical_start" {
        let lock = Lock { address: UNNAMED_REGION, name: None, words: None };
        return Some(Waiting { lock: Some(lock), ..waiting });
    }
    let described = || *thread.in_frame(Some(user)).view().passed(0).get(place?)?;
    let argument = || place.and_then(|place| passed(thread, user).get(place).copied().flatten()).or_else(described);
    // libgomp sleeps for the lock itself.
    let address = sleeps_for.filter(|_| waiting.is_of_gcc()).or_else(argument);
    Some(Waiting { lock: address.and_then(|address| lock_at(thread, address)), ..waiting })
}

fn lock_at(thread: &StoppedThread<'_>, address: u64) -> Option<Lock> {
    let word = |address: u64| thread.access.word(VirtualAddress(address)).ok();
    let words = word(address).zip(address.checked_add(8).and_then(word)).map(|(first, second)| [first, second]);
    let symbol = thread.images.locate(VirtualAddress(address)).and_then(|(loaded, at)| loaded.image.symbol_at(at));
    let name = symbol.and_then(|(symbol, offset)| lock_name(&symbol, offset));
    let lock = Lock { address, name, words };
    (!lock.is_unnamed_region()).then_some(lock)
}

fn is_of_runtime(frame: &Frame) -> bool {
    frame.code.module.as_deref().is_some_and(is_runtime)
}

fn is_users_without_source(frame: &Frame, my_code: &MyCode) -> bool {
    let module = frame.code.module.as_deref();
    frame.source.is_none() && module.is_some() && my_code.has_place(module, "", frame.function.as_deref())
}

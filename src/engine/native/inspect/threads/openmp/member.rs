//! A thread as OpenMP's run-time library sees it: its team, and the call that it waits in.

use super::calls::{lock_name, team_call};
use super::numbers::{Team, inner_lock, is_runtime, number, owner_mark, runtime_of, team};
use super::passed::{called, calls_by_address, passed};
use crate::native::inspect::{StoppedThread, answer};
use debuginfo::{LoadedImage, StackFrame};
use model::{
    Answer, Context, Frame, MyCode, Operation, TeamCall, TeamThread, ThreadId, USER_FRAME_SEARCH, VirtualAddress,
};
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
    /// Code of the user has called the library, but it is not known for what: the function may have jumped there.
    InLibrary,
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
    /// The mark of the owner in what LLVM's library keeps for a nested lock, 0 if it is free.
    pub(super) nested_owner: Option<u64>,
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
            None => within_library(thread, &stack, None).unwrap_or(At::Idle),
            Some(at) => users(thread, &stack, at, sleeps_for),
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
            At::Unseen | At::Idle | At::InLibrary => None,
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

/// Returns what a thread executes whose frame of the user is at a place on the stack.
fn users(thread: &StoppedThread<'_>, stack: &[StackFrame], at: usize, sleeps_for: Option<u64>) -> At {
    let (inside, outside) = stack.split_at(at);
    let (Some(user), Some(callee)) = (outside.first(), inside.last()) else { return At::Users(None) };
    if !is_of_runtime(&callee.frame) {
        return At::Users(None);
    }
    let by_call = called(thread, user).and_then(|name| Some((team_call(&name)?, name)));
    let by_name = || callee.frame.function.clone().and_then(|name| Some((team_call(&name)?, name)));
    let Some(((call, place), name)) = by_call.or_else(by_name) else { return At::InLibrary };
    let waiting = Waiting { call, library: file_name(&callee.frame), lock: None };
    if !is_lock(call) {
        return within_library(thread, inside, Some(call)).unwrap_or(At::Users(Some(waiting)));
    }
    if &*name == "GOMP_critical_start" {
        let lock = Lock { address: UNNAMED_REGION, name: None, words: None, nested_owner: None };
        return At::Users(Some(Waiting { lock: Some(lock), ..waiting }));
    }
    let described = || *thread.in_frame(Some(user)).view().passed(0).get(place?)?;
    let argument = || place.and_then(|place| passed(thread, user).get(place).copied().flatten()).or_else(described);
    // libgomp sleeps for the lock itself.
    let address = sleeps_for.filter(|_| waiting.is_of_gcc()).or_else(argument);
    let mut lock = address.and_then(|address| lock_at(thread, user.frame.level, address));
    if let (Some(lock), TeamCall::SetNestLock, false) = (&mut lock, call, waiting.is_of_gcc()) {
        let library = runtime_of(thread, [&callee.frame]);
        lock.nested_owner = library.and_then(|library| nested_owner(thread, library, lock.address));
    }
    At::Users(Some(Waiting { lock, ..waiting }))
}

/// Returns what a thread executes if the library has called a function of the user, which has no frame: it has jumped to
/// the function that it has called last. `call` is that by which the user has called the library, if there is one.
fn within_library(thread: &StoppedThread<'_>, inside: &[StackFrame], call: Option<TeamCall>) -> Option<At> {
    // Nothing of the user's runs there.
    if call == Some(TeamCall::Ordered) {
        return None;
    }
    let runs = |frame: &StackFrame| is_of_runtime(&frame.frame) && calls_by_address(thread, frame);
    let at = inside.iter().rposition(runs)?;
    let callee = inside.get(at.checked_sub(1)?).filter(|callee| is_of_runtime(&callee.frame));
    let found =
        callee.and_then(|callee| Some((team_call(callee.frame.function.as_deref()?)?.0, file_name(&callee.frame))));
    let waiting = found.map(|(call, library)| Waiting { call, library, lock: None });
    Some(waiting.map_or(At::InLibrary, |waiting| At::Users(Some(waiting))))
}

/// Returns the mark of the owner of a nested lock of LLVM, 0 if it is free (openmp/runtime/src/kmp_lock.h): the usual
/// kinds have a pointer to themselves in one of the first two words, then the numbers of the owner and of its locks.
fn nested_owner(thread: &StoppedThread<'_>, library: &LoadedImage, address: u64) -> Option<u64> {
    const OWNER: u64 = 0x20;
    let inner = inner_lock(thread, library, address)?;
    let word = |offset: u64| thread.access.word(VirtualAddress(inner.checked_add(offset)?)).ok();
    if word(0) != Some(inner) && word(8) != Some(inner) {
        return None;
    }
    let both = word(OWNER)?;
    let (owner, depth) = (both & u64::from(u32::MAX), both >> 32);
    (owner == 0 || depth > 0).then_some(owner)
}

fn is_lock(call: TeamCall) -> bool {
    matches!(call, TeamCall::SetLock | TeamCall::SetNestLock | TeamCall::Critical)
}

/// The file name of the library of a frame.
fn file_name(frame: &Frame) -> String {
    let module = frame.code.module.as_deref().unwrap_or_default();
    module.rsplit('/').next().unwrap_or(module).to_owned()
}

fn lock_at(thread: &StoppedThread<'_>, level: u32, address: u64) -> Option<Lock> {
    let word = |address: u64| thread.access.word(VirtualAddress(address)).ok();
    let words = word(address).zip(address.checked_add(8).and_then(word)).map(|(first, second)| [first, second]);
    let symbol = thread.images.locate(VirtualAddress(address)).and_then(|(loaded, at)| loaded.image.symbol_at(at));
    let element = |symbol: &str, offset| element(thread, level, symbol, offset);
    let name = symbol.and_then(|(symbol, offset)| element(&symbol, offset).or_else(|| lock_name(&symbol, offset)));
    let lock = Lock { address, name, words, nested_owner: None };
    (!lock.is_unnamed_region()).then_some(lock)
}

/// Returns the element of an array that begins so far behind the array's beginning, as an expression.
fn element(thread: &StoppedThread<'_>, level: u32, array: &str, offset: u64) -> Option<String> {
    if offset == 0 || !array.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    let context = Context { thread: None, frame: level };
    let expression = format!("sizeof({array}[0])");
    let Some(Answer::Data(size)) = answer(&Operation::Evaluate { context, expression }, thread) else { return None };
    let size = u64::try_from(size.as_bits()?).ok()?;
    (offset.checked_rem(size)? == 0).then(|| format!("{array}[{}]", offset / size))
}

fn is_of_runtime(frame: &Frame) -> bool {
    frame.code.module.as_deref().is_some_and(is_runtime)
}

fn is_users_without_source(frame: &Frame, my_code: &MyCode) -> bool {
    let module = frame.code.module.as_deref();
    frame.source.is_none() && module.is_some() && my_code.has_place(module, "", frame.function.as_deref())
}

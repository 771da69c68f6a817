//! The functions that a queue library calls: they forward its questions to the server. They are called in the process
//! that was started for the library, which has one program and one rank.

use super::conversation::{Conversation, Question, Reply};
use super::interface::{
    BasicCallbacks, FAILED, ImageCallbacks, NO_INFORMATION, OK, Opaque, ProcessCallbacks, TypeSizes,
};
use nix::libc::{self, c_char, c_int, c_ulong, c_void};
use std::collections::HashMap;
use std::ffi::CStr;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The memory of a rank is read in pieces of this size, and kept: the rank stays stopped.
const PAGE: u64 = 4096;
const MOST_PAGES: usize = 4096;

/// The other end, and what is known from there.
struct Server {
    conversation: Conversation,
    /// The sizes of the types, by number.
    sizes: HashMap<u32, i32>,
    pages: HashMap<u64, Option<Vec<u8>>>,
}

static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
static RANK: AtomicI32 = AtomicI32::new(0);
static IMAGE_INFO: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
static PROCESS_INFO: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

pub(super) static BASIC: BasicCallbacks = BasicCallbacks {
    malloc: libc::malloc,
    free: libc::free,
    dprints,
    errorstring,
    put_image_info,
    get_image_info,
    put_process_info,
    get_process_info,
};

pub(super) static IMAGE: ImageCallbacks =
    ImageCallbacks { get_type_sizes, find_function, find_symbol, find_type, field_offset, sizeof };

pub(super) static PROCESS: ProcessCallbacks =
    ProcessCallbacks { get_global_rank, get_image, fetch_data, target_to_host };

/// Bytes whose addresses stand for the program and the process; the library never reads them.
static HANDLES: [u8; 2] = [0; 2];

/// Returns the handle of the program.
pub(super) fn image() -> *mut Opaque {
    ptr::from_ref(&HANDLES[0]).cast_mut().cast()
}

/// Returns the handle of the process.
pub(super) fn process() -> *mut Opaque {
    ptr::from_ref(&HANDLES[1]).cast_mut().cast()
}

/// Connects the functions to the server; only the first call has an effect.
pub(super) fn connect(conversation: Conversation, rank: u32) {
    RANK.store(i32::try_from(rank).unwrap_or(i32::MAX), Ordering::Relaxed);
    let _ = SERVER.set(Mutex::new(Server { conversation, sizes: HashMap::new(), pages: HashMap::new() }));
}

/// Sends the last message.
pub(super) fn finish(last: &Question) {
    if let Some(mut server) = server() {
        // If the server is gone, nobody waits for it.
        let _ = server.conversation.send(last);
    }
}

fn server() -> Option<MutexGuard<'static, Server>> {
    Some(SERVER.get()?.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Server {
    /// Without a server there is nothing to do: the process ends.
    fn ask(&mut self, question: &Question) -> Reply {
        let reply = self.conversation.send(question).and_then(|()| self.conversation.receive());
        reply.unwrap_or_else(|_| std::process::exit(0))
    }

    fn page(&mut self, page: u64) -> Option<&[u8]> {
        if !self.pages.contains_key(&page) {
            if self.pages.len() >= MOST_PAGES {
                self.pages.clear();
            }
            let Reply::Bytes(bytes) = self.ask(&Question::Read(page, PAGE as u32)) else { return None };
            self.pages.insert(page, bytes);
        }
        self.pages.get(&page)?.as_deref()
    }

    fn read(&mut self, address: u64, into: &mut [u8]) -> Option<()> {
        let mut done = 0;
        while done < into.len() {
            let at = address.checked_add(done as u64)?;
            let offset = (at % PAGE) as usize;
            let page = self.page(at - at % PAGE)?;
            let from = page.get(offset..)?;
            let count = from.len().min(into.len() - done);
            if count == 0 {
                return None;
            }
            into.get_mut(done..done + count)?.copy_from_slice(from.get(..count)?);
            done += count;
        }
        Some(())
    }
}

extern "C" fn dprints(_: *const c_char) {}

extern "C" fn errorstring(code: c_int) -> *const c_char {
    let text = if code == OK { c"ok" } else { c"the debugger has no such symbol, type or memory" };
    text.as_ptr()
}

extern "C" fn put_image_info(_: *mut Opaque, info: *mut c_void) {
    IMAGE_INFO.store(info, Ordering::Relaxed);
}

extern "C" fn get_image_info(_: *mut Opaque) -> *mut c_void {
    IMAGE_INFO.load(Ordering::Relaxed)
}

extern "C" fn put_process_info(_: *mut Opaque, info: *mut c_void) {
    PROCESS_INFO.store(info, Ordering::Relaxed);
}

extern "C" fn get_process_info(_: *mut Opaque) -> *mut c_void {
    PROCESS_INFO.load(Ordering::Relaxed)
}

#[expect(unsafe_code, reason = "the library passes a structure of C")]
// SAFETY: the library's pointer is null or leads to at least the members that all libraries have.
unsafe extern "C" fn get_type_sizes(_: *mut Opaque, sizes: *mut TypeSizes) {
    if !sizes.is_null() {
        // SAFETY: as above.
        unsafe { sizes.write_unaligned(TypeSizes { short: 2, int: 4, long: 8, long_long: 8, pointer: 8 }) };
    }
}

#[expect(unsafe_code, reason = "the library passes a text of C")]
// SAFETY: the library's pointer is null or leads to a text that ends with a zero.
unsafe fn text(name: *const c_char) -> Option<String> {
    if name.is_null() {
        return None;
    }
    // SAFETY: as above.
    Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

#[expect(unsafe_code, reason = "called by the library")]
// SAFETY: as for `find_symbol`.
unsafe extern "C" fn find_function(
    image: *mut Opaque,
    name: *const c_char,
    _language: c_int,
    address: *mut c_ulong,
) -> c_int {
    // SAFETY: the same promises of the library.
    unsafe { find_symbol(image, name, address) }
}

#[expect(unsafe_code, reason = "the library passes pointers")]
// SAFETY: the library's pointers are null, or lead to a text and to room for an address.
unsafe extern "C" fn find_symbol(_: *mut Opaque, name: *const c_char, address: *mut c_ulong) -> c_int {
    // SAFETY: as above.
    let (Some(name), Some(mut server)) = (unsafe { text(name) }, server()) else { return FAILED };
    let Reply::Address(Some(found)) = server.ask(&Question::Symbol(name)) else { return NO_INFORMATION };
    if !address.is_null() {
        // SAFETY: as above.
        unsafe { address.write_unaligned(found) };
    }
    OK
}

/// The address that stands for a type: never followed, and never null.
fn handle(number: u32) -> *mut Opaque {
    ptr::without_provenance_mut(number as usize + 1)
}

fn number(handle: *mut Opaque) -> Option<u32> {
    u32::try_from(handle.addr().checked_sub(1)?).ok()
}

#[expect(unsafe_code, reason = "the library passes a pointer")]
// SAFETY: the library's pointer is null or leads to a text.
unsafe extern "C" fn find_type(_: *mut Opaque, name: *const c_char, _language: c_int) -> *mut Opaque {
    // SAFETY: as above.
    let (Some(name), Some(mut server)) = (unsafe { text(name) }, server()) else { return ptr::null_mut() };
    let Reply::Type(Some((number, size))) = server.ask(&Question::Type(name)) else { return ptr::null_mut() };
    server.sizes.insert(number, size);
    handle(number)
}

#[expect(unsafe_code, reason = "the library passes a pointer")]
// SAFETY: the library's pointer is null or leads to a text.
unsafe extern "C" fn field_offset(ty: *mut Opaque, member: *const c_char) -> c_int {
    // SAFETY: as above.
    let (Some(member), Some(number), Some(mut server)) = (unsafe { text(member) }, number(ty), server()) else {
        return -1;
    };
    match server.ask(&Question::Offset(number, member)) {
        Reply::Offset(Some(offset)) => offset,
        _ => -1,
    }
}

extern "C" fn sizeof(ty: *mut Opaque) -> c_int {
    let size = number(ty).and_then(|number| server()?.sizes.get(&number).copied());
    size.unwrap_or(0)
}

extern "C" fn get_global_rank(_: *mut Opaque) -> c_int {
    RANK.load(Ordering::Relaxed)
}

extern "C" fn get_image(_: *mut Opaque) -> *mut Opaque {
    image()
}

#[expect(unsafe_code, reason = "the library passes a buffer")]
// SAFETY: the library's buffer has room for as many bytes as it asks for.
unsafe extern "C" fn fetch_data(_: *mut Opaque, address: c_ulong, length: c_int, into: *mut c_void) -> c_int {
    let (Ok(length), Some(mut server)) = (usize::try_from(length), server()) else { return FAILED };
    if into.is_null() {
        return FAILED;
    }
    let mut bytes = vec![0; length];
    if server.read(address, &mut bytes).is_none() {
        return FAILED;
    }
    // SAFETY: as above; the two do not overlap, since one is new.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), into.cast(), length) };
    OK
}

/// The rank and this process are on the same host, so that numbers have the same form.
#[expect(unsafe_code, reason = "the library passes buffers")]
// SAFETY: both of the library's buffers have this many bytes.
unsafe extern "C" fn target_to_host(_: *mut Opaque, from: *const c_void, into: *mut c_void, length: c_int) {
    if let Ok(length) = usize::try_from(length)
        && !from.is_null()
        && !into.is_null()
    {
        // SAFETY: as above; `copy` allows that both are the same.
        unsafe { ptr::copy(from.cast::<u8>(), into.cast::<u8>(), length) };
    }
}

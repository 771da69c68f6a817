//! A queue library loaded into this process, and calls of its functions.

use super::callbacks::{BASIC, IMAGE, PROCESS, image, process};
use super::fault::LibraryFault;
use super::interface::{
    BasicCallbacks, COMPATIBILITY, Communicator, ImageCallbacks, OK, Opaque, Operation, ProcessCallbacks,
};
use nix::libc::{self, c_char, c_int};
use std::ffi::{CStr, CString};
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

type OfProcess = unsafe extern "C" fn(*mut Opaque) -> c_int;

/// The functions of a library that take the process and return a code.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    UpdateCommunicators,
    SetUpCommunicators,
    NextCommunicator,
}

/// A loaded queue library. It is never unloaded: its process ends with it.
pub(super) struct Library {
    setup_basic_callbacks: unsafe extern "C" fn(*const BasicCallbacks),
    version_string: Option<unsafe extern "C" fn() -> *const c_char>,
    version_compatibility: unsafe extern "C" fn() -> c_int,
    address_width: Option<unsafe extern "C" fn() -> c_int>,
    error_string: Option<unsafe extern "C" fn(c_int) -> *const c_char>,
    setup_image: unsafe extern "C" fn(*mut Opaque, *const ImageCallbacks) -> c_int,
    image_has_queues: unsafe extern "C" fn(*mut Opaque, *mut *const c_char) -> c_int,
    setup_process: unsafe extern "C" fn(*mut Opaque, *const ProcessCallbacks) -> c_int,
    process_has_queues: unsafe extern "C" fn(*mut Opaque, *mut *const c_char) -> c_int,
    update_communicators: OfProcess,
    setup_communicators: OfProcess,
    next_communicator: OfProcess,
    get_communicator: unsafe extern "C" fn(*mut Opaque, *mut Communicator) -> c_int,
    get_group: Option<unsafe extern "C" fn(*mut Opaque, *mut c_int) -> c_int>,
    setup_operations: unsafe extern "C" fn(*mut Opaque, c_int) -> c_int,
    next_operation: unsafe extern "C" fn(*mut Opaque, *mut Operation) -> c_int,
}

/// The function pointers of a library by the names of the interface.
struct Symbols(*mut libc::c_void);

impl Symbols {
    #[expect(unsafe_code, reason = "functions of a library are called by their types in the interface")]
    fn find<F: Copy>(&self, name: &CStr) -> Option<F> {
        assert_eq!(size_of::<F>(), size_of::<*mut libc::c_void>());
        // SAFETY: the handle is one of dlopen(3), which is never closed.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        // SAFETY: `F` is a function pointer, of the same size, and the interface says that the function has this type.
        (!found.is_null()).then(|| unsafe { mem::transmute_copy(&found) })
    }

    fn get<F: Copy>(&self, name: &CStr) -> Result<F, LibraryFault> {
        self.find(name).ok_or_else(|| LibraryFault::NoFunction(name.to_string_lossy().into_owned()))
    }
}

impl Library {
    #[expect(unsafe_code, reason = "loads the library, and calls the first of its functions")]
    pub(super) fn load(path: &Path) -> Result<Self, LibraryFault> {
        if cfg!(target_feature = "crt-static") {
            return Err(LibraryFault::NotLoaded("a statically linked rankscope cannot load libraries".to_owned()));
        }
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| LibraryFault::NotLoaded("its path contains a zero".to_owned()))?;
        // SAFETY: the process was started to run the code of this library.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: dlerror(3) returns null or a text of the C library.
            return Err(LibraryFault::NotLoaded(unsafe { words(libc::dlerror()) }));
        }
        let symbols = Symbols(handle);
        let library = Self {
            setup_basic_callbacks: symbols.get(c"mqs_setup_basic_callbacks")?,
            version_string: symbols.find(c"mqs_version_string"),
            version_compatibility: symbols.get(c"mqs_version_compatibility")?,
            address_width: symbols.find(c"mqs_dll_taddr_width"),
            error_string: symbols.find(c"mqs_dll_error_string"),
            setup_image: symbols.get(c"mqs_setup_image")?,
            image_has_queues: symbols.get(c"mqs_image_has_queues")?,
            setup_process: symbols.get(c"mqs_setup_process")?,
            process_has_queues: symbols.get(c"mqs_process_has_queues")?,
            update_communicators: symbols.get(c"mqs_update_communicator_list")?,
            setup_communicators: symbols.get(c"mqs_setup_communicator_iterator")?,
            next_communicator: symbols.get(c"mqs_next_communicator")?,
            get_communicator: symbols.get(c"mqs_get_communicator")?,
            get_group: symbols.find(c"mqs_get_comm_group"),
            setup_operations: symbols.get(c"mqs_setup_operation_iterator")?,
            next_operation: symbols.get(c"mqs_next_operation")?,
        };
        // SAFETY: the functions have these types in the interface, and the table lives as long as the process.
        let (version, width) = unsafe {
            (library.setup_basic_callbacks)(&raw const BASIC);
            ((library.version_compatibility)(), library.address_width.map(|width| width()))
        };
        if version != COMPATIBILITY {
            return Err(LibraryFault::Version(version));
        }
        match width {
            Some(width) if width != 8 => Err(LibraryFault::Width(width)),
            _ => Ok(library),
        }
    }

    /// Tells the library of the program and the rank.
    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn set_up(&self, program: &str) -> Result<(), LibraryFault> {
        let mut message = ptr::null();
        let complaint = |message: *const c_char, code: c_int| {
            // SAFETY: the message is null or a text of the library.
            let message = unsafe { words(message) }.replace("%s", program);
            LibraryFault::NoQueues(if message.is_empty() { self.error(code) } else { message })
        };
        // SAFETY: the handles are only passed back, and the tables live as long as the process.
        self.check("mqs_setup_image", unsafe { (self.setup_image)(image(), &raw const IMAGE) })?;
        // SAFETY: the message may be replaced.
        match unsafe { (self.image_has_queues)(image(), &raw mut message) } {
            OK => {}
            code => return Err(complaint(message, code)),
        }
        // SAFETY: as above.
        self.check("mqs_setup_process", unsafe { (self.setup_process)(process(), &raw const PROCESS) })?;
        message = ptr::null();
        // SAFETY: as above.
        match unsafe { (self.process_has_queues)(process(), &raw mut message) } {
            OK => Ok(()),
            code => Err(complaint(message, code)),
        }
    }

    /// Returns the name and version that the library gives itself.
    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn version(&self) -> String {
        // SAFETY: the function returns null or a text.
        self.version_string.map(|version| unsafe { words(version()) }).unwrap_or_default()
    }

    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn step(&self, step: Step) -> c_int {
        let function = match step {
            Step::UpdateCommunicators => self.update_communicators,
            Step::SetUpCommunicators => self.setup_communicators,
            Step::NextCommunicator => self.next_communicator,
        };
        // SAFETY: the handle is only passed back.
        unsafe { function(process()) }
    }

    /// Returns the current communicator.
    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn communicator(&self) -> Result<Communicator, LibraryFault> {
        let mut found = Communicator { unique_id: 0, local_rank: 0, size: 0, name: [0; 64] };
        // SAFETY: the library fills a structure of this layout.
        let code = unsafe { (self.get_communicator)(process(), &raw mut found) };
        self.check("mqs_get_communicator", code)?;
        Ok(found)
    }

    /// Returns the ranks of the current communicator in `MPI_COMM_WORLD`; empty if the library cannot tell.
    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn group(&self, size: usize) -> Vec<c_int> {
        let Some(get_group) = self.get_group else { return Vec::new() };
        let mut ranks = vec![-1; size];
        // SAFETY: the library fills as many numbers as it has given as the size.
        let code = unsafe { get_group(process(), ranks.as_mut_ptr()) };
        if code == OK { ranks } else { Vec::new() }
    }

    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn set_up_operations(&self, queue: c_int) -> c_int {
        // SAFETY: the handle is only passed back.
        unsafe { (self.setup_operations)(process(), queue) }
    }

    /// Returns the next operation of the queue; `None` at its end.
    #[expect(unsafe_code, reason = "calls the library")]
    pub(super) fn operation(&self) -> Option<Operation> {
        // SAFETY: the structure has only numbers, for which zero is a value.
        let mut found: Operation = unsafe { mem::zeroed() };
        // SAFETY: the library fills a structure of this layout.
        let code = unsafe { (self.next_operation)(process(), &raw mut found) };
        (code == OK).then_some(found)
    }

    /// Fails if a code is one of a failure.
    pub(super) fn check(&self, function: &str, code: c_int) -> Result<(), LibraryFault> {
        if code == OK { Ok(()) } else { Err(LibraryFault::Call(function.to_owned(), self.error(code))) }
    }

    #[expect(unsafe_code, reason = "calls the library")]
    fn error(&self, code: c_int) -> String {
        // SAFETY: the function returns null or a text.
        let text = self.error_string.map(|error| unsafe { words(error(code)) }).unwrap_or_default();
        if text.is_empty() { format!("error {code}") } else { text }
    }
}

#[expect(unsafe_code, reason = "texts of the library")]
// SAFETY: the pointer is null or leads to a text that ends with a zero.
unsafe fn words(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().trim().to_owned()
}

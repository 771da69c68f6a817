//! The types of the interface between a debugger and a queue library, in the layout of C ("MPIR message queue dumping",
//! version 1.0). Tables and structures have the members of compatibility number 2.

use nix::libc::{c_char, c_int, c_long, c_ulong, c_void};

/// The compatibility number of this interface (`MQS_INTERFACE_COMPATIBILITY`).
pub(super) const COMPATIBILITY: c_int = 2;

/// `mqs_ok`: the only code that is no failure.
pub(super) const OK: c_int = 0;
/// `mqs_no_information`
pub(super) const NO_INFORMATION: c_int = 1;
/// `mqs_end_of_list`
pub(super) const END_OF_LIST: c_int = 2;
/// `mqs_first_user_code`, here for everything else that fails.
pub(super) const FAILED: c_int = 100;

/// `mqs_image`, `mqs_process` and `mqs_type`: the library only passes their addresses back.
pub(super) type Opaque = c_void;

/// `mqs_basic_callbacks`
#[repr(C)]
pub(super) struct BasicCallbacks {
    pub(super) malloc: unsafe extern "C" fn(usize) -> *mut c_void,
    pub(super) free: unsafe extern "C" fn(*mut c_void),
    pub(super) dprints: extern "C" fn(*const c_char),
    pub(super) errorstring: extern "C" fn(c_int) -> *const c_char,
    pub(super) put_image_info: extern "C" fn(*mut Opaque, *mut c_void),
    pub(super) get_image_info: extern "C" fn(*mut Opaque) -> *mut c_void,
    pub(super) put_process_info: extern "C" fn(*mut Opaque, *mut c_void),
    pub(super) get_process_info: extern "C" fn(*mut Opaque) -> *mut c_void,
}

/// `mqs_image_callbacks`
#[repr(C)]
pub(super) struct ImageCallbacks {
    pub(super) get_type_sizes: unsafe extern "C" fn(*mut Opaque, *mut TypeSizes),
    pub(super) find_function: unsafe extern "C" fn(*mut Opaque, *const c_char, c_int, *mut c_ulong) -> c_int,
    pub(super) find_symbol: unsafe extern "C" fn(*mut Opaque, *const c_char, *mut c_ulong) -> c_int,
    pub(super) find_type: unsafe extern "C" fn(*mut Opaque, *const c_char, c_int) -> *mut Opaque,
    pub(super) field_offset: unsafe extern "C" fn(*mut Opaque, *const c_char) -> c_int,
    pub(super) sizeof: extern "C" fn(*mut Opaque) -> c_int,
}

/// `mqs_process_callbacks`
#[repr(C)]
pub(super) struct ProcessCallbacks {
    pub(super) get_global_rank: extern "C" fn(*mut Opaque) -> c_int,
    pub(super) get_image: extern "C" fn(*mut Opaque) -> *mut Opaque,
    pub(super) fetch_data: unsafe extern "C" fn(*mut Opaque, c_ulong, c_int, *mut c_void) -> c_int,
    pub(super) target_to_host: unsafe extern "C" fn(*mut Opaque, *const c_void, *mut c_void, c_int),
}

/// The members of `mqs_target_type_sizes` that all libraries have. Some have room for no more.
#[repr(C)]
pub(super) struct TypeSizes {
    pub(super) short: c_int,
    pub(super) int: c_int,
    pub(super) long: c_int,
    pub(super) long_long: c_int,
    pub(super) pointer: c_int,
}

/// `mqs_communicator`
#[repr(C)]
pub(super) struct Communicator {
    pub(super) unique_id: c_ulong,
    pub(super) local_rank: c_long,
    pub(super) size: c_long,
    pub(super) name: [c_char; 64],
}

/// `mqs_pending_operation`
#[repr(C)]
pub(super) struct Operation {
    pub(super) status: c_int,
    pub(super) desired_local_rank: c_long,
    pub(super) desired_global_rank: c_long,
    pub(super) tag_wild: c_int,
    pub(super) desired_tag: c_long,
    pub(super) desired_length: c_long,
    pub(super) system_buffer: c_int,
    pub(super) buffer: c_ulong,
    pub(super) actual_local_rank: c_long,
    pub(super) actual_global_rank: c_long,
    pub(super) actual_tag: c_long,
    pub(super) actual_length: c_long,
    pub(super) extra_text: [[c_char; 64]; 5],
}

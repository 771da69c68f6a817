//! The jobs of a launcher with a PMIx server (PRRTE, which `mpirun` of Open MPI 5 executes), asked as a tool of PMIx. The
//! launcher's own library is loaded for that, so ask in a process of its own: [`serve_pmix_jobs`].

use crate::process::memory::mappings;
use crate::process::procfs::ProcessStatus;
use nix::libc::{self, c_char, c_int, c_void};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, CString};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::mem;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::ptr;

/// Seconds after which the process that asks is killed by its own alarm.
pub const PMIX_PATIENCE: u32 = 10;
/// More ranks than this are damage.
const MOST_RANKS: usize = 1 << 20;
/// Jobs of one launcher that are looked at.
const MOST_JOBS: usize = 64;
const LONGEST_TEXT: usize = 4096;

const STRING: u16 = 3;
const PID: u16 = 5;
const PROC_INFO: u16 = 38;
const DATA_ARRAY: u16 = 39;
const SUCCESS: c_int = 0;

/// A process of a job, as the launcher lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PmixProcess {
    /// Its rank in the job.
    pub rank: u32,
    /// The host name, as the launcher gives it.
    pub host: String,
    /// The path of the executable on that host.
    pub program: String,
    /// The process ID on that host.
    pub pid: i32,
}

/// A job of a launcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PmixJob {
    /// Its namespace.
    pub name: String,
    /// Its processes, in no order.
    pub processes: Vec<PmixProcess>,
}

/// The outcome as the asking process writes it.
pub type PmixAnswer = Result<Vec<PmixJob>, String>;

// Types and keys of PMIx 3 to 6 (the PMIx Standard, and `pmix_common.h`).

#[repr(C)]
struct Proc {
    namespace: [c_char; 256],
    rank: u32,
}

#[repr(C)]
struct Value {
    kind: u16,
    data: [u64; 3],
}

#[repr(C)]
struct Info {
    key: [c_char; 512],
    flags: u32,
    value: Value,
}

#[repr(C)]
struct Query {
    keys: *mut *const c_char,
    qualifiers: *mut Info,
    count: usize,
}

#[repr(C)]
struct ProcInfo {
    proc: Proc,
    host: *const c_char,
    program: *const c_char,
    pid: libc::pid_t,
    exit_code: c_int,
    state: u8,
}

#[repr(C)]
struct DataArray {
    kind: u16,
    size: usize,
    array: *const c_void,
}

const _: () = assert!(size_of::<Value>() == 32 && size_of::<Info>() == 552 && size_of::<ProcInfo>() == 296);

impl Info {
    fn new(key: &CStr, kind: u16, data: u64) -> Self {
        let mut info = Self { key: [0; 512], flags: 0, value: Value { kind, data: [data, 0, 0] } };
        for (to, from) in info.key.iter_mut().zip(key.to_bytes()) {
            *to = from.cast_signed();
        }
        info
    }
}

type ToolInit = unsafe extern "C" fn(*mut Proc, *mut Info, usize) -> c_int;
type QueryInfo = unsafe extern "C" fn(*mut Query, usize, *mut *mut Info, *mut usize) -> c_int;
type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;
type ToolFinalize = unsafe extern "C" fn() -> c_int;

/// A loaded PMIx library. It is never unloaded: its process ends with it.
struct Library {
    tool_init: ToolInit,
    query_info: QueryInfo,
    error_string: ErrorString,
    tool_finalize: ToolFinalize,
}

/// Returns the PMIx library that a process has mapped; `None` if it has none.
pub fn pmix_library(pid: i32) -> Option<PathBuf> {
    let is_pmix = |name: &str| name.rsplit('/').next().is_some_and(|file| file.starts_with("libpmix.so"));
    mappings(pid).into_iter().map(|mapping| mapping.name).find(|name| is_pmix(name)).map(PathBuf::from)
}

/// Asks a launcher for its jobs, and writes the answer to standard output as JSON. This process is for nothing else: a
/// fault of the library ends it alone.
pub fn serve_pmix_jobs(pid: i32) -> io::Result<()> {
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    nix::unistd::alarm::set(PMIX_PATIENCE);
    // The library gets neither the answer's pipe nor a terminal as its standard streams.
    let mut answer = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&nothing)?;
    nix::unistd::dup2_stdout(&nothing)?;
    nix::unistd::dup2_stderr(&nothing)?;
    let (jobs, library) = match connect(pid) {
        Ok((library, own)) => (library.jobs(&own), Some(library)),
        Err(why) => (Err(why), None),
    };
    serde_json::to_writer(&mut answer, &jobs)?;
    answer.flush()?;
    if let Some(library) = library {
        library.leave();
    }
    Ok(())
}

/// Connects to the server in a launcher; returns the namespace that it gives to this process, too.
fn connect(pid: i32) -> Result<(Library, String), String> {
    let owner = ProcessStatus::read(pid).ok_or_else(|| format!("process {pid} has ended"))?.user;
    // Its library is about to run in this process.
    if owner != nix::unistd::geteuid().as_raw() {
        return Err(format!("process {pid} belongs to user {owner}: attach as that user"));
    }
    let path = pmix_library(pid).ok_or_else(|| format!("process {pid} has no PMIx library"))?;
    let library = Library::load(&path)?;
    let own = library.connect(pid)?;
    Ok((library, own))
}

impl Library {
    #[expect(unsafe_code, reason = "loads the library")]
    fn load(path: &Path) -> Result<Self, String> {
        if cfg!(target_feature = "crt-static") {
            return Err("a statically linked rankscope cannot load libraries".to_owned());
        }
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| "its path contains a zero".to_owned())?;
        // SAFETY: the process was started to run the code of this library.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if handle.is_null() {
            // SAFETY: dlerror(3) returns null or a text of the C library.
            return Err(unsafe { text(libc::dlerror()) });
        }
        let find = |name: &CStr| {
            // SAFETY: the handle is one of dlopen(3), which is never closed.
            let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
            let missing = || format!("{} has no {}", path.display(), name.to_string_lossy());
            (!found.is_null()).then_some(found).ok_or_else(missing)
        };
        // SAFETY: the functions have these types in the PMIx Standard.
        Ok(unsafe {
            Self {
                tool_init: mem::transmute::<*mut c_void, ToolInit>(find(c"PMIx_tool_init")?),
                query_info: mem::transmute::<*mut c_void, QueryInfo>(find(c"PMIx_Query_info")?),
                error_string: mem::transmute::<*mut c_void, ErrorString>(find(c"PMIx_Error_string")?),
                tool_finalize: mem::transmute::<*mut c_void, ToolFinalize>(find(c"PMIx_tool_finalize")?),
            }
        })
    }

    #[expect(unsafe_code, reason = "calls the library")]
    fn check(&self, function: &str, status: c_int) -> Result<(), String> {
        if status == SUCCESS {
            return Ok(());
        }
        // SAFETY: the function returns a text of the library.
        let words = unsafe { text((self.error_string)(status)) };
        Err(format!("{function} fails with {words} ({status})"))
    }

    #[expect(unsafe_code, reason = "calls the library")]
    fn connect(&self, pid: i32) -> Result<String, String> {
        let mut own = Proc { namespace: [0; 256], rank: 0 };
        let mut to = [Info::new(c"pmix.srvr.pidinfo", PID, u64::from(pid.cast_unsigned()))];
        // SAFETY: both outlive the call.
        self.check("PMIx_tool_init", unsafe { (self.tool_init)(&raw mut own, to.as_mut_ptr(), to.len()) })?;
        Ok(namespace(&own))
    }

    /// Returns the jobs of the server, except that of this process.
    fn jobs(&self, own: &str) -> PmixAnswer {
        let names = self.query(c"pmix.qry.ns", None, |value| match value.kind {
            // SAFETY: the type says that it is a text of the library.
            #[expect(unsafe_code, reason = "reads a text of the library")]
            STRING => Ok(unsafe { text(value.data[0] as *const c_char) }),
            kind => Err(format!("the list of jobs has the type {kind}")),
        })?;
        let names = names.split(',').filter(|name| !name.is_empty() && *name != own).take(MOST_JOBS);
        let jobs = names.map(|name| {
            let processes = self.query(c"pmix.qry.ptable", Some(name), processes)?;
            Ok(PmixJob { name: name.to_owned(), processes })
        });
        jobs.collect()
    }

    /// Asks for one value of the server, or of a namespace.
    #[expect(unsafe_code, reason = "calls the library")]
    fn query<T>(&self, key: &CStr, of: Option<&str>, read: impl Fn(&Value) -> Result<T, String>) -> Result<T, String> {
        let name = CString::new(of.unwrap_or_default()).map_err(|_| "a job's name contains a zero".to_owned())?;
        let mut qualifiers = [Info::new(c"pmix.nspace", STRING, name.as_ptr() as u64)];
        let mut keys = [key.as_ptr(), ptr::null()];
        let count = usize::from(of.is_some());
        // Of qualifiers without a number the library looks for one that is marked as the last.
        let qualifiers = if of.is_some() { qualifiers.as_mut_ptr() } else { ptr::null_mut() };
        let mut query = Query { keys: keys.as_mut_ptr(), qualifiers, count };
        let (mut results, mut number) = (ptr::null_mut(), 0);
        // SAFETY: the query and what it points to outlive the call.
        let status = unsafe { (self.query_info)(&raw mut query, 1, &raw mut results, &raw mut number) };
        self.check(&format!("PMIx_Query_info of {}", describe(key, of)), status)?;
        if results.is_null() || number == 0 {
            return Err("PMIx_Query_info returns nothing".to_owned());
        }
        // SAFETY: the call has succeeded, so `results` points to `number` elements, which are never freed.
        read(&unsafe { &*results }.value)
    }

    /// Disconnects, so that the server forgets this process at once.
    #[expect(unsafe_code, reason = "calls the library")]
    fn leave(&self) {
        // SAFETY: the library was initialised, and nothing of it is used afterwards.
        let _ = unsafe { (self.tool_finalize)() };
    }
}

/// Reads a value that is an array of processes.
#[expect(unsafe_code, reason = "reads an array of the library")]
fn processes(value: &Value) -> Result<Vec<PmixProcess>, String> {
    let array = value.data[0] as *const DataArray;
    if value.kind != DATA_ARRAY || array.is_null() {
        return Err(format!("the process table has the type {}", value.kind));
    }
    // SAFETY: the type says that it points to this.
    let array = unsafe { &*array };
    if array.size == 0 || array.array.is_null() {
        return Ok(Vec::new());
    }
    if array.kind != PROC_INFO || array.size > MOST_RANKS {
        return Err(format!("the process table has {} elements of the type {}", array.size, array.kind));
    }
    // SAFETY: the type says that the elements are of this type.
    let all = unsafe { std::slice::from_raw_parts(array.array.cast::<ProcInfo>(), array.size) };
    let process = |info: &ProcInfo| {
        // SAFETY: both are null or texts of the library.
        let (host, program) = unsafe { (text(info.host), text(info.program)) };
        PmixProcess { rank: info.proc.rank, host, program, pid: info.pid }
    };
    Ok(all.iter().map(process).collect())
}

fn describe(key: &CStr, of: Option<&str>) -> String {
    let key = key.to_string_lossy();
    of.map_or_else(|| key.to_string(), |of| format!("{key} for {of}"))
}

fn namespace(of: &Proc) -> String {
    let bytes: Vec<u8> = of.namespace.iter().map(|c| c.cast_unsigned()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the beginning of a text; empty for a null pointer.
///
/// # Safety
/// The pointer must be null, or point to bytes that end with a zero.
#[expect(unsafe_code, reason = "the caller's duty")]
unsafe fn text(from: *const c_char) -> String {
    if from.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    let bytes = unsafe { CStr::from_ptr(from) }.to_bytes();
    String::from_utf8_lossy(bytes.get(..LONGEST_TEXT).unwrap_or(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_table_is_read_as_its_types_say() {
        let host = c"node1";
        let mut info = ProcInfo {
            proc: Proc { namespace: [0; 256], rank: 3 },
            host: host.as_ptr(),
            program: ptr::null(),
            pid: 7,
            exit_code: 0,
            state: 5,
        };
        info.proc.namespace[0] = b'j'.cast_signed();
        assert_eq!(namespace(&info.proc), "j");
        let array = DataArray { kind: PROC_INFO, size: 1, array: (&raw const info).cast() };
        let value = |kind| Value { kind, data: [(&raw const array) as u64, 0, 0] };
        let expected = PmixProcess { rank: 3, host: "node1".into(), program: String::new(), pid: 7 };
        assert_eq!(processes(&value(DATA_ARRAY)), Ok(vec![expected]));
        assert!(processes(&value(STRING)).unwrap_err().contains("type 3"));
        let texts = DataArray { kind: STRING, size: 1, array: (&raw const info).cast() };
        let value = Value { kind: DATA_ARRAY, data: [(&raw const texts) as u64, 0, 0] };
        assert!(processes(&value).unwrap_err().contains("of the type 3"));
    }

    #[test]
    fn a_process_without_the_library_has_no_server() {
        let own = std::process::id() as i32;
        assert_eq!(pmix_library(own), None);
        assert!(connect(own).err().unwrap().contains("no PMIx library"));
        assert!(connect(i32::MAX).err().unwrap().contains("has ended"));
    }
}

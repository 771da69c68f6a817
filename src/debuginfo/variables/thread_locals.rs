//! Addresses of thread-local variables (the x86-64 supplement of the TLS specification, variant II): below the thread
//! pointer for the program, through the thread's vector for libraries.

use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::images::loaded::{LoadedImage, LoadedImages};
use crate::unwind::thread_access::ReadMemory;
use gimli::{AttributeValue, Operation};
use model::VirtualAddress;

/// The variable in which glibc describes, for libthread_db, the field of `struct link_map` with the module number: size
/// in bits, count, offset in bytes.
const NUMBER_DESCRIPTOR: &str = "_thread_db_link_map_l_tls_modid";

/// Returns the address of the thread-local variable at `offset` of a file's thread-local segment.
pub(crate) fn address(
    images: &LoadedImages,
    loaded: &LoadedImage,
    thread_pointer: u64,
    offset: u64,
    memory: &dyn ReadMemory,
) -> Result<VirtualAddress, String> {
    let offset = loaded.image.file().thread_local_offset(offset);
    let is_program = images.executable().is_some_and(|program| program.image.index() == loaded.image.index());
    if is_program {
        let size = loaded.image.file().thread_local_size.ok_or("the program has no thread-local variables")?;
        return Ok(VirtualAddress(thread_pointer.wrapping_sub(size).wrapping_add(offset)));
    }
    let unknown = "the C library does not reveal where thread-local variables of libraries are";
    let link_map = loaded.link_map.ok_or(unknown)?;
    let descriptor = images.iter().find_map(|other| Some(other.bias.loaded(other.image.symbol(NUMBER_DESCRIPTOR)?)));
    let mut fields = [0; 12];
    memory.read(descriptor.ok_or(unknown)?, &mut fields).map_err(|fault| fault.to_string())?;
    let field = fields.last_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let word = |address: u64| memory.word(VirtualAddress(address)).map_err(|fault| fault.to_string());
    let module = word(link_map.0.wrapping_add(u64::from(field)))?;
    let vector = word(thread_pointer.wrapping_add(8))?;
    let block = word(vector.wrapping_add(module.wrapping_mul(16)))?;
    // These mark a block that this thread has not used yet; it is allocated on first use.
    if block == u64::MAX || block == 0 {
        return Err("Cannot find thread-local storage for this thread: it has not used the library's yet".into());
    }
    Ok(VirtualAddress(block.wrapping_add(offset)))
}

/// True if each thread has its own variable.
pub(crate) fn is_thread_local(debug: &DebugInformation, id: EntryId) -> bool {
    let Some((owner, AttributeValue::Exprloc(expression))) = debug.inherited(id, gimli::DW_AT_location) else {
        return false;
    };
    let mut operations = expression.operations(owner.dwarf.encoding());
    std::iter::from_fn(|| operations.next().ok().flatten()).any(|operation| matches!(operation, Operation::TLS))
}

//! gdb's groups of registers.

use super::registers::{REGISTERS, RegisterClass, RegisterInfo};

/// The names of the groups.
pub const REGISTER_GROUPS: [&str; 6] = ["general", "float", "vector", "sse", "system", "all"];

/// Returns the registers of a group, in gdb's order; `None` if there is no such group.
pub fn register_group(name: &str) -> Option<Vec<&'static RegisterInfo>> {
    let is_float = |row: &RegisterInfo| matches!(row.name, "fctrl" | "fstat");
    let is_in = |row: &RegisterInfo| match name {
        "general" => matches!(row.class, RegisterClass::General | RegisterClass::Flags | RegisterClass::Segment),
        "float" => row.class == RegisterClass::X87 || is_float(row),
        "vector" => row.name == "mxcsr" || row.class == RegisterClass::Vector && row.name.starts_with("ymm"),
        "sse" => row.name == "mxcsr" || row.class == RegisterClass::Vector && row.name.starts_with("xmm"),
        "system" => row.class == RegisterClass::Base,
        _ => name == "all",
    };
    let rows = || REGISTERS.iter().filter(|row| is_in(row)).collect();
    REGISTER_GROUPS.contains(&name).then(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_registers_that_gdb_shows() {
        let names = |group| register_group(group).unwrap().iter().map(|row| row.name).collect::<Vec<_>>();
        assert_eq!(names("general").len(), 24);
        assert_eq!(names("float").last(), Some(&"fstat"));
        assert_eq!(names("vector")[..2], ["mxcsr", "ymm0"]);
        assert_eq!(names("system"), ["fs_base", "gs_base"]);
        assert_eq!(names("all").len(), REGISTERS.len());
        assert_eq!(register_group("nosuch"), None);
    }
}

//! Members that are references, lambdas, pointers to virtual methods, and casts of objects, beside gdb.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build;

const SOURCE: &str = include_str!("../programs/referring.cpp");

#[track_caller]
fn at(mark: &str, ask: impl FnOnce(&mut Beside)) {
    let program = build::build("g++", "referring.cpp", &["-g", "-O0", "-std=c++17"]);
    let mut beside = Beside::at(&program, &format!("referring.cpp:{}", line_of(SOURCE, mark)));
    ask(&mut beside);
    beside.judge();
}

#[test]
fn a_member_that_refers_to_a_container_shows_the_container() {
    at("/* stop */", |beside| {
        beside.print(&["holder", "outer", "referred", "both", "itself", "*&holder", "/r holder.plain"]);
    });
}

#[test]
fn a_pointer_to_a_virtual_method_shows_its_parameters() {
    at("/* stop */", |beside| {
        beside.print(&["none", "several", "with_library", "any_number", "added", "inherited"]);
        // gdb 13 takes the number of a slot for its offset.
        assert_eq!(beside.ours("&Base::several"), "&virtual Base::several(int, char const*) const");
    });
}

#[test]
fn a_cast_of_an_object_to_a_number_reads_its_bytes() {
    at("/* stop */", |beside| {
        beside.print(&[
            "(int)convertible",
            "(char)convertible",
            "(double)convertible",
            "(long)convertible",
            "(long *)convertible",
            "(Colour)convertible",
            "(int)convertible + 1",
            "(int)holder.plain",
            "(int)captured",
        ]);
    });
}

#[test]
fn a_lambda_in_a_function_without_a_mangled_name_has_no_scope() {
    at("/* in a lambda */", |beside| {
        beside.stack();
        beside.print(&["a", "number", "text", "derived", "*__closure", "(void *)$pc"]);
        beside.ptype(&["__closure", "*__closure"]);
    });
    at("/* in a generic lambda */", |beside| beside.stack());
}

#[test]
fn a_namespace_is_a_type_for_ptype_and_whatis() {
    at("/* stop */", |beside| {
        beside.ptype(&["model", "model::inner", "std", "model::Field", "model::absent"]);
        beside.whatis(&["model", "model::inner"]);
        beside.print(&["model", "model::inner"]);
    });
}

//! Members of C++ classes: by the name of their class, through pointers to members, as parts of related classes. gdb is
//! the judge, except for what it cannot do.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build;

const SOURCE: &str = include_str!("../programs/class_members.cpp");

#[track_caller]
fn at(mark: &str, ask: impl FnOnce(&mut Beside)) {
    let program = build::build("g++", "class_members.cpp", &["-g", "-O0"]);
    let mut beside = Beside::at(&program, &format!("class_members.cpp:{}", line_of(SOURCE, mark)));
    ask(&mut beside);
    beside.judge();
}

#[test]
fn pointers_to_members_are_shown_by_the_names_of_the_members() {
    at("/* in method */", |beside| {
        beside.print(&[
            "px",
            "py",
            "nothing",
            "pplain",
            "pwho",
            "pdplain",
            "no_method",
            "holder",
            "table",
            "&Base::x",
            "&Derived::y",
            "&Base::plain",
            "px == &Base::x",
            "px != &Base::x",
            "(int)py",
            "(long)px",
            "sizeof(px)",
            "sizeof(pplain)",
            "pplain == &Base::plain",
            "&Derived::count",
        ]);
        beside.whatis(&["px", "pplain", "table", "&Derived::plain", "&Derived::y", "holder.f"]);
    });
}

#[test]
fn an_object_and_a_pointer_to_a_member_give_the_member() {
    at("/* in method */", |beside| {
        beside.print(&[
            "this->*py",
            "this->*px",
            "(this->*pplain)(2)",
            "(this->*pwho)()",
            "(this->*pdplain)(1)",
            "this->*pplain",
            "(*this).*py + 1",
            "(*this).*&Derived::y",
            "this->*table[1]",
        ]);
        beside.whatis(&["this->*px", "this->*pplain"]);
    });
}

#[test]
fn the_name_of_a_class_chooses_among_members_of_the_same_name() {
    at("/* in method */", |beside| {
        beside.print(&[
            "this->Base::id",
            "this->Base::x",
            "Base::id",
            "this->Other::id",
            "this->Base::plain(1)",
            "(*this).Base::id",
            "this->Derived::id",
            "Derived::id",
            "this->who()",
        ]);
    });
}

#[test]
fn casts_between_related_classes_move_the_address() {
    at("/* stop */", |beside| {
        beside.print(&[
            "(Other*)pd == o",
            "(Other*)pd",
            "(Derived*)o",
            "static_cast<Other*>(pd)",
            "static_cast<Derived*>(b)",
            "static_cast<Derived&>(rb).y",
            "(Base)d",
            "((Other*)pd)->id",
            "(Other*)ps == so",
            "*(Other*)ps",
            "const_cast<Derived*>(&cd)",
            "reinterpret_cast<long>(b) == (long)b",
            "dynamic_cast<Other*>(b)",
            "dynamic_cast<Base*>(pd)",
            "dynamic_cast<Point*>(b)",
            "(Derived*)0",
        ]);
        beside.whatis(&["(Other*)pd", "static_cast<Derived&>(rb)", "dynamic_cast<Derived*>(b)"]);
    });
}

#[test]
fn operators_are_functions_with_names() {
    at("/* stop */", |beside| {
        beside.print(&[
            "a < c",
            "-a",
            "a == e",
            "a + c",
            "a.operator+(c)",
            "a.operator==(c)",
            "a.operator[](1)",
            "operator<(a, c)",
            "Point::operator+",
            "Point::operator()",
            "Point::operator==",
            "&Point::operator+",
            "operator<",
            "Point::operator bool",
        ]);
        beside.whatis(&["Point::operator()", "a + c"]);
    });
}

#[test]
fn names_are_found_through_using_and_aliases_of_namespaces() {
    at("/* stop */", |beside| {
        beside.print(&[
            "outer::alias::depth",
            "oi::depth",
            "outer::f(3)",
            "outer::inner::f(3)",
            "'(anonymous namespace)::secret'",
            "counter(int)::calls",
            "counter::calls",
            "typeid(*b)",
            "typeid(int)",
            "typeid(Base)",
            "typeid(d).__name",
        ]);
        beside.whatis(&["typeof(d.y)", "__typeof__(a)", "typeid(int)"]);
    });
}

#[test]
fn what_gdb_13_cannot_read_is_read_as_c_plus_plus_has_it() {
    let program = build::build("g++", "class_members.cpp", &["-g", "-O0"]);
    let mut beside = Beside::at(&program, &format!("class_members.cpp:{}", line_of(SOURCE, "/* stop */")));
    for (text, value) in [
        ("dynamic_cast<Derived*>(b) == pd", "true"),
        ("dynamic_cast<void*>(o) == (void*)pd", "true"),
        ("dynamic_cast<Derived&>(rb).y", "3"),
        ("(anonymous namespace)::secret", "42"),
        ("outer::versioned", "9"),
        ("sizeof(decltype(d.y))", "4"),
        ("(decltype(d.y))3.7", "3"),
        ("d.Base::who()", "3"),
        ("sizeof(int Derived::*)", "8"),
        ("sizeof(int (Base::*)(int))", "16"),
        ("d.*(int Derived::*)py", "3"),
        ("!nothing", "true"),
        // Twice as long for each sign would be forever.
        ("- ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~ - ~d.y", "23"),
        ("counter(1) == 7 && counter(1) == 8", "true"),
        ("(int &)d.y = 3", "3"),
    ] {
        assert_eq!(beside.ours(text), value, "{text}");
    }
    for (text, why) in [
        ("d.*nothing", "The pointer to a member is null."),
        ("a.*py", "A member of Derived is no member of Point."),
        ("d.*1", "The right side of .* and ->* must be a pointer to a member."),
        ("plain.name = \"abcdefgh\"", "Too many array elements: the text needs 9 bytes with its NUL, the array has 8"),
        ("dynamic_cast<Point &>(rb)", "dynamic_cast failed"),
    ] {
        assert_eq!(beside.ours(text), why, "{text}");
    }
}

//! Types as `whatis` and `ptype` format them.

use super::program::program;
use crate::Expression;
use crate::type_text;
use model::TypeDetail;

fn text(expression: &str, detail: TypeDetail) -> String {
    let table = program();
    let writes = table.writes.get();
    let found = Expression::parse(expression).and_then(|parsed| type_text(&parsed, detail, &table.context()));
    assert_eq!((table.reads.get(), table.writes.get()), (0, writes), "a type costs no memory access: {expression}");
    found.unwrap_or_else(|error| error.message)
}

#[test]
fn whatis() {
    for (expression, expected) in [
        ("i", "int"),
        ("l", "long"),
        ("ul", "unsigned long"),
        ("sh", "short"),
        ("p", "struct pt"),
        ("pt1", "pt_t"),
        ("mi", "myint"),
        ("cpt", "const struct pt"),
        ("vi", "volatile int"),
        ("np", "struct node *"),
        ("cip", "const int *"),
        ("ipc", "int * const"),
        ("a23", "int [2][3]"),
        ("a23[0]", "int [3]"),
        ("pa", "int (*)[3]"),
        ("f", "int (int)"),
        ("&f", "int (*)(int)"),
        ("fparr", "fp_t [2]"),
        ("&fp", "int (**)(int)"),
        ("an.named", "struct {...}"),
        ("&noname", "struct {...} *"),
        ("ref", "int &"),
        ("1", "int"),
        ("1L", "long"),
        ("1u", "unsigned int"),
        ("1ull", "unsigned long long"),
        ("4294967295", "long"),
        ("0xffffffff", "unsigned int"),
        ("18446744073709551615", "unsigned long"),
        ("1.5", "double"),
        ("1.5f", "float"),
        ("'a'", "char"),
        ("\"abc\"", "char [4]"),
        ("1==1", "int"),
        ("ch+ch", "int"),
        ("ui+i", "unsigned int"),
        ("l+ui", "long"),
        ("fl+fl", "float"),
        ("fl+i", "float"),
        ("fl*d", "double"),
        ("ld+1", "long double"),
        ("e1+1", "unsigned int"),
        ("ip2-ip", "long"),
        ("5/0", "int"),
        ("sizeof(int)", "int"),
        ("i=5", "int"),
        ("*badp", "int"),
        ("nnull->next", "struct node *"),
        ("$rip", "void (*)()"),
        ("$sp", "void *"),
        ("gone", "int"),
        ("gone+1.5", "double"),
        ("halves.b*2", "int"),
        ("$eflags", "i386_eflags"),
        ("$rax", "int64_t"),
        ("int", "int"),
        ("long unsigned int", "unsigned long"),
        ("unsigned", "unsigned int"),
        ("struct pt", "struct pt"),
        ("pt_t", "struct pt"),
        ("pt_t *", "pt_t *"),
        ("int*", "int *"),
        ("int(*)(int)", "int (*)(int)"),
        ("int (*[3])(char, ...)", "int (*[3])(char, ...)"),
        ("const char *const", "const char * const"),
        ("int [2][3]", "int [2][3]"),
        ("const int [3]", "const int [3]"),
        ("const char *const [3]", "const char * const[3]"),
        ("cia", "const int [3]"),
        ("ga[1]@3", "int [3]"),
        ("int (void)", "int (void)"),
        ("struct nosuch", "No struct type named nosuch."),
        ("nosuch", "No symbol \"nosuch\" in current context."),
    ] {
        assert_eq!(text(expression, TypeDetail::Name), expected, "{expression}");
    }
}

#[test]
fn ptype() {
    for (expression, expected) in [
        ("p", "struct pt {\n    int x;\n    double y;\n    char tag;\n}"),
        ("pt_t", "struct pt {\n    int x;\n    double y;\n    char tag;\n}"),
        ("cpt", "const struct pt {\n    int x;\n    double y;\n    char tag;\n}"),
        ("np", "struct node {\n    int v;\n    struct node *next;\n} *"),
        (
            "an",
            "struct anon {\n    int a;\n    struct {\n        int b;\n        int c;\n    };\n    union {\n        int d;\n        \
             float e;\n    };\n    struct {\n        int q;\n    } named;\n}",
        ),
        (
            "b",
            "struct bits {\n    unsigned int a : 3;\n    int b : 5;\n    unsigned long c : 40;\n    _Bool d : 1;\n    \
             enum color e : 4;\n}",
        ),
        ("e1", "enum color {RED, BLUE = 6, GREEN}"),
        ("noname", "struct {\n    int a;\n}"),
        ("fpt", "int (*)(int)"),
        ("mi", "int"),
        ("inc", "struct incomplete {\n    <incomplete type>\n} *"),
        ("es", "struct emptys {\n    <no data fields>\n}"),
        ("fx", "struct flex {\n    int n;\n    int data[];\n}"),
        ("unsigned long", "unsigned long"),
        ("a23", "int [2][3]"),
    ] {
        assert_eq!(text(expression, TypeDetail::Members), expected, "{expression}");
    }
}

#[test]
fn ptype_with_the_places_of_members() {
    for (expression, expected) in [
        (
            "p",
            "struct pt {\n\
             /*      0      |       4 */    int x;\n\
             /* XXX  4-byte hole      */\n\
             /*      8      |       8 */    double y;\n\
             /*     16      |       1 */    char tag;\n\
             /* XXX  7-byte padding   */\n\
             \n                               /* total size (bytes):   24 */\n                             }",
        ),
        ("i", "int"),
        ("e1", "enum color {RED, BLUE = 6, GREEN}"),
    ] {
        assert_eq!(text(expression, TypeDetail::Layout { hexadecimal: false }), expected, "{expression}");
    }
}

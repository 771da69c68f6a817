//! Values of expressions, and the errors of those without one.

use super::program::*;
use crate::Expression;

#[test]
fn values_in_braces() {
    prints(&[
        ("{1, 2, 3}", "{1, 2, 3}"),
        ("sizeof({1, 2})", "8"),
        ("{1, 2.5}", "array elements must all be the same size"),
        ("{}", "bad array bounds (0, -1)"),
        ("{{1, 2}, {3, 4}}", "{{1, 2}, {3, 4}}"),
        ("{1, 2}[1]", "2"),
        ("(struct pt) {1, 2}", "{x = 1, y = 2, tag = 0 '\\000'}"),
        ("(struct pt) {1, 2, 'c', 4}", "too many initializers"),
        ("{int} &i", "-5"),
        ("{i, i}", "{-5, -5}"),
        ("{1, 2", "A syntax error in expression, near `'."),
    ]);
}

#[test]
fn arithmetic() {
    prints(&[
        ("1+1", "2"),
        ("1+2*3-4/2", "5"),
        ("(1+2)*3", "9"),
        ("-5/2", "-2"),
        ("-5%3", "-2"),
        ("5/2.0", "2.5"),
        ("5.0/0", "inf"),
        ("5/0", "Division by zero"),
        ("5%0", "Division by zero"),
        ("1<<3", "8"),
        ("1<<33", "0"),
        ("1L<<33", "8589934592"),
        ("-1>>1", "-1"),
        ("~0", "-1"),
        ("!5", "0"),
        ("!0.0", "1"),
        ("5&3", "1"),
        ("5|3", "7"),
        ("5^3", "6"),
        ("1.5&1", "Integer-only operation on floating point number."),
        ("i+ui", "4294967290"),
        ("i<ui", "1"),
        ("l<ul", "0"),
        ("ch+1", "114"),
        ("+ch", "113"),
        ("fl*d", "-1"),
        ("e1+1", "7"),
        ("2147483647+1", "-2147483648"),
        ("-9223372036854775807L - 1 == 1L<<63", "1"),
        ("0xff", "255"),
        ("0b101", "5"),
        ("017", "15"),
        ("1e3", "1000"),
        ("0x1p4", "16"),
        ("'a'", "97 'a'"),
        (r"'\n'", r"10 '\n'"),
        ("L'a'", "97 L'a'"),
        ("\"abc\"", "\"abc\""),
        ("\"ab\" \"c\"", "\"abc\""),
        ("\"abc\"[1]", "98 'b'"),
        ("sizeof(\"abc\")", "4"),
        ("true", "true"),
    ]);
}

#[test]
fn logic_does_not_evaluate_what_it_need_not() {
    prints(&[
        ("1&&0", "0"),
        ("1||(1/0)", "1"),
        ("0&&*badp", "0"),
        ("1&&*badp", "Cannot access memory at address 0x12345000"),
        ("0?1/0:3", "3"),
        ("1?2:3", "2"),
        ("1,2", "2"),
        ("ip&&1", "1"),
        ("!ip", "0"),
        ("1==1 && 2>1", "1"),
    ]);
}

#[test]
fn pointers_and_places() {
    prints(&[
        ("&i", "(int *) 0x1000 <i>"),
        ("*&i", "-5"),
        ("&p", "(struct pt *) 0x1100 <p>"),
        ("&p.y", "(double *) 0x1108 <p+8>"),
        ("&ga", "(int (*)[5]) 0x1300 <ga>"),
        ("&ga[2]", "(int *) 0x1308 <ga+8>"),
        ("ga+1", "(int *) 0x1304 <ga+4>"),
        ("1+ga", "(int *) 0x1304 <ga+4>"),
        ("*ga", "1"),
        ("*(ga+1)", "2"),
        ("ga[4]", "5"),
        ("a23[1]", "{10, 11, 12}"),
        ("a23[1][2]", "12"),
        ("&a23[1]", "(int (*)[3]) 0x132c <a23+12>"),
        ("*pa", "{7, 8, 9}"),
        ("(*pa)[1]", "8"),
        ("ip2-ip", "194"),
        ("ip2>ip", "1"),
        ("ip==0", "0"),
        ("ip+ip", "Argument to arithmetic operation not a number or boolean."),
        ("ip*2", "Argument to arithmetic operation not a number or boolean."),
        ("ps+1", "0x20001 \"ello world\""),
        ("ps[1]", "101 'e'"),
        ("np->v", "7"),
        ("np.v", "7"),
        ("nd->v", "7"),
        ("np->next->next->v", "7"),
        ("(*np).v", "7"),
        ("an.b", "2"),
        ("an.d", "4"),
        ("an.named.q", "5"),
        ("*f", "{int (int)} 0x5129 <f>"),
        ("&f", "(int (*)(int)) 0x5129 <f>"),
        ("*fp", "{int (int)} 0x5129 <f>"),
        ("f+1", "(int (*)(int)) 0x512a <f+1>"),
        ("fp==f", "1"),
        ("&b.a", "(unsigned int *) 0x1800 <b>"),
        ("ref+1", "-4"),
        ("&ref", "(int *) 0x1000 <i>"),
        ("&computed", "(int *) 0x1000 <i>"),
        ("&BLUE", "Can't take address of \"BLUE\" which isn't an lvalue."),
        ("i[0]", "cannot subscript something of type `int'"),
        ("1[ga]", "cannot subscript something of type `int'"),
        ("*vp", "Attempt to dereference a generic pointer."),
        ("*d", "Attempt to take contents of a non-pointer value."),
        ("*i", "Cannot access memory at address 0xfffffffffffffffb"),
        ("*nnull", "Cannot access memory at address 0x0"),
        ("nnull->v", "Cannot access memory at address 0x0"),
        ("badp[2]", "Cannot access memory at address 0x12345008"),
        ("&1", "Attempt to take address of value not located in memory."),
        ("&(i+1)", "Attempt to take address of value not located in memory."),
        ("p.nosuch", "There is no member named nosuch."),
        ("np->nosuch", "There is no member named nosuch."),
        ("i.x", "Attempt to extract a component of a value that is not a structure."),
        ("i->x", "Attempt to extract a component of a value that is not a structure pointer."),
        ("halves.a", "-5"),
        ("halves.b+1", "value has been optimized out"),
        ("gone+1", "value has been optimized out"),
        ("nowhere", "The location of \"nowhere\" cannot be computed."),
        ("f(3)", "cannot call f here: only print, set and rank sets call functions."),
        ("ga[1]@3", "{2, 3, 4}"),
        ("*ip2@1+1", "{3, 4}"),
        ("*np@2 == 0", "0"),
        ("a23[0]@2", "{{7, 8, 9}, {10, 11, 12}}"),
        ("*ga@0", "Invalid number 0 of repetitions."),
        ("*ga@-1", "Invalid number -1 of repetitions."),
        ("1@2", "Only values in memory can be extended with '@'."),
        ("b.a@2", "Only values in memory can be extended with '@'."),
        ("{int} &i", "-5"),
        ("{char} 0x20000", "104 'h'"),
        ("{struct pt *} &p == 0", "0"),
    ]);
}

#[test]
fn casts_and_sizes() {
    prints(&[
        ("(char)65", "65 'A'"),
        ("(unsigned char)300", "44 ','"),
        ("(short)70000", "4464"),
        ("(float)1/3", "0.333333343"),
        ("(double)1/3", "0.33333333333333331"),
        ("(int)3.9", "3"),
        ("(int)-3.9", "-3"),
        ("(long)1e100", "9223372036854775807"),
        ("(_Bool)5", "true"),
        ("(int*)0", "(int *) 0x0"),
        ("(void*)ps", "(void *) 0x20000"),
        ("(long)ps", "131072"),
        ("*(int*)&i", "-5"),
        ("(struct pt*)&p", "(struct pt *) 0x1100 <p>"),
        ("((struct pt*)&p)->x", "1"),
        ("*(pt_t *)&p", "{x = 1, y = 2.5, tag = 122 'z'}"),
        ("(myint)3.7", "3"),
        ("(myint)-1", "-1"),
        ("(myint)(3.7)", "3"),
        ("(i)-1", "-6"),
        ("(enum color)6", "BLUE"),
        ("(int)BLUE", "6"),
        ("(long double)ld", "0.100000000000000000001"),
        ("(short[2])i", "{-5, -1}"),
        ("(int[2])ga", "{1, 2}"),
        ("(int[9])ga", "Invalid cast."),
        ("(int[2])5", "Invalid cast."),
        ("*(int[2]*)&ga[1]", "{2, 3}"),
        ("(int[2][3]*)0", "(int (*)[2][3]) 0x0"),
        ("(int[2]*const*)0", "(int (* const *)[2]) 0x0"),
        ("sizeof(int[2]*)", "8"),
        ("sizeof(int)", "4"),
        ("sizeof(int[3])", "12"),
        ("sizeof i", "4"),
        ("sizeof(p)", "24"),
        ("sizeof(struct pt)", "24"),
        ("sizeof(pt_t)", "24"),
        ("sizeof(pt_t *)", "8"),
        ("sizeof(a23)", "24"),
        ("sizeof(*badp)", "4"),
        ("sizeof(int (*)(int))", "8"),
        ("sizeof(struct nosuch)", "No struct type named nosuch."),
        ("sizeof(nosuch)", "No symbol \"nosuch\" in current context."),
        ("(nosuch *) 0", "No symbol \"nosuch\" in current context."),
    ]);
}

#[test]
fn assignments() {
    let table = program();
    for (text, expected) in [
        ("i=7", "7"),
        ("i", "7"),
        ("i+=3", "10"),
        ("++i", "11"),
        ("i++", "11"),
        ("i--", "12"),
        ("i", "11"),
        ("b.a=9", "1"),
        ("b.b", "-3"),
        ("b.b=-1", "-1"),
        ("b.c=1099511627775", "1099511627775"),
        ("b", "{a = 1, b = -1, c = 1099511627775, d = true, e = RED}"),
        ("b.e=BLUE", "BLUE"),
        ("p.x=5", "5"),
        ("fl=3.7", "3.70000005"),
        ("ch='z'", "122 'z'"),
        ("e1=7", "GREEN"),
        ("bt=5", "true"),
        ("p=pt1", "{x = 1, y = 2.5, tag = 122 'z'}"),
        ("ip=&ga[1]", "(int *) 0x1304 <ga+4>"),
        ("*ip=99", "99"),
        ("ip++", "(int *) 0x1304 <ga+4>"),
        ("*ip", "3"),
        ("ga", "{1, 99, 3, 4, 5}"),
        ("a23[1][1]=-1", "-1"),
        ("$rax=5", "5"),
        ("r", "5"),
        ("r=6", "6"),
        ("$eax", "6"),
        ("ref=1", "1"),
        ("i", "1"),
        ("i=ui=2", "2"),
        ("ld=1.5", "1.5"),
        ("5=3", "Left operand of assignment is not an lvalue."),
        ("gone=3", "Left operand of assignment is not an lvalue."),
        ("i=p", "Invalid cast."),
        ("*badp=1", "Cannot access memory at address 0x12345000"),
    ] {
        assert_eq!(print(&table, text), expected, "{text}");
    }
}

#[test]
fn errors_say_where() {
    let table = program();
    for (text, message, position) in [
        ("i + nosuch", "No symbol \"nosuch\" in current context.", 4),
        ("1 +", "A syntax error in expression, near `'.", 3),
        ("1 2", "A syntax error in expression, near `2'.", 2),
        ("(1", "A syntax error in expression, near `'.", 2),
        ("i + \u{e9}1", "No symbol \"\u{e9}1\" in current context.", 4),
        ("99999999999999999999", "Numeric constant too large.", 0),
        ("1 + 'a", "Unmatched single quote.", 4),
        ("x + \"ab", "Unterminated string in expression.", 4),
        ("i + 12ab", "Invalid number \"12ab\".", 4),
        ("'ab'", "No symbol \"ab\" in current context.", 0),
        ("", "A syntax error in expression, near `'.", 0),
        ("&&i", "A syntax error in expression, near `&&i'.", 0),
        ("2 * p.nosuch", "There is no member named nosuch.", 5),
    ] {
        let error = Expression::parse(text).and_then(|expression| expression.evaluate(&table.context())).unwrap_err();
        assert_eq!((error.message.as_str(), error.position), (message, Some(position)), "{text}");
    }
}

#[test]
fn conditions_read_what_they_need_and_no_more() {
    let table = program();
    let condition = Expression::parse("i == -5 && np->v > 6").unwrap();
    table.reads.set(0);
    assert_eq!(condition.condition(&table.context()), Ok(true));
    assert_eq!(table.reads.get(), 3);
    let condition = Expression::parse("i == 3 && np->v > 6").unwrap();
    table.reads.set(0);
    assert_eq!(condition.condition(&table.context()), Ok(false));
    assert_eq!(table.reads.get(), 1);
    assert!(Expression::parse("p").unwrap().condition(&table.context()).is_err());
}

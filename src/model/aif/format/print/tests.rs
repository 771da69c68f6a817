//! The expected texts are gdb 13's for the same values.

use super::*;
use crate::aif::{CharStyle, PointedText, from_hex};

fn datum(descriptor: &str, data: &str, type_name: &str) -> Datum {
    let data = from_hex(&data.replace(' ', "")).unwrap();
    Datum { descriptor: descriptor.to_owned(), data, type_name: type_name.to_owned() }
}

#[track_caller]
fn shows(descriptor: &str, data: &str, type_name: &str, expected: &str) {
    assert_eq!(format(&datum(descriptor, data, type_name), &FormatOptions::default()).as_deref(), Ok(expected));
}

#[track_caller]
fn shows_by(letter: char, descriptor: &str, data: &str, expected: &str) {
    let how = FormatOptions::with_letter(FormatLetter::of_letter(letter).unwrap());
    assert_eq!(format(&datum(descriptor, data, ""), &how).as_deref(), Ok(expected), "/{letter}");
}

#[track_caller]
fn value_shows(ty: &AifType, value: &AifValue, expected: &str) {
    let datum = Datum { descriptor: ty.to_string(), data: value.write(ty).unwrap(), type_name: String::new() };
    assert_eq!(format(&datum, &FormatOptions::default()).as_deref(), Ok(expected));
}

#[test]
fn numbers() {
    shows("is4", "FFFFFFFB", "int", "-5");
    shows("iu8", "FFFFFFFFFFFFFFFF", "unsigned long", "18446744073709551615");
    shows("is16", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFB", "__int128", "-5");
    shows("iu16", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "", "340282366920938463463374607431768211455");
    shows("c", "71", "char", "113 'q'");
    shows("c", "FF", "char", r"-1 '\377'");
    shows("wb1", "C8", "unsigned char", r"200 '\310'");
    shows("wL4", "00004E2D", "wchar_t", "20013 L'\u{4e2d}'");
    shows("wL4", "FFFFFFFF", "wchar_t", r"-1 L'\xffffffff'");
    shows("wu2", "0062", "char16_t", "98 u'b'");
    shows("b1", "01", "_Bool", "true");
    shows("b1", "00", "_Bool", "false");
    shows("f4", "3DCCCCCD", "float", "0.100000001");
    shows("e10", "3FFBCCCCCCCCCCCCCCCD", "long double", "0.100000000000000000001");
    shows("xf4", "3F800000 40000000", "complex float", "1 + 2i");
    shows("xf8", "3FF8000000000000 BFD0000000000000", "complex double", "1.5 + -0.25i");
    shows("v0", "", "void", "void");
    shows("a8", "00007FFFFFFFE42C", "", "0x7fffffffe42c");
    shows("d3,is4", "FFFFFFFD", "int", "-3");
    shows("g<CF=0,PF=2,ZF=6,IF=9>4", "00000246", "i386_eflags", "[ PF ZF IF ]");
    shows("g<CF=0>4", "00000202", "i386_eflags", "[ ]");
}

#[test]
fn enumerations() {
    let color = "<color|RED=0,BLUE=6,GREEN=7>iu4";
    shows(color, "00000006", "enum color", "BLUE");
    shows(color, "00000003", "enum color", "3");
    let flags = "<flags|FA=1,FB=2,FC=4>iu4";
    shows(flags, "00000005", "enum flags", "(FA | FC)");
    shows(flags, "00000008", "enum flags", "(unknown: 0x8)");
    shows(flags, "00000009", "enum flags", "(FA | unknown: 0x8)");
    shows(flags, "00000000", "enum flags", "0");
    shows("<z|TA=0>iu4", "00000003", "enum z", "(unknown: 0x3)");
    shows("<v|VA=1,VB=1,VC=2>iu4", "00000003", "enum v", "(VA | VC)");
    shows("<g|GA=1,GB=2,GM=12>iu4", "00000005", "enum g", "5");
    shows("<o|OA=1,OB=2,OC=3>iu4", "00000007", "enum o", "7");
    shows("<n|NA=-1,NB=1>is4", "FFFFFFFF", "enum neg", "NA");
    shows("<n|NA=-1,NB=1>is4", "00000005", "enum neg", "5");
}

#[test]
fn pointers_say_their_type_only_outside() {
    shows("^a8is4", "05 0000555555558020", "int *", "(int *) 0x555555558020");
    shows("^a8is4", "06 0000555555558048 0004 67612B38", "int *", "(int *) 0x555555558048 <ga+8>");
    shows("^a8{node|;;;}", "00", "struct node *", "(struct node *) 0x0");
    shows("^a8is8", "00", "long int *", "(long *) 0x0");
    shows("{n|v=is4,next=^a8{n|;;;};;;}", "00000007 05 0000555555558590", "struct n", "{v = 7, next = 0x555555558590}");
    shows("^a8&is4/is4", "06 0000555555555129 0001 66", "int (*)(int)", "(int (*)(int)) 0x555555555129 <f>");
    shows("@a8&is4/is4", "0000555555555129 6600", "int (int)", "{int (int)} 0x555555555129 <f>");
    shows("^a8is4", "01000000000000100000000010", "int *", "(int *) 0x1000");
}

#[test]
fn strings_behind_pointers() {
    shows("pa8", "0000555555556008000568656C6C6F", "char *", "0x555555556008 \"hello\"");
    shows("pa8", "00000000000000000000", "char *", "0x0");
    shows("pa8", "00005555555560140000", "const char *", "0x555555556014 \"\"");
    shows("pa8", "0000555555556014 0001 61", "str", "(str) 0x555555556014 \"a\"");
    shows("pa8", "0000555555556014 0001 61", "char * const", "0x555555556014 \"a\"");
    shows("qwb1a8", "0000555555556014 0001 01", "unsigned char *", "(unsigned char *) 0x555555556014 \"\\001\"");
    shows("qwL4a8", "0000555555556014 0001 00000061", "wchar_t *", "0x555555556014 L\"a\"");
    let unreadable = PointedText { address: 1, unreadable: Some(1), ..PointedText::default() };
    let ty = AifType::CharPointer { size: 8 };
    value_shows(&ty, &AifValue::Text(unreadable), "0x1 <error: Cannot access memory at address 0x1>");
    let broken = PointedText {
        address: 0x7fff_f7fb_effd,
        units: vec![122, 122, 122],
        unreadable: Some(0x7fff_f7fb_f000),
        ..PointedText::default()
    };
    value_shows(
        &ty,
        &AifValue::Text(broken),
        "0x7ffff7fbeffd \"zzz\"<error: Cannot access memory at address 0x7ffff7fbf000>",
    );
    let long = PointedText {
        address: 0x5555_5555_8220,
        symbol: Some("t2".to_owned()),
        units: [[120; 150].as_slice(), &[121; 50]].concat(),
        truncated: true,
        unreadable: None,
    };
    value_shows(&ty, &AifValue::Text(long), "0x555555558220 <t2> 'x' <repeats 150 times>, 'y' <repeats 50 times>...");
}

#[test]
fn references() {
    shows("~a8is4", "01 00007fffffffe66c 00000003", "int &", "(int &) @0x7fffffffe66c: 3");
    shows("{|r=~a8is4;;;}", "05 00007fffffffe66c", "struct s", "{r = @0x7fffffffe66c}");
    shows(
        "~a8pa8",
        "01 000055555556aeb0 0000555555556008 0003 747874",
        "char *&",
        "(char *&) @0x55555556aeb0: 0x555555556008 \"txt\"",
    );
    shows(
        "~a8[r0,2is4]is4",
        "01 00007fffffffe630 00000001 00000002",
        "int (&)[2]",
        "(int (&)[2]) @0x7fffffffe630: {1, 2}",
    );
}

#[test]
fn aggregates() {
    shows("{pt|x=is4,y=f8,tag=c;;;}", "00000001 4004000000000000 7A", "struct pt", "{x = 1, y = 2.5, tag = 122 'z'}");
    shows(
        "{anon|a=is4,={|b=is4,c=is4;;;},=(|d=is4,e=f4),named={|q=is4;;;};;;}",
        "00000001 00000002 00000003 00000004 00000004 00000005",
        "struct anon",
        "{a = 1, {b = 2, c = 3}, {d = 4, e = 5.60519386e-45}, named = {q = 5}}",
    );
    shows("{e|;;;}", "", "struct emptys", "{<No data fields>}");
    shows(
        "{|n=is4,data=@a8[r0,0is4]is4;;;}",
        "00000003 0000555555558564",
        "struct flex",
        "{n = 3, data = 0x555555558564}",
    );
    shows("{d|<Base>={Base|b=is4;;;},d=is4;;;}", "00000001 00000003", "Derived", "{<Base> = {b = 1}, d = 3}");
    shows("{|a=!is4,b=!is4;;;}", "00 000D 6F7074696D697A6564206F7574 01 00000002", "", "{a = <optimized out>, b = 2}");
    shows("{|a=is4,b=Qnew;;;}", "00000001 FFFF", "", "{a = 1, b = <incomplete type>}");
}

#[test]
fn arrays() {
    let ints = |count: usize| AifType::array(0, count as u64, AifType::Integer { signed: true, size: 4 });
    let values = |numbers: &[u128]| AifValue::Elements(numbers.iter().map(|n| AifValue::Scalar(*n)).collect());
    value_shows(&ints(3), &values(&[7, 8, 9]), "{7, 8, 9}");
    value_shows(&ints(10), &values(&[0; 10]), "{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}");
    value_shows(&ints(11), &values(&[0; 11]), "{0 <repeats 11 times>}");
    value_shows(&ints(30), &values(&[&[1, 2][..], &[0; 28]].concat()), "{1, 2, 0 <repeats 28 times>}");
    let counting: Vec<u128> = (0..250).collect();
    let datum = Datum {
        descriptor: ints(250).to_string(),
        data: values(&counting).write(&ints(250)).unwrap(),
        type_name: "int [250]".to_owned(),
    };
    let text = format(&datum, &FormatOptions::default()).unwrap();
    assert!(text.starts_with("{0, 1, 2") && text.ends_with("198, 199...}"), "{text}");
    shows("[r0,2is4][r0,3is4]is4", &"000000070000000800000009".repeat(2), "int [2][3]", "{{7, 8, 9}, {7, 8, 9}}");
    shows("[r0,12is4][r0,2is4]iu1", &"0000".repeat(12), "", "{{0, 0} <repeats 12 times>}");
    shows("[r0,6is4]c", "68656C6C6F00", "char [6]", "\"hello\"");
    shows("[r0,5is4]c", "68656C6C6F", "char [5]", "\"hello\"");
    shows("[r0,3is4][r0,4is4]c", "61620000 63640000 65666700", "char [3][4]", r#"{"ab\000", "cd\000", "efg"}"#);
    shows("[r0,6is4]wb1", "010203414200", "unsigned char [6]", r#""\001\002\003AB""#);
    shows("[r0,2is4]^a8is4", "00 06 0000555555558020 0002 6769", "int *[2]", "{0x0, 0x555555558020 <gi>}");
}

#[test]
fn arrays_in_runs() {
    shows("z[r0,1000is4]is4", "00000002 00000001 00000005 000003E7 00000003", "", "{5, 3 <repeats 999 times>}");
    shows("z[r0,1000is4]is4", "00000002 00000001 00000005 00000001 00000003", "", "{5, 3...}");
    shows("z[r0,300is4]c", "00000002 0000012B 78 00000001 00", "char [300]", "'x' <repeats 299 times>");
    shows("z[r0,300is4]c", "00000001 00000002 78", "char [300]", "\"xx\"...");
    shows("z[r0,9is4]c", "00000001 FFFFFFFF 78", "", "'x' <repeats 65536 times>");
    shows("kfz[r1,255is4]c", "00000002 00000001 78 000000FE 20", "", "'x', ' ' <repeats 254 times>");
    shows("kfz[r1,255is4]c", "00000003 00000001 78 000000C7 79 00000037 20", "", "'x', 'y' <repeats 199 times>...");
    shows("kfz[r1,9is4]c", "00000001 FFFFFFFF 78", "", "'x' <repeats 65536 times>");
}

#[test]
fn letters() {
    for (letter, expected) in [
        ('x', "0xfffffffb"),
        ('z', "0xfffffffb"),
        ('d', "-5"),
        ('u', "4294967291"),
        ('o', "037777777773"),
        ('t', "11111111111111111111111111111011"),
        ('c', r"-5 '\373'"),
        ('a', "0xfffffffffffffffb"),
        ('f', "-nan(0x7ffffb)"),
        ('s', "-5"),
    ] {
        shows_by(letter, "is4", "FFFFFFFB", expected);
    }
    for (letter, expected) in [
        ('x', "0x400921f9f01b866e"),
        ('d', "4614256650576692846"),
        ('o', "0400111037476006703156"),
        ('c', r"3 '\003'"),
        ('a', "0x3"),
        ('f', "3.1415899999999999"),
    ] {
        shows_by(letter, "f8", "400921F9F01B866E", expected);
    }
    let point = "{pt|x=is4,y=f8,tag=c;;;}";
    let data = "00000001 4004000000000000 7A";
    shows_by('x', point, data, "{x = 0x1, y = 0x4004000000000000, tag = 0x7a}");
    shows_by('z', point, data, "{x = 0x00000001, y = 0x4004000000000000, tag = 0x7a}");
    shows_by('u', point, data, "{x = 1, y = 4612811918334230528, tag = 122}");
    shows_by('c', point, data, r"{x = 1 '\001', y = 2 '\002', tag = 122 'z'}");
    shows_by('f', point, data, "{x = 1.40129846e-45, y = 2.5, tag = 122}");
    shows_by('x', "[r0,5is4]c", "68656C6C6F", "{0x68, 0x65, 0x6c, 0x6c, 0x6f}");
    shows_by('c', "[r0,3is4]is4", "000000070000000800000009", r"{7 '\a', 8 '\b', 9 '\t'}");
    shows_by('d', "b1", "01", "1");
    shows_by('z', "b1", "01", "0x01");
    shows_by('x', "<e|A=6>iu4", "00000006", "0x6");
    shows_by('d', "iu8", "FFFFFFFFFFFFFFFF", "-1");
    shows_by('o', "is4", "00000000", "0");
    shows_by('x', "c", "FF", "0xff");
    shows_by('x', "e10", "3FFBCCCCCCCCCCCCCCCD", "0x3ffbcccccccccccccccd");
    shows_by('x', "xf4", "3F80000040000000", "0x400000003f800000");
    shows_by('x', "pa8", "0000555555556008000568656C6C6F", "0x555555556008");
    shows_by('z', "pa8", "0000555555556008000568656C6C6F", "0x0000555555556008");
    shows_by('s', "pa8", "0000555555556008000568656C6C6F", "0x555555556008 \"hello\"");
    shows_by('a', "^a8is4", "06 0000555555558020 0002 6769", "0x555555558020 <gi>");
    shows_by('x', "^a8is4", "06 0000555555558020 0002 6769", "0x555555558020");
    shows_by('f', "is8", "400921F9F01B866E", "3.1415899999999999");
    shows_by('f', "c", "71", "113");
    shows_by('f', "is2", "FFFE", "-2");
    let function = datum("@a8&/is4", "0000555555555129 6600", "");
    let how = FormatOptions::with_letter(FormatLetter::Address);
    assert_eq!(format(&function, &how), Err(AifError::NotAnInteger));
}

#[test]
fn garbage_is_an_error() {
    for (descriptor, data) in [("is4", "0000"), ("{a|x=is4", "00"), ("is99", ""), ("^a8is4", "09"), ("", "")] {
        assert!(format(&datum(descriptor, data, "t"), &FormatOptions::default()).is_err(), "{descriptor}");
    }
    let wide = AifType::Character { style: CharStyle::Wide, size: 4 };
    assert_eq!(wide.to_string(), "wL4");
}

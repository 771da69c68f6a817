//! Values of all base kinds as the old debugger writes them; each must read and write back to the same text.

use super::{AifType, AifValue, from_hex, to_hex};

/// Title, descriptor, data (`-`: none).
const VECTORS: &[(&str, &str, &str)] = &[
    ("int 16", "is4", "00000010"),
    ("int -1", "is4", "FFFFFFFF"),
    ("uint 4294967295", "iu4", "FFFFFFFF"),
    ("short -2", "is2", "FFFE"),
    ("ushort 65534", "iu2", "FFFE"),
    ("long -3", "is8", "FFFFFFFFFFFFFFFD"),
    ("ulong 123456789", "iu8", "00000000075BCD15"),
    ("char 'q'", "c", "71"),
    ("float 2", "f4", "40000000"),
    ("double -0.5", "f8", "BFE0000000000000"),
    ("bool true", "b1", "01"),
    ("bool false", "b1", "00"),
    ("string hello", "s", "000568656C6C6F"),
    ("string empty", "s", "0000"),
    ("void 0", "v0", "-"),
    ("void 2", "v2", "0102"),
    ("address 7fffffffe42c", "a8", "00007FFFFFFFE42C"),
    ("address 4 bytes", "a4", "00001000"),
    ("charptr", "pa8", "0000555555556008000568656C6C6F"),
    ("charptr null", "pa8", "00000000000000000000"),
    ("pointer to int", "^a8is4", "01000000000000100000000010"),
    ("pointer to pointer", "^a8^a8c", "01000000000000100001000000000000200078"),
    ("null pointer to int", "^a8is4", "00"),
    ("empty aggregate", "{pt|;;;}", "-"),
    ("+ public x", "{pt|x=is4;;;}", "00000001"),
    ("class all sections", "{pt|x=is4,y=f8;w=is2;z=c;},v=b1", "00000001400000000000000000037A01"),
    ("unnamed aggregate", "{|;;;}", "-"),
    ("empty union", "(u|)", "-"),
    ("union i,d", "(u|i=is4,d=f8)", "000000014000000000000000"),
    ("empty enum", "<color|>is4", "00000000"),
    ("enum RED=0,BLUE=6", "<color|RED=0,BLUE=6>is4", "00000000"),
    ("int[3]", "[r0,3is4]is4", "000000070000000800000009"),
    ("int[2][3]", "[r0,2is4][r0,3is4]is4", "000000070000000800000009000000070000000800000009"),
    ("int[0]", "[r0,0is4]is4", "-"),
    ("array -10..-6", "[r-10,5is4]c", "0000000000"),
    ("named aggregate %1", "%1/{node|v=is4;;;}", "00000005"),
    ("null pointer to named", "^a8>1/", "00"),
    ("reference 1", ">1/", "-"),
    ("function", "&/is4", "6D61696E00"),
];

#[test]
fn every_vector_reads_and_writes_back() {
    for (what, descriptor, data) in VECTORS {
        let bytes = if *data == "-" { Vec::new() } else { from_hex(data).unwrap() };
        let ty: AifType = descriptor.parse().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(ty.to_string(), *descriptor, "{what}");
        let value = AifValue::read(&ty, &bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        let written = value.write(&ty).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(to_hex(&written), if *data == "-" { "" } else { *data }, "{what}");
    }
}

#[test]
fn every_cut_vector_is_an_error_or_shorter_value_and_never_a_panic() {
    for (what, descriptor, data) in VECTORS {
        let ty: AifType = descriptor.parse().unwrap();
        let bytes = if *data == "-" { Vec::new() } else { from_hex(data).unwrap() };
        for end in 0..bytes.len() {
            assert!(AifValue::read(&ty, &bytes[..end]).is_err(), "{what} cut at {end}");
        }
        for end in 0..descriptor.len() {
            let _ = descriptor[..end].parse::<AifType>();
        }
    }
}

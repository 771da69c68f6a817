//! Converts values of simulated programs for answers.

use super::{
    code::Program,
    ctype::{CType, Scalar},
    machine::{Machine, Unmapped, loaded},
};
use model::Datum;

/// Maximum length of a `char *` text, equal to gdb's default for `print elements`.
const TEXT_LIMIT: usize = 200;

/// Reads the value at an address.
pub(super) fn datum_at(machine: &Machine, program: &Program, ty: &CType, address: u64) -> Result<Datum, Unmapped> {
    let bytes = machine.read(program, address, ty.size() as usize)?.to_vec();
    Ok(datum(machine, program, ty, &bytes))
}

/// Converts bytes of the rank's memory to a value.
pub(super) fn datum(machine: &Machine, program: &Program, ty: &CType, bytes: &[u8]) -> Datum {
    let (mut descriptor, mut data) = (String::new(), Vec::new());
    write(machine, program, ty, Some(bytes), &mut descriptor, &mut data);
    Datum { descriptor, data, type_name: ty.spelling() }
}

fn big_endian(bytes: &[u8], into: &mut Vec<u8>) {
    into.extend(bytes.iter().rev());
}

/// Appends type and value; only the type if `bytes` is `None`.
fn write(m: &Machine, p: &Program, ty: &CType, bytes: Option<&[u8]>, descriptor: &mut String, data: &mut Vec<u8>) {
    match ty.plain() {
        CType::Void | CType::Tag(_) => descriptor.push_str("v0"),
        CType::Integer(1, signed, _) => {
            descriptor.push_str(if *signed { "c" } else { "wb1" });
            data.extend(bytes.unwrap_or(&[]));
        }
        CType::Integer(size, signed, _) => {
            descriptor.push_str(&format!("i{}{size}", if *signed { 's' } else { 'u' }));
            big_endian(bytes.unwrap_or(&[]), data);
        }
        CType::Float(size) => {
            descriptor.push_str(&format!("f{size}"));
            big_endian(bytes.unwrap_or(&[]), data);
        }
        CType::Enumeration(e) => {
            let values: Vec<_> = e.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
            descriptor.push_str(&format!("<{}|{}>iu4", e.tag, values.join(",")));
            big_endian(bytes.unwrap_or(&[]), data);
        }
        CType::Pointer(to) => pointer(m, p, to, bytes, descriptor, data),
        CType::Array(of, count) => {
            descriptor.push_str(&format!("[r0,{count}is4]"));
            let mut one = String::new();
            let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else {
                write(m, p, of, None, descriptor, data);
                return;
            };
            for element in bytes.chunks(of.size().max(1) as usize) {
                one.clear();
                write(m, p, of, Some(element), &mut one, data);
            }
            descriptor.push_str(&one);
        }
        CType::Structure(s) => {
            descriptor.push_str(&format!("{}{}|", if s.union { '(' } else { '{' }, s.tag));
            for (i, field) in s.fields.iter().enumerate() {
                descriptor.push_str(if i > 0 { "," } else { "" });
                descriptor.push_str(&format!("{}=", field.name));
                let from = field.offset as usize;
                let part = bytes.and_then(|b| b.get(from..from + field.ty.size() as usize));
                write(m, p, &field.ty, part, descriptor, data);
            }
            descriptor.push_str(if s.union { ")" } else { ";;;}" });
        }
        CType::Named(..) => {}
    }
}

/// Appends a pointer, with its target if that is a number or a text.
fn pointer(m: &Machine, p: &Program, to: &CType, bytes: Option<&[u8]>, descriptor: &mut String, data: &mut Vec<u8>) {
    let address = bytes.map(|bytes| loaded(bytes, Scalar::Unsigned(8)));
    if matches!(to.plain(), CType::Integer(1, true, _)) {
        descriptor.push_str("pa8");
        if let Some(address) = address {
            let text = m.text(p, address, TEXT_LIMIT).unwrap_or(&[]);
            data.extend(address.to_be_bytes());
            data.extend((text.len() as u16).to_be_bytes());
            data.extend(text);
        }
        return;
    }
    descriptor.push_str("^a8");
    let number = matches!(to.plain(), CType::Integer(..) | CType::Float(_));
    let target = if number { to } else { &CType::Void };
    let Some(address) = address else {
        write(m, p, target, None, descriptor, data);
        return;
    };
    let value = if number { m.read(p, address, to.size() as usize).ok() } else { None };
    match value {
        _ if address == 0 => {
            data.push(0);
            write(m, p, target, None, descriptor, &mut Vec::new());
        }
        Some(value) => {
            data.push(1);
            data.extend(address.to_be_bytes());
            write(m, p, target, Some(value), descriptor, data);
        }
        None => {
            // The address is unreadable, or the target was not fetched.
            data.push(if number { 4 } else { 5 });
            data.extend(address.to_be_bytes());
            write(m, p, target, None, descriptor, &mut Vec::new());
        }
    }
}

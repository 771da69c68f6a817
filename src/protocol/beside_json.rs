//! Encodes a value as two arguments of a packet: JSON without its byte strings, and these as netstrings
//! (cr.yp.to/proto/netstrings.txt: `5:hello,`) in their order. Without byte strings, the second argument is absent.

use super::arguments::Arguments;
use super::{Packet, ProtocolError};
use bytes::Bytes;
use model::{Answer, Event, Operation};
use serde::{Serialize, de::DeserializeOwned};

/// A value with byte strings that travel beside its JSON.
pub(crate) trait ByteParts: Serialize + DeserializeOwned + Clone {
    fn byte_parts(&mut self) -> Vec<&mut Vec<u8>>;
}

impl ByteParts for Answer {
    fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        self.byte_parts()
    }
}

impl ByteParts for Event {
    fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        self.byte_parts()
    }
}

impl ByteParts for Operation {
    fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        self.byte_parts()
    }
}

pub(crate) fn json(value: &impl Serialize) -> Bytes {
    // This cannot fail: the messages have neither maps with keys other than text nor numbers that JSON lacks. The peer
    // would refuse an empty argument and name the field.
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// Adds the value as the last arguments of a message.
pub(crate) fn write(packet: Packet, value: &impl ByteParts) -> Packet {
    let mut bare = value.clone();
    let (mut bytes, mut any) = (Vec::new(), false);
    for part in bare.byte_parts() {
        let part = std::mem::take(part);
        bytes.extend_from_slice(format!("{}:", part.len()).as_bytes());
        bytes.extend_from_slice(&part);
        bytes.push(b',');
        any = true;
    }
    let packet = packet.with(json(&bare));
    if any { packet.with(Bytes::from(bytes)) } else { packet }
}

/// Reads the arguments that [`write`] adds.
pub(crate) fn read<T: ByteParts>(arguments: &mut Arguments<'_>, field: &'static str) -> Result<T, ProtocolError> {
    let mut value: T = arguments.json(field)?;
    let mut parts = value.byte_parts();
    if parts.is_empty() {
        return Ok(value);
    }
    let mut rest: &[u8] = arguments.bytes("bytes")?;
    for part in &mut parts {
        let Some((bytes, after)) = netstring(rest) else {
            return Err(arguments.fault("bytes", "expected one netstring for each value"));
        };
        part.clear();
        part.extend_from_slice(bytes);
        rest = after;
    }
    if !rest.is_empty() {
        return Err(arguments.fault("bytes", "more netstrings than values"));
    }
    Ok(value)
}

/// Splits off the first netstring; returns it and the rest.
fn netstring(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = text.iter().take(20).position(|byte| *byte == b':')?;
    let (length, rest) = text.split_at_checked(colon)?;
    // Each length has one spelling: no sign, no leading zeros.
    let fine = matches!(length, b"0" | [b'1'..=b'9', ..]) && length.iter().all(u8::is_ascii_digit);
    let length: usize = std::str::from_utf8(length).ok().filter(|_| fine)?.parse().ok()?;
    let (bytes, rest) = rest.get(1..)?.split_at_checked(length)?;
    Some((bytes, rest.strip_prefix(b",")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_netstring_has_one_spelling() {
        assert_eq!(netstring(b"5:hello,3:x"), Some((&b"hello"[..], &b"3:x"[..])));
        assert_eq!(netstring(b"0:,"), Some((&b""[..], &b""[..])));
        for wrong in [
            &b""[..],
            b"5",
            b"5:hell",
            b"5:hello",
            b"5:hello;",
            b"05:hello,",
            b"+5:hello,",
            b":,",
            b"-1:,",
            b"18446744073709551615:,",
            b"99999999999999999999:,",
        ] {
            assert_eq!(netstring(wrong), None, "{}", String::from_utf8_lossy(wrong));
        }
    }
}

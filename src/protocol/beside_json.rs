//! A value as two arguments of a packet: JSON without the bytes inside, and these bytes as netstrings
//! (cr.yp.to/proto/netstrings.txt: `5:hello,`) in their order. Where a value has no bytes inside, the second is not there.

use super::arguments::Arguments;
use super::{Packet, ProtocolError};
use bytes::Bytes;
use model::{Answer, Event, Operation};
use serde::{Serialize, de::DeserializeOwned};

/// What has bytes inside that travel beside its JSON.
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
    // The messages have neither maps with keys that are no text nor numbers that JSON lacks, so this cannot fail; an
    // empty argument would be refused by the peer with the field's name.
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// The last arguments of a message.
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

/// Reads what [`write`] writes.
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

/// The first netstring, and what follows it.
fn netstring(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = text.iter().take(20).position(|byte| *byte == b':')?;
    let (length, rest) = text.split_at_checked(colon)?;
    // One spelling of each length: no sign, no zeros before it.
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

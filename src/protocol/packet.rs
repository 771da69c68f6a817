//! The framing (wire, section 1): packets of text with lengths in hexadecimal.

use super::ProtocolError;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use model::TransactionId;
use tokio_util::codec::{Decoder, Encoder};

/// The highest LEN.
pub const LARGEST_PACKET: usize = 64 << 20;
/// The highest NARGS: a packet of empty arguments must not cost many times its own size.
pub const MOST_ARGUMENTS: usize = 1 << 18;

const LENGTH: usize = 8;
const HEADER: usize = 23;
const ARGUMENT: usize = 10;

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The kind of command or event.
    pub id: u16,
    /// The transaction it belongs to.
    pub tid: TransactionId,
    /// Any bytes each.
    pub arguments: Vec<Bytes>,
}

impl Packet {
    /// Builds a packet without arguments.
    pub fn new(id: u16, tid: TransactionId) -> Self {
        Self { id, tid, arguments: Vec::new() }
    }

    /// Adds an argument of bytes.
    #[must_use]
    pub fn with(mut self, argument: impl Into<Bytes>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds a number as text.
    #[must_use]
    pub fn with_number(self, number: impl ToString) -> Self {
        self.with(number.to_string())
    }

    /// Adds `0` or `1`.
    #[must_use]
    pub fn with_bool(self, value: bool) -> Self {
        self.with(Bytes::from_static(if value { b"1" } else { b"0" }))
    }

    /// Adds a text argument.
    #[must_use]
    pub fn with_text(self, text: &str) -> Self {
        self.with(Bytes::copy_from_slice(text.as_bytes()))
    }

    /// Returns the packet's LEN.
    pub fn length(&self) -> usize {
        HEADER + self.arguments.iter().map(|argument| ARGUMENT + argument.len()).sum::<usize>()
    }

    /// Appends the frame; fails with [`ProtocolError::TooLong`] or [`ProtocolError::TooManyArguments`] beyond the
    /// limits.
    pub fn write(&self, into: &mut BytesMut) -> Result<(), ProtocolError> {
        let length = self.length();
        if length > LARGEST_PACKET {
            return Err(ProtocolError::TooLong { length, limit: LARGEST_PACKET });
        }
        if self.arguments.len() > MOST_ARGUMENTS {
            return Err(ProtocolError::TooManyArguments { count: self.arguments.len(), limit: MOST_ARGUMENTS });
        }
        into.reserve(LENGTH + length);
        put_hex(into, length, 8);
        into.put_u8(b' ');
        put_hex(into, usize::from(self.id), 4);
        into.put_u8(b':');
        put_hex(into, self.tid.0 as usize, 8);
        into.put_u8(b':');
        put_hex(into, self.arguments.len(), 8);
        for argument in &self.arguments {
            into.put_u8(b' ');
            put_hex(into, argument.len(), 8);
            into.put_u8(b':');
            into.extend_from_slice(argument);
        }
        Ok(())
    }

    /// Reads exactly one frame, as [`Self::write`] writes it.
    fn read(frame: &Bytes) -> Result<Self, ProtocolError> {
        let header = Header::read(frame)?;
        let mut arguments = Vec::with_capacity(header.arguments);
        let mut at = LENGTH + HEADER;
        for index in 0..header.arguments {
            separator(frame, "argument", at, b' ')?;
            let length = hex(frame, "argument length", at + 1, 8)?;
            separator(frame, "argument text", at + 9, b':')?;
            let start = at + ARGUMENT;
            let left = frame.len().saturating_sub(start);
            if length > left {
                return Err(ProtocolError::Argument { index, byte: at, length, left });
            }
            arguments.push(frame.slice(start..start + length));
            at = start + length;
        }
        if at < frame.len() {
            return Err(ProtocolError::Trailing { byte: at, left: frame.len() - at });
        }
        Ok(Self { id: header.id, tid: TransactionId(header.tid), arguments })
    }
}

/// The fixed part of a frame.
struct Header {
    id: u16,
    tid: u32,
    arguments: usize,
}

impl Header {
    fn read(frame: &[u8]) -> Result<Self, ProtocolError> {
        let length = hex(frame, "packet length", 0, 8)?;
        separator(frame, "id", 8, b' ')?;
        let id = hex(frame, "id", 9, 4)? as u16;
        separator(frame, "transaction", 13, b':')?;
        let tid = hex(frame, "transaction", 14, 8)? as u32;
        separator(frame, "number of arguments", 22, b':')?;
        let arguments = hex(frame, "number of arguments", 23, 8)?;
        let limit = (length.saturating_sub(HEADER) / ARGUMENT).min(MOST_ARGUMENTS);
        if arguments > limit {
            return Err(ProtocolError::TooManyArguments { count: arguments, limit });
        }
        Ok(Self { id, tid, arguments })
    }
}

fn put_hex(into: &mut BytesMut, number: usize, digits: usize) {
    for place in (0..digits).rev() {
        into.put_u8(b"0123456789abcdef"[number >> (place * 4) & 15]);
    }
}

fn hex(frame: &[u8], field: &'static str, byte: usize, digits: usize) -> Result<usize, ProtocolError> {
    let found = frame.get(byte..byte + digits).unwrap_or(frame.get(byte..).unwrap_or_default());
    let value = found.iter().try_fold(0usize, |value, digit| match digit {
        b'0'..=b'9' | b'a'..=b'f' => Some(value << 4 | (*digit as char).to_digit(16)? as usize),
        _ => None,
    });
    value.filter(|_| found.len() == digits).ok_or_else(|| ProtocolError::Digits {
        field,
        byte,
        digits,
        found: ProtocolError::excerpt(found),
    })
}

fn separator(frame: &[u8], field: &'static str, byte: usize, wanted: u8) -> Result<(), ProtocolError> {
    match frame.get(byte) {
        Some(found) if *found == wanted => Ok(()),
        Some(found) => Err(ProtocolError::Separator { field, byte, wanted: wanted as char, found: *found as char }),
        None => Err(ProtocolError::Cut { have: frame.len() }),
    }
}

/// Decodes packets from a stream and encodes them. A length alone allocates nothing: the buffer grows with the bytes
/// that arrive.
#[derive(Clone, Debug)]
pub struct PacketCodec {
    limit: usize,
}

impl Default for PacketCodec {
    fn default() -> Self {
        Self { limit: LARGEST_PACKET }
    }
}

impl PacketCodec {
    /// Builds a codec that reads no packet with a higher LEN, for a peer that is not authenticated yet.
    pub fn with_limit(limit: usize) -> Self {
        Self { limit: limit.min(LARGEST_PACKET) }
    }
}

impl Decoder for PacketCodec {
    type Item = Packet;
    type Error = ProtocolError;

    fn decode(&mut self, source: &mut BytesMut) -> Result<Option<Packet>, ProtocolError> {
        if source.len() < LENGTH {
            return Ok(None);
        }
        let length = hex(source, "packet length", 0, 8)?;
        if length > self.limit {
            return Err(ProtocolError::TooLong { length, limit: self.limit });
        }
        if length < HEADER {
            return Err(ProtocolError::TooShort { length });
        }
        if source.len() >= LENGTH + HEADER {
            Header::read(source)?;
        }
        if source.len() < LENGTH + length {
            return Ok(None);
        }
        Packet::read(&source.split_to(LENGTH + length).freeze()).map(Some)
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> Result<Option<Packet>, ProtocolError> {
        match self.decode(source)? {
            None if source.has_remaining() => Err(ProtocolError::Cut { have: source.len() }),
            packet => Ok(packet),
        }
    }
}

impl Encoder<Packet> for PacketCodec {
    type Error = ProtocolError;

    fn encode(&mut self, packet: Packet, into: &mut BytesMut) -> Result<(), ProtocolError> {
        packet.write(into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(bytes: &[u8]) -> Result<Option<Packet>, ProtocolError> {
        PacketCodec::default().decode(&mut BytesMut::from(bytes))
    }

    fn packet(id: u16, tid: u32, arguments: &[&str]) -> Packet {
        arguments.iter().fold(Packet::new(id, TransactionId(tid)), |packet, text| packet.with_text(text))
    }

    /// The examples of section 1.
    fn page() -> Vec<(&'static [u8], Packet)> {
        vec![
            (
                b"0000004b 0001:00000001:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada",
                packet(1, 1, &["ring", "/home/ada", "/home/ada"]),
            ),
            (b"00000025 006f:00000001:00000001 00000004:4:0f", packet(0x6f, 1, &["4:0f"])),
            (
                b"0000007e 0003:00000002:00000009 00000004:4:0f 00000001:1 00000001:0 00000001:0 00000000: \
                  00000004:work 00000000: 00000001:0 00000001:0",
                packet(3, 2, &["4:0f", "1", "0", "0", "", "work", "", "0", "0"]),
            ),
            (
                b"0000008e 006a:00000010:00000005 00000004:4:0f 0000001b:{point|x=is4,y=f8,tag=c;;;} \
                  0000001a:0000000B400400000000000071 0000000c:struct point 00000000:",
                packet(
                    0x6a,
                    16,
                    &["4:0f", "{point|x=is4,y=f8,tag=c;;;}", "0000000B400400000000000071", "struct point", ""],
                ),
            ),
            (b"00000017 0000:00000005:00000000", packet(0, 5, &[])),
        ]
    }

    #[test]
    fn packets_are_those_of_the_page() {
        for (bytes, packet) in page() {
            assert_eq!(decode(bytes).unwrap().unwrap(), packet);
            let mut written = BytesMut::new();
            packet.write(&mut written).unwrap();
            assert_eq!(written, bytes);
            assert_eq!(packet.length() + 8, bytes.len());
        }
    }

    #[test]
    fn packets_come_in_any_portions() {
        let stream: Vec<u8> = page().iter().flat_map(|(bytes, _)| bytes.iter().copied()).collect();
        for portion in 1..=stream.len() {
            let (mut codec, mut buffer, mut got) = (PacketCodec::default(), BytesMut::new(), Vec::new());
            for bytes in stream.chunks(portion) {
                buffer.extend_from_slice(bytes);
                while let Some(packet) = codec.decode(&mut buffer).unwrap() {
                    got.push(packet);
                }
            }
            assert!(codec.decode_eof(&mut buffer).unwrap().is_none());
            assert_eq!(got, page().into_iter().map(|(_, packet)| packet).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_cut_packet_is_told_from_an_orderly_end() {
        for (bytes, _) in page() {
            for end in 1..bytes.len() {
                let mut buffer = BytesMut::from(&bytes[..end]);
                let fault = PacketCodec::default().decode_eof(&mut buffer).unwrap_err();
                assert!(matches!(fault, ProtocolError::Cut { have } if have == end), "{end}: {fault}");
            }
        }
    }

    #[test]
    fn faults_say_what_and_where() {
        for (bytes, words) in [
            (&b"0000001"[..], ""),
            (b"0000001G", "packet length at byte 0: expected 8 lower-case hexadecimal digits, found \"0000001G\""),
            (b"0000001A 0000:00000000:00000000", "packet length at byte 0: expected 8 lower-case"),
            (b"04000001", "packet of 67108865 bytes: the limit is 67108864"),
            (b"ffffffff", "packet of 4294967295 bytes"),
            (b"00000016", "packet of 22 bytes: the header alone takes 23"),
            (b"00000017-0000:00000005:00000000", "id at byte 8: expected ' ', found '-'"),
            (b"00000017 000x:00000005:00000000", "id at byte 9: expected 4 lower-case"),
            (b"00000017 0000 00000005:00000000", "transaction at byte 13: expected ':', found ' '"),
            (b"00000017 0000:00000005:00000001", "1 arguments claimed at byte 23: the packet has room for 0"),
            (b"03ffffff 0000:00000005:00040001", "262145 arguments claimed at byte 23: the packet has room for 262144"),
            (b"00000018 0000:00000005:00000000x", "1 bytes after the last argument, at byte 31"),
            (b"00000022 0000:00000005:00000001 00000002:a", "argument 0 at byte 31: 2 bytes claimed, 1 left"),
            (b"00000022 0000:00000005:00000001 ffffffff:a", "argument 0 at byte 31: 4294967295 bytes claimed, 1 left"),
            (b"00000022 0000:00000005:00000001-00000001:a", "argument at byte 31: expected ' ', found '-'"),
            (b"00000022 0000:00000005:00000001 00000001;a", "argument text at byte 40: expected ':', found ';'"),
            (b"00000023 0000:00000005:00000001 00000001:ab", "1 bytes after the last argument, at byte 42"),
        ] {
            match decode(bytes) {
                Ok(None) => assert_eq!(words, ""),
                Ok(Some(packet)) => panic!("{packet:?}"),
                Err(fault) => assert!(fault.to_string().starts_with(words) && !words.is_empty(), "{fault}"),
            }
        }
    }

    #[test]
    fn a_claimed_length_allocates_nothing() {
        let mut buffer = BytesMut::from(&b"03fffff0 0001:00000001:00000001 03ffff00:begin"[..]);
        let before = buffer.capacity();
        assert!(PacketCodec::default().decode(&mut buffer).unwrap().is_none());
        assert_eq!(buffer.capacity(), before);
        let fault = PacketCodec::with_limit(4096).decode(&mut buffer).unwrap_err();
        assert!(matches!(fault, ProtocolError::TooLong { limit: 4096, .. }));
    }

    #[test]
    fn what_is_too_long_is_not_written() {
        let mut into = BytesMut::new();
        let long = Packet::new(1, TransactionId(1)).with(vec![b'x'; LARGEST_PACKET]);
        assert!(matches!(long.write(&mut into), Err(ProtocolError::TooLong { .. })));
        let many = Packet { arguments: vec![Bytes::new(); MOST_ARGUMENTS + 1], ..long };
        assert!(matches!(many.write(&mut into), Err(ProtocolError::TooManyArguments { .. })));
        assert!(into.is_empty());
    }

    proptest! {
        #[test]
        fn any_packet_reads_back(
            id: u16,
            tid: u32,
            arguments in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..8),
        ) {
            let arguments = arguments.into_iter().map(Bytes::from).collect();
            let packet = Packet { id, tid: TransactionId(tid), arguments };
            let mut bytes = BytesMut::new();
            packet.write(&mut bytes).unwrap();
            prop_assert_eq!(PacketCodec::default().decode(&mut bytes).unwrap().unwrap(), packet);
            prop_assert!(bytes.is_empty());
        }

        #[test]
        fn garbage_is_an_error_not_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = decode(&bytes);
        }

        #[test]
        fn a_changed_byte_is_no_panic(which in 0usize..5, place: prop::sample::Index, byte: u8) {
            let mut bytes = page()[which].0.to_vec();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            let _ = decode(&bytes);
        }
    }
}

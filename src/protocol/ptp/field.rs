//! The encoding of values in the arguments of a packet: reading and writing side by side, once for each kind of value.

use crate::{Arguments, Packet, ProtocolError};

/// A value that takes one or more arguments.
pub(super) trait Field: Sized {
    /// Takes the value's arguments; `field` names it in errors.
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError>;

    /// Adds the value's arguments.
    fn write(&self, packet: Packet) -> Packet;
}

/// Null strings are empty ones.
impl Field for String {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        a.text(field)
    }

    fn write(&self, packet: Packet) -> Packet {
        packet.with_text(self)
    }
}

impl Field for bool {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        a.boolean(field)
    }

    fn write(&self, packet: Packet) -> Packet {
        packet.with_bool(*self)
    }
}

macro_rules! numbers {
    ($($Type:ty),*) => {$(
        impl Field for $Type {
            fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
                a.number(field)
            }

            fn write(&self, packet: Packet) -> Packet {
                packet.with_number(self)
            }
        }
    )*};
}

numbers!(i32, u32, i64, u64);

/// A record that may be missing: then it is the single argument `*`.
impl<T: Field> Field for Option<T> {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        if a.peek() == Some(b"*") {
            a.bytes(field)?;
            return Ok(None);
        }
        T::read(a, field).map(Some)
    }

    fn write(&self, packet: Packet) -> Packet {
        match self {
            Some(record) => record.write(packet),
            None => packet.with_text("*"),
        }
    }
}

/// LIST: the count, then the items. The count allocates nothing: items are read until the count or the arguments end.
impl<T: Field> Field for Vec<T> {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        let count: u64 = a.number(field)?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(T::read(a, field)?);
        }
        Ok(items)
    }

    fn write(&self, packet: Packet) -> Packet {
        let packet = packet.with_number(self.len());
        self.iter().fold(packet, |packet, item| item.write(packet))
    }
}

/// The arguments up to the end of the packet, without a count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest(pub Vec<String>);

impl Field for Rest {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        let mut words = Vec::new();
        while a.left() > 0 {
            words.push(a.text(field)?);
        }
        Ok(Self(words))
    }

    fn write(&self, packet: Packet) -> Packet {
        self.0.iter().fold(packet, |packet, word| packet.with_text(word))
    }
}

/// Declares a struct whose fields are consecutive arguments of the packet.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $Name:ident { $( $(#[$doc:meta])* pub $field:ident: $Type:ty, )* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $Name { $( $(#[$doc])* pub $field: $Type, )* }

        impl $crate::ptp::field::Field for $Name {
            fn read(
                a: &mut $crate::Arguments<'_>,
                _: &'static str,
            ) -> Result<Self, $crate::ProtocolError> {
                Ok(Self { $( $field: $crate::ptp::field::Field::read(a, stringify!($field))?, )* })
            }

            fn write(&self, packet: $crate::Packet) -> $crate::Packet {
                $( let packet = $crate::ptp::field::Field::write(&self.$field, packet); )*
                packet
            }
        }
    };
}

/// Declares an enum of messages, each with its id and its fields in the order of the wire.
macro_rules! messages {
    ($(#[$meta:meta])* pub enum $Enum:ident { $(
        $(#[$doc:meta])*
        $id:literal $Variant:ident $({ $( $(#[$fdoc:meta])* $field:ident: $Type:ty ),* $(,)? })?,
    )* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $Enum { $( $(#[$doc])* $Variant $({ $( $(#[$fdoc])* $field: $Type ),* })?, )* }

        impl $Enum {
            /// Returns the packet id.
            pub fn id(&self) -> u16 {
                match self { $( Self::$Variant { .. } => $id, )* }
            }

            /// Returns the name of the message with an id, for errors.
            pub(super) fn name_of(id: u16) -> Option<&'static str> {
                match id { $( $id => Some(stringify!($Variant)), )* _ => None }
            }

            /// Reads the fields of the message with an id; `None` for an unknown id.
            pub(super) fn read(
                id: u16,
                a: &mut $crate::Arguments<'_>,
            ) -> Option<Result<Self, $crate::ProtocolError>> {
                Some(match id {
                    $( $id => Self::build(|| Ok(Self::$Variant $({
                        $( $field: $crate::ptp::field::Field::read(a, stringify!($field))?, )*
                    })?)), )*
                    _ => return None,
                })
            }

            fn build(
                read: impl FnOnce() -> Result<Self, $crate::ProtocolError>,
            ) -> Result<Self, $crate::ProtocolError> {
                read()
            }

            /// Adds the fields as arguments.
            pub(super) fn write(&self, packet: $crate::Packet) -> $crate::Packet {
                match self { $( Self::$Variant $({ $( $field ),* })? => {
                    $($( let packet = $crate::ptp::field::Field::write($field, packet); )*)?
                    packet
                } )* }
            }
        }
    };
}

pub(super) use {messages, record};

//! The content of a response file.

use crate::SessionKey;
use serde::{Deserialize, Serialize};

const FORMAT: u64 = 1;
/// A longer file is no response.
pub const LARGEST_RESPONSE: u64 = 1 << 20;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectResponse {
    /// The front end accepts and waits for the session.
    Accept {
        /// The name of the front end's host, for display.
        host: String,
        /// Names and addresses of that host, the best first.
        addresses: Vec<String>,
        /// The port on which the front end listens.
        port: u16,
        /// The key by which both sides authenticate.
        key: SessionKey,
    },
    /// The front end refuses.
    Reject {
        /// The user's reason, if given.
        reason: Option<String>,
    },
}

/// The reasons why a file is no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseFault {
    /// The file is not JSON, is cut off, or lacks a field.
    #[error("the answer is damaged: {0}")]
    Damaged(String),
    /// The file has another format.
    #[error("the answer has format {0}, this tvconnect reads format {FORMAT}")]
    Format(u64),
    /// The front end accepts, but gives no usable address.
    #[error("the answer is damaged: {0}")]
    Field(&'static str),
}

#[derive(Serialize, Deserialize)]
struct Written {
    format: u64,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "lowercase")]
enum Answer {
    Accept { host: String, addresses: Vec<String>, port: u16, key: String },
    Reject { reason: Option<String> },
}

impl ConnectResponse {
    /// Formats the response as the file's text.
    pub fn print(&self) -> Vec<u8> {
        let answer = match self.clone() {
            Self::Accept { host, addresses, port, key } => {
                let key = key.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
                Answer::Accept { host, addresses, port, key }
            }
            Self::Reject { reason } => Answer::Reject { reason },
        };
        // Strings, numbers and lists of them always serialise.
        let mut text = serde_json::to_vec_pretty(&Written { format: FORMAT, answer }).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Reads a file. The error never contains the key.
    pub fn parse(text: &[u8]) -> Result<Self, ResponseFault> {
        #[derive(Deserialize)]
        struct Head {
            format: u64,
        }
        let place = |error: serde_json::Error| {
            let kind = match error.classify() {
                serde_json::error::Category::Eof => "unexpected end of file",
                serde_json::error::Category::Data => "a field is missing or has the wrong type",
                _ => "it is not JSON",
            };
            ResponseFault::Damaged(format!("{kind} (line {}, column {})", error.line(), error.column()))
        };
        let head: Head = serde_json::from_slice(text).map_err(place)?;
        if head.format != FORMAT {
            return Err(ResponseFault::Format(head.format));
        }
        let written: Written = serde_json::from_slice(text).map_err(place)?;
        match written.answer {
            Answer::Reject { reason } => Ok(Self::Reject { reason }),
            Answer::Accept { host, addresses, port, key } => {
                if addresses.is_empty() || addresses.iter().any(String::is_empty) || port == 0 {
                    return Err(ResponseFault::Field("the address of the front end is missing"));
                }
                let key = parse_key(&key).ok_or(ResponseFault::Field("the session key is malformed"))?;
                Ok(Self::Accept { host, addresses, port, key })
            }
        }
    }
}

fn parse_key(text: &str) -> Option<SessionKey> {
    let mut bytes = [0; SessionKey::LENGTH];
    if text.len() != 2 * bytes.len() || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(SessionKey::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn accept() -> ConnectResponse {
        let key = SessionKey::from_bytes(std::array::from_fn(|i| i as u8 * 7));
        ConnectResponse::Accept { host: "login1".into(), addresses: vec!["10.0.0.1".into()], port: 4142, key }
    }

    #[test]
    fn every_cut_is_a_fault_that_keeps_the_key() {
        let text = accept().print();
        let hex = "0007";
        for end in 0..text.len() - 2 {
            let fault = ConnectResponse::parse(&text[..end]).unwrap_err().to_string();
            assert!(!fault.contains(hex), "{fault}");
        }
    }

    #[test]
    fn what_cannot_be_dialled_is_no_acceptance() {
        for text in [
            "{}",
            "{\"format\":1}",
            "{\"format\":1,\"answer\":\"maybe\"}",
            "{\"format\":1,\"answer\":\"accept\"}",
            "{\"format\":1,\"answer\":\"accept\",\"host\":\"h\",\"addresses\":[],\"port\":1,\"key\":\"00\"}",
            "{\"format\":1,\"answer\":\"accept\",\"host\":\"h\",\"addresses\":[\"a\"],\"port\":1,\"key\":\"00\"}",
            "{\"format\":1,\"answer\":\"accept\",\"host\":\"h\",\"addresses\":[\"a\"],\"port\":70000,\"key\":\"00\"}",
        ] {
            assert!(ConnectResponse::parse(text.as_bytes()).is_err(), "{text}");
        }
        let zero = String::from_utf8(accept().print()).unwrap().replace("4142", "0");
        assert!(ConnectResponse::parse(zero.as_bytes()).is_err());
        assert_eq!(ConnectResponse::parse(b"{\"format\":2}"), Err(ResponseFault::Format(2)));
        let bare = ConnectResponse::parse(b"{\"format\":1,\"answer\":\"reject\"}");
        assert_eq!(bare, Ok(ConnectResponse::Reject { reason: None }));
    }

    proptest! {
        #[test]
        fn acceptances_read_back(
            host in ".{0,12}", addresses in proptest::collection::vec(".{1,12}", 1..4), port in 1u16.., key: [u8; 32],
        ) {
            let response = ConnectResponse::Accept { host, addresses, port, key: SessionKey::from_bytes(key) };
            prop_assert_eq!(ConnectResponse::parse(&response.print()), Ok(response));
        }

        #[test]
        fn rejections_read_back(reason in proptest::option::of(".{0,80}")) {
            let response = ConnectResponse::Reject { reason };
            prop_assert_eq!(ConnectResponse::parse(&response.print()), Ok(response));
        }

        #[test]
        fn anything_is_read(bytes: Vec<u8>) {
            let _ = ConnectResponse::parse(&bytes);
        }
    }
}

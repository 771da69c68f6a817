//! The content of a request file.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format that is written and read.
const FORMAT: u64 = 1;
/// Longer files are no requests: the arguments of a process have 2 MiB (execve(2)), and JSON escapes take up to six
/// times that.
pub const LARGEST_REQUEST: u64 = 16 << 20;

/// A job of a batch system, as its environment names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchJob {
    /// `slurm`, `pbs`, `lsf` or `flux`.
    pub system: String,
    /// The job's number in that system.
    pub id: String,
}

/// A request for a debugger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConnectRequest {
    /// The program as given to tvconnect: a path, or a name looked up in `PATH`.
    pub program: String,
    /// The program's arguments, without its name.
    pub arguments: Vec<String>,
    /// The working directory.
    pub directory: String,
    /// The host of the process that waits.
    pub host: String,
    /// The addresses of that host.
    pub addresses: Vec<String>,
    /// The id of the process that waits.
    pub pid: u32,
    /// The id of that host's running kernel (random(4)); the process id means nothing to another one.
    pub boot_id: String,
    /// The user's name.
    pub user: String,
    /// The label that the user gave it.
    pub label: Option<String>,
    /// The batch jobs it belongs to.
    pub jobs: Vec<BatchJob>,
    /// The time of the request, in seconds since 1970 by the clock of the host that waits.
    pub time: u64,
    /// The version of rankscope that wrote it.
    pub rankscope: String,
}

/// The reasons why a request cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    /// The file is not JSON, or cut off.
    #[error("the request is damaged: {0}")]
    Damaged(String),
    /// A field is missing or of the wrong kind.
    #[error("the request is damaged: {0}")]
    Field(&'static str),
    /// The file has another format.
    #[error(
        "the request has format {0}, this rankscope reads format {FORMAT}: use the rankscope that belongs to the \
            job's tvconnect"
    )]
    Format(String),
    /// The file cannot be read or trusted.
    #[error("{0}")]
    File(String),
}

/// The readable part of a request file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestReading {
    /// The request; its fields are empty if nothing could be read.
    pub request: ConnectRequest,
    /// The reason why it cannot be accepted; `None` if it can.
    pub fault: Option<RequestFault>,
}

#[derive(Serialize)]
struct Written<'a> {
    format: u64,
    #[serde(flatten)]
    request: &'a ConnectRequest,
}

impl ConnectRequest {
    /// Formats the request as the file's text.
    pub fn print(&self) -> Vec<u8> {
        let written = Written { format: FORMAT, request: self };
        // Strings, numbers and lists of them always serialise.
        let mut text = serde_json::to_vec_pretty(&written).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Reads a file: the readable part, and the reason if it cannot be accepted.
    pub fn parse(text: &[u8]) -> RequestReading {
        let value: Value = match serde_json::from_slice(text) {
            Ok(value) => value,
            Err(error) => {
                return RequestReading {
                    request: Self::default(),
                    fault: Some(RequestFault::Damaged(error.to_string())),
                };
            }
        };
        let fault = match value.get("format") {
            Some(Value::Number(format)) if format.as_u64() == Some(FORMAT) => None,
            Some(other) => Some(RequestFault::Format(other.to_string())),
            None => Some(RequestFault::Field("the field \"format\" is missing")),
        };
        match serde_json::from_value::<Self>(value.clone()) {
            Ok(request) => {
                let fault = fault.or_else(|| request.check().err());
                RequestReading { request, fault }
            }
            Err(error) => {
                let fault = fault.unwrap_or_else(|| RequestFault::Damaged(error.to_string()));
                RequestReading { request: Self::rescued(&value), fault: Some(fault) }
            }
        }
    }

    /// Checks the fields that a launch needs.
    fn check(&self) -> Result<(), RequestFault> {
        let words = || self.arguments.iter().chain([&self.program, &self.directory]);
        if self.program.is_empty() {
            return Err(RequestFault::Field("the program is missing"));
        }
        if !self.directory.starts_with('/') {
            return Err(RequestFault::Field("the working directory is missing"));
        }
        if words().any(|word| word.contains('\0')) {
            return Err(RequestFault::Field("the command contains a NUL character"));
        }
        Ok(())
    }

    /// Reads the fields for display from a damaged request.
    fn rescued(value: &Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let arguments = value.get("arguments").and_then(Value::as_array);
        let arguments = arguments.into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned));
        Self {
            program: text("program"),
            arguments: arguments.collect(),
            host: text("host"),
            user: text("user"),
            rankscope: text("rankscope"),
            time: value.get("time").and_then(Value::as_u64).unwrap_or(0),
            ..Self::default()
        }
    }

    /// Returns the program and its arguments.
    pub fn command(&self) -> Vec<String> {
        std::iter::once(&self.program).chain(&self.arguments).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example() -> ConnectRequest {
        ConnectRequest {
            program: "srun".into(),
            arguments: vec!["-n4".into(), "./solver".into(), "in put\n".into()],
            directory: "/home/ada/run".into(),
            host: "node7".into(),
            addresses: vec!["10.0.0.7".into(), "fe80::1".into()],
            pid: 4711,
            boot_id: "6d2c4f0e".into(),
            user: "ada".into(),
            label: Some("night run".into()),
            jobs: vec![BatchJob { system: "slurm".into(), id: "123_4".into() }],
            time: 1_790_000_000,
            rankscope: "0.1.0".into(),
        }
    }

    #[test]
    fn the_file_is_for_other_tools_too() {
        let text = String::from_utf8(example().print()).unwrap();
        assert!(text.starts_with("{\n  \"format\": 1,\n  \"program\": \"srun\",\n"), "{text}");
        assert!(text.ends_with("}\n") && text.contains("\"system\": \"slurm\""), "{text}");
    }

    #[test]
    fn every_cut_is_a_fault_and_no_panic() {
        let text = example().print();
        for end in 0..text.len() - 2 {
            let reading = ConnectRequest::parse(&text[..end]);
            assert!(matches!(reading.fault, Some(RequestFault::Damaged(_))), "{end}");
        }
        assert_eq!(ConnectRequest::parse(&text).fault, None);
    }

    #[test]
    fn a_newer_format_is_shown_as_far_as_it_can_be_read() {
        let reading = ConnectRequest::parse(
            br#"{"format": 7, "program": "srun", "arguments": ["-n4", 5], "host": "n1", "pid": "?"}"#,
        );
        assert_eq!((reading.request.program.as_str(), reading.request.host.as_str()), ("srun", "n1"));
        assert_eq!(reading.request.arguments, ["-n4"]);
        let words = reading.fault.unwrap().to_string();
        assert!(words.contains("format 7") && words.contains("tvconnect"), "{words}");
        let more = String::from_utf8(example().print()).unwrap().replace("\"format\": 1", "\"format\": 1,\"colour\":3");
        assert_eq!(ConnectRequest::parse(more.as_bytes()).fault, None, "a field that is not known does no harm");
    }

    #[test]
    fn what_cannot_be_launched_is_not_accepted() {
        for (text, said) in [
            ("", "damaged"),
            ("[]", "format"),
            ("null", "format"),
            ("{\"program\":\"a\"}", "format"),
            ("{\"format\":\"1\"}", "format \"1\""),
            ("{\"format\":1}", "program is missing"),
            ("{\"format\":1,\"program\":\"a\",\"directory\":\"here\"}", "working directory is missing"),
            ("{\"format\":1,\"program\":\"a\\u0000b\",\"directory\":\"/\"}", "NUL"),
            ("{\"format\":1,\"program\":4,\"directory\":\"/\"}", "damaged"),
            ("{\"format\":1,\"program\":\"a\",\"directory\":\"/\",\"pid\":-1}", "damaged"),
        ] {
            let reading = ConnectRequest::parse(text.as_bytes());
            let fault = reading.fault.unwrap_or_else(|| panic!("{text} was accepted"));
            assert!(fault.to_string().contains(said), "{text}: {fault}");
        }
    }

    fn requests() -> impl Strategy<Value = ConnectRequest> {
        let words = proptest::collection::vec("[^\0]{0,12}", 0..5);
        let job = ("[a-z]{1,5}", ".{0,9}").prop_map(|(system, id)| BatchJob { system, id });
        let jobs = proptest::collection::vec(job, 0..3);
        let names = ("[^\0]{1,12}", "/[^\0]{0,12}", ".{0,12}", ".{0,12}", ".{0,12}", ".{0,12}");
        (names, words, jobs, proptest::option::of(".{0,12}"), any::<(u32, u64)>()).prop_map(
            |((program, directory, host, boot_id, user, rankscope), arguments, jobs, label, (pid, time))| {
                let addresses = vec![host.clone()];
                ConnectRequest {
                    program,
                    arguments,
                    directory,
                    host,
                    addresses,
                    pid,
                    boot_id,
                    user,
                    label,
                    jobs,
                    time,
                    rankscope,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn requests_read_back(request in requests()) {
            let reading = ConnectRequest::parse(&request.print());
            prop_assert_eq!(reading, RequestReading { request, fault: None });
        }

        #[test]
        fn anything_is_read(bytes: Vec<u8>) {
            let _ = ConnectRequest::parse(&bytes);
        }
    }
}

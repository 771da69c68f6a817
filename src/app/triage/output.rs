//! The output of copies that no launcher writes.

use model::{ProcessSet, Stream};
use std::io::Write as _;

/// Writes output of copies that were started without a launcher, once for each.
pub(super) fn write_output(ranks: &ProcessSet, stream: Stream, text: &str) {
    for _ in 0..ranks.len() {
        // A closed standard output is not the job's fault.
        let _ = match stream {
            Stream::Stdout => {
                let mut out = std::io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
            Stream::Stderr => std::io::stderr().write_all(text.as_bytes()),
        };
    }
}

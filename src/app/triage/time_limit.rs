//! The time at which the batch system ends the job.

use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the end of the present job; asks the batch system only if it must be known.
pub(super) fn end_of_job(must: bool) -> Result<SystemTime, String> {
    let own = std::env::var("SLURM_JOB_END_TIME").ok();
    if let Some(end) = own.as_deref().and_then(seconds) {
        return Ok(end);
    }
    let Some(job) = std::env::var("SLURM_JOB_ID").ok().filter(|_| must) else {
        return Err("--before-limit: the end of the job is not known: SLURM_JOB_END_TIME is not set".to_owned());
    };
    let output = Command::new("squeue").args(["-h", "-j", &job, "-o", "%L"]).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("--before-limit: cannot run squeue: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let left = time_left(text.trim());
    let unknown = || format!("--before-limit: squeue names no time limit of job {job}: {:?}", text.trim());
    left.map(|left| SystemTime::now() + left).ok_or_else(unknown)
}

fn seconds(text: &str) -> Option<SystemTime> {
    Some(UNIX_EPOCH + Duration::from_secs(text.trim().parse().ok()?))
}

/// Reads `DAYS-HOURS:MINUTES:SECONDS`, of which the first parts may be missing (squeue(1), `%L`).
fn time_left(text: &str) -> Option<Duration> {
    let (days, rest) = text.split_once('-').map_or((0, text), |(days, rest)| (days.parse().unwrap_or(u64::MAX), rest));
    let mut total: u64 = 0;
    for part in rest.split(':') {
        total = total.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    days.checked_mul(86_400)?.checked_add(total).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_squeue_are_read() {
        let left = |text: &str| time_left(text).map(|left| left.as_secs());
        assert_eq!(left("0:59"), Some(59));
        assert_eq!(left("10:00"), Some(600));
        assert_eq!(left("23:59:59"), Some(86_399));
        assert_eq!(left("2-01:00:00"), Some(2 * 86_400 + 3600));
        for text in ["", "UNLIMITED", "NOT_SET", "INVALID", "x-1:00", "1::2"] {
            assert_eq!(left(text), None, "{text}");
        }
    }
}

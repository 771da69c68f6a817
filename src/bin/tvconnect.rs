//! `tvconnect`: asks for a debugger from inside a batch job. Not available in this version.

fn main() -> std::process::ExitCode {
    eprintln!("tvconnect: reverse connections are not available in this version of rankscope yet; nothing was started");
    std::process::ExitCode::FAILURE
}

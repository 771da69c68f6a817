//! `tvconnect`: asks for a debugger from inside a batch job.

fn main() {
    std::process::exit(rankscope::app::tree_programs::tvconnect());
}

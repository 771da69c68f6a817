//! `rankscope-sdm`: the processes of a session between the front end and the ranks.

fn main() {
    std::process::exit(rankscope::app::tree_programs::rankscope_sdm());
}

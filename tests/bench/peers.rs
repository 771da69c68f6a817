//! Launch, memory, backtrace and step of many ranks, beside one gdb per rank in the same run; prints figures and
//! ratios.
//!
//! `cargo bench` runs it; `cargo bench -- 16 64` chooses the numbers of ranks. Nothing here passes or fails by the clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

mod figures;
mod gdb_per_rank;
mod ours;
mod session;

use figures::Figures;
use std::{path::PathBuf, process::Command};

fn compile(compiler: &str, source: &str, target: &std::path::Path) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bench").join(source);
    let status = Command::new(compiler).args(["-g", "-O0", "-o"]).arg(target).arg(source).status();
    assert!(status.is_ok_and(|s| s.success()), "{compiler} cannot build the program of the benchmark");
}

fn report(program: &str, ranks: u32, gdb: Figures, ours: Figures, one: Figures) {
    let row = |what: &str, peer: f64, own: f64, unit: &str| {
        println!("{program:>8} {ranks:>4}  {what:<22} {peer:>10.2} {own:>10.2} {unit:<4} {:>8.1}x", peer / own);
    };
    row("P2 launch to main", gdb.launch.as_secs_f64(), ours.launch.as_secs_f64(), "s");
    row(
        "P3 memory a rank",
        gdb.memory_kib as f64 / 1024. / ranks as f64,
        ours.memory_kib as f64 / 1024. / ranks as f64,
        "MiB",
    );
    row("P6 backtrace of all", gdb.backtrace.as_secs_f64() * 1e3, ours.backtrace.as_secs_f64() * 1e3, "ms");
    row("P6 next of all", gdb.next.as_secs_f64() * 1e3, ours.next.as_secs_f64() * 1e3, "ms");
    if let Some(resume) = ours.resume {
        println!(
            "{program:>8} {ranks:>4}  a front end that was killed is resumed in {:.0} ms",
            resume.as_secs_f64() * 1e3
        );
    }
    if ranks > 1 {
        let extra = ours.memory_kib.saturating_sub(one.memory_kib) as f64 / 1024. / (ranks - 1) as f64;
        let marginal = ours.launch.saturating_sub(one.launch).as_secs_f64() * 1e3 / (ranks - 1) as f64;
        println!("{program:>8} {ranks:>4}  each rank beyond the first: {extra:.3} MiB, {marginal:.2} ms of launch");
    }
}

fn main() {
    let chosen: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let numbers = if chosen.is_empty() { vec![1, 16, 64] } else { chosen };
    let directory = std::env::temp_dir().join(format!("rankscope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let spin = directory.join("spin");
    compile("cc", "spin.c", &spin);
    let ring = directory.join("ring");
    compile("mpicc.openmpi", "ring.c", &ring);

    println!(" program ranks  what                   gdb a rank  rankscope        ratio");
    for (name, program, launcher) in [("spin", &spin, None), ("ring", &ring, Some("mpirun.openmpi"))] {
        let one = ours::measure("native", program, launcher, 1);
        for &ranks in &numbers {
            let gdb = gdb_per_rank::measure(program, ranks);
            report(name, ranks, gdb, ours::measure("native", program, launcher, ranks), one);
        }
    }
    println!("\n program ranks  what                   gdb a rank  --engine gdb     ratio");
    for (name, program, launcher) in [("spin", &spin, None), ("ring", &ring, Some("mpirun.openmpi"))] {
        let one = ours::measure("gdb", program, launcher, 1);
        for &ranks in &numbers {
            let gdb = gdb_per_rank::measure(program, ranks);
            report(name, ranks, gdb, ours::measure("gdb", program, launcher, ranks), one);
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
}

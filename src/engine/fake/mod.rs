//! A scripted engine: ranks with loops, breakpoints, divergence, crashes and output, and no process at all.

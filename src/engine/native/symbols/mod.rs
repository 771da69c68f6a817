//! Files and their debug information, read once and shared by all ranks: lines, functions, variables, types, unwinding.

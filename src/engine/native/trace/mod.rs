//! Processes and threads under ptrace(2): no symbols here.

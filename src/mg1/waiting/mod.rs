//! The distribution of the waiting time under first come, first served.

pub(super) mod phase_type;

//! Who serves whom: the rules of all policies for exponential sizes, as transitions of the jobs in service.

use super::explicit::Rates;
use super::options::{Renaming, Tie};

/// A policy's rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rules {
    /// SBCS-ID.
    Immediate,
    /// SBCS-CQ.
    Central { renaming: Renaming, tie: Tie, both_ways: bool },
}

/// The jobs in service, by class and kind of host, and the longs that wait; the level tells the shorts that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct State {
    pub longs_on_short: usize,
    pub shorts_on_long: usize,
    pub longs_on_long: usize,
    pub waiting_longs: usize,
    pub shorts_on_short: usize,
}

impl State {
    pub(super) fn waiting_shorts(&self, level: usize) -> usize {
        level - self.shorts_on_short - self.shorts_on_long
    }

    pub(super) fn longs(&self) -> usize {
        self.longs_on_short + self.longs_on_long + self.waiting_longs
    }

    fn idle_short_hosts(&self, rates: &Rates) -> usize {
        rates.short_hosts - self.shorts_on_short - self.longs_on_short
    }

    fn idle_long_hosts(&self, rates: &Rates) -> usize {
        rates.long_hosts - self.shorts_on_long - self.longs_on_long
    }
}

impl Rules {
    /// SBCS-CQ with fixed roles, shorts stealing only.
    pub(super) const FIXED: Self = Self::Central { renaming: Renaming::Never, tie: Tie::ShortHost, both_ways: false };

    pub(super) fn is_both_ways(self) -> bool {
        matches!(self, Self::Central { both_ways: true, .. })
    }

    fn renaming(self) -> Renaming {
        match self {
            Self::Immediate => Renaming::Never,
            Self::Central { renaming, .. } => renaming,
        }
    }

    /// Whether a job that arrives starts at once.
    pub(super) fn starts(self, rates: &Rates, level: usize, state: State, is_short: bool) -> bool {
        let next = if is_short { self.short_arrives(rates, state) } else { self.long_arrives(rates, state) };
        if is_short {
            next.waiting_shorts(level + 1) == state.waiting_shorts(level)
        } else {
            next.waiting_longs == state.waiting_longs
        }
    }

    /// (rate, level, state) of all transitions; longs beyond `most_longs` are turned away.
    pub(super) fn transitions(
        self,
        rates: &Rates,
        level: usize,
        state: State,
        most_longs: usize,
    ) -> Vec<(f64, usize, State)> {
        let mut out = vec![(rates.short, level + 1, self.short_arrives(rates, state))];
        if state.longs() < most_longs {
            out.push((rates.long, level, self.long_arrives(rates, state)));
        }
        let waiting = state.waiting_shorts(level);
        let (short, long) = (rates.short_service, rates.long_service);
        if state.shorts_on_short > 0 {
            let left = State { shorts_on_short: state.shorts_on_short - 1, ..state };
            out.push((short * state.shorts_on_short as f64, level - 1, self.short_host_freed(left, waiting)));
        }
        if state.longs_on_short > 0 {
            let left = State { longs_on_short: state.longs_on_short - 1, ..state };
            out.push((long * state.longs_on_short as f64, level, self.short_host_freed(left, waiting)));
        }
        if state.shorts_on_long > 0 {
            let left = State { shorts_on_long: state.shorts_on_long - 1, ..state };
            out.push((short * state.shorts_on_long as f64, level - 1, self.long_host_freed(left, waiting)));
        }
        if state.longs_on_long > 0 {
            let left = State { longs_on_long: state.longs_on_long - 1, ..state };
            out.push((long * state.longs_on_long as f64, level, self.long_host_freed(left, waiting)));
        }
        out
    }

    fn short_arrives(self, rates: &Rates, state: State) -> State {
        let (short_idle, long_idle) = (state.idle_short_hosts(rates) > 0, state.idle_long_hosts(rates) > 0);
        let prefers_long = matches!(self, Self::Immediate | Self::Central { tie: Tie::LongHost, .. });
        if long_idle && (prefers_long || !short_idle) {
            State { shorts_on_long: state.shorts_on_long + 1, ..state }
        } else if short_idle {
            State { shorts_on_short: state.shorts_on_short + 1, ..state }
        } else {
            state
        }
    }

    fn long_arrives(self, rates: &Rates, state: State) -> State {
        if state.idle_long_hosts(rates) > 0 {
            State { longs_on_long: state.longs_on_long + 1, ..state }
        } else if self.is_both_ways() && state.idle_short_hosts(rates) > 0 {
            State { longs_on_short: state.longs_on_short + 1, ..state }
        } else {
            State { waiting_longs: state.waiting_longs + 1, ..state }
        }
    }

    /// A short host has become free; `left` is without the job that has gone, `waiting` counts the shorts that wait.
    fn short_host_freed(self, left: State, waiting: usize) -> State {
        let long_waits = left.waiting_longs > 0;
        let named_anew = State {
            shorts_on_short: left.shorts_on_short + 1,
            shorts_on_long: left.shorts_on_long.wrapping_sub(1),
            ..left
        };
        if self.renaming() == Renaming::Eager && long_waits && left.shorts_on_long > 0 {
            // The long takes this host, which changes names with a long host that serves a short.
            return self.long_host_freed(named_anew, waiting);
        }
        if waiting > 0 {
            return State { shorts_on_short: left.shorts_on_short + 1, ..left };
        }
        if self.is_both_ways() && long_waits {
            return State { longs_on_short: left.longs_on_short + 1, waiting_longs: left.waiting_longs - 1, ..left };
        }
        if self.renaming() != Renaming::Never && left.shorts_on_long > 0 {
            return self.long_host_freed(named_anew, waiting);
        }
        left
    }

    fn long_host_freed(self, left: State, waiting: usize) -> State {
        if left.waiting_longs > 0 {
            State { longs_on_long: left.longs_on_long + 1, waiting_longs: left.waiting_longs - 1, ..left }
        } else if waiting > 0 && self != Self::Immediate {
            State { shorts_on_long: left.shorts_on_long + 1, ..left }
        } else {
            left
        }
    }
}

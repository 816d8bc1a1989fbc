//! Cycle stealing against a chain of hosts written from the rules alone, against limits, identities and published tables.

mod common;

use common::{cases, relative_error};
use proptest::prelude::*;
use queueing::markov::Ctmc;
use queueing::prelude::*;
use queueing::stealing::{CentralQueue, CycleStealing, ImmediateDispatch, Policy, Renaming, Tie};
use std::collections::HashMap;

/// What a host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Host {
    Idle,
    Short,
    Long,
}

/// Short hosts first, then long hosts, and the jobs that wait.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    hosts: Vec<Host>,
    shorts: usize,
    longs: usize,
}

#[derive(Debug, Clone, Copy)]
struct Rules {
    short_hosts: usize,
    central: bool,
    renaming: Renaming,
    both_ways: bool,
    tie: Tie,
}

impl Rules {
    /// Host i is idle: it takes a job if the rules give it one.
    fn take(self, state: &mut State, i: usize) {
        let is_short = i < self.short_hosts;
        if is_short && self.renaming == Renaming::Eager && state.longs > 0 {
            // A waiting long means that the long hosts are busy; one that serves a short changes names with this one.
            if let Some(j) = (self.short_hosts..state.hosts.len()).find(|&j| state.hosts[j] == Host::Short) {
                state.hosts.swap(i, j);
                return self.take(state, j);
            }
        }
        let (short, long) = (state.shorts > 0, state.longs > 0);
        let job = match is_short {
            true if short => Host::Short,
            true if long && self.both_ways => Host::Long,
            false if long => Host::Long,
            false if short && self.central => Host::Short,
            _ => Host::Idle,
        };
        match job {
            Host::Short => state.shorts -= 1,
            Host::Long => state.longs -= 1,
            Host::Idle => {
                let renames = is_short && self.renaming != Renaming::Never;
                let helper = (self.short_hosts..state.hosts.len()).find(|&j| renames && state.hosts[j] == Host::Short);
                if let Some(j) = helper {
                    state.hosts.swap(i, j);
                    self.take(state, j);
                }
                return;
            }
        }
        state.hosts[i] = job;
    }

    fn arrive(self, state: &State, class: Host) -> State {
        let mut next = state.clone();
        let idle = |from: usize, to: usize| (from..to).find(|&i| state.hosts[i] == Host::Idle);
        let (short, long) = (idle(0, self.short_hosts), idle(self.short_hosts, state.hosts.len()));
        let host = match class {
            Host::Short if !self.central || self.tie == Tie::LongHost => long.or(short),
            Host::Short => short.or(long),
            _ if self.both_ways => long.or(short),
            _ => long,
        };
        match (host, class) {
            (Some(i), _) => next.hosts[i] = class,
            (None, Host::Short) => next.shorts += 1,
            (None, _) => next.longs += 1,
        }
        next
    }
}

/// E[N_S], E[N_S²], E[N_L], E[N_L²], E[waiting shorts], E[pairs of waiting shorts], P(long host idle), E[shorts on long hosts].
fn brute(rules: Rules, long_hosts: usize, [lambda_s, lambda_l, mu_s, mu_l]: [f64; 4], most: [usize; 2]) -> [f64; 8] {
    let empty = State { hosts: vec![Host::Idle; rules.short_hosts + long_hosts], shorts: 0, longs: 0 };
    let mut numbers = HashMap::from([(empty.clone(), 0)]);
    let (mut states, mut edges) = (vec![empty], Vec::new());
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        let mut out = Vec::new();
        if state.shorts < most[0] {
            out.push((lambda_s, rules.arrive(&state, Host::Short)));
        }
        if state.longs < most[1] {
            out.push((lambda_l, rules.arrive(&state, Host::Long)));
        }
        for i in 0..state.hosts.len() {
            let rate = match state.hosts[i] {
                Host::Idle => continue,
                Host::Short => mu_s,
                Host::Long => mu_l,
            };
            let mut next = state.clone();
            next.hosts[i] = Host::Idle;
            rules.take(&mut next, i);
            out.push((rate, next));
        }
        for (rate, next) in out {
            let to = *numbers.entry(next.clone()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            edges.push((at, to, rate));
        }
        at += 1;
    }
    let law = Ctmc::new(states.len(), edges.iter().copied()).unwrap().stationary().unwrap();
    let mean = |f: &dyn Fn(&State) -> f64| law.iter().zip(&states).map(|(p, state)| p * f(state)).sum::<f64>();
    let count = |state: &State, class: Host, waiting: usize| {
        (state.hosts.iter().filter(|host| **host == class).count() + waiting) as f64
    };
    let shorts = |state: &State| count(state, Host::Short, state.shorts);
    let longs = |state: &State| count(state, Host::Long, state.longs);
    let on_long = |state: &State, class: Host| {
        state.hosts[rules.short_hosts..].iter().filter(|host| **host == class).count() as f64
    };
    [
        mean(&shorts),
        mean(&|state| shorts(state).powi(2)),
        mean(&longs),
        mean(&|state| longs(state).powi(2)),
        mean(&|state| state.shorts as f64),
        mean(&|state| state.shorts as f64 * (state.shorts as f64 - 1.0)),
        mean(&|state| on_long(state, Host::Idle)) / long_hosts as f64,
        mean(&|state| on_long(state, Host::Short)),
    ]
}

fn exponential(rate: f64, mean: f64) -> Workload<Exponential> {
    Workload::new(rate, Exponential::with_mean(mean).unwrap()).unwrap()
}

/// Compares every number that both give.
fn compare(rules: Rules, long_hosts: usize, rates: [f64; 4], most: [usize; 2], tolerance: f64) {
    let [lambda_s, lambda_l, mu_s, mu_l] = rates;
    let (shorts, longs) = (exponential(lambda_s, 1.0 / mu_s), exponential(lambda_l, 1.0 / mu_l));
    let both = if rules.central {
        let options = CentralQueue::default().short_hosts(rules.short_hosts).long_hosts(long_hosts);
        let options = options.renaming(rules.renaming).tie(rules.tie).tolerance(1e-9);
        stealing::central_queue(&shorts, &longs, if rules.both_ways { options.both_ways() } else { options })
    } else {
        let options = ImmediateDispatch::default().short_hosts(rules.short_hosts).long_hosts(long_hosts);
        stealing::immediate_dispatch(&shorts, &longs, options.tolerance(1e-9))
    };
    let both = both.unwrap_or_else(|error| panic!("{rules:?}, {long_hosts}: {error}"));
    let [n_s, n_s2, n_l, n_l2, waiting, pairs, idle, helping] = brute(rules, long_hosts, rates, most);
    let (short, long) = (both.shorts(), both.longs());
    let mut values = vec![
        ("E[N_S]", short.mean_number_in_system().unwrap(), n_s),
        ("E[N_S²]", short.second_moment_number_in_system().unwrap(), n_s2),
        ("E[N_L]", long.mean_number_in_system().unwrap(), n_l),
        ("E[N_L²]", long.second_moment_number_in_system().unwrap(), n_l2),
        ("E[W_S]", short.mean_waiting_time().unwrap(), waiting / lambda_s),
        ("idle", both.long_host_idle.value, idle),
        ("stolen", both.stolen.value, helping / (lambda_s / mu_s)),
    ];
    if rules.central {
        values.push(("E[W_S²]", short.second_moment_waiting_time().unwrap(), pairs / lambda_s / lambda_s));
    }
    for (what, value, expected) in values {
        let error = relative_error(value, expected);
        assert!(
            error < tolerance,
            "{rules:?}, {long_hosts} long hosts, {rates:?}: {what} {value} against {expected}, {error:e}"
        );
    }
}

const CENTRAL: Rules =
    Rules { short_hosts: 1, central: true, renaming: Renaming::Never, both_ways: false, tie: Tie::ShortHost };

#[test]
fn one_long_host_under_every_rule() {
    let rates = [0.7, 0.4, 1.0, 1.25];
    for short_hosts in [1, 2] {
        let rates = [rates[0] * short_hosts as f64, rates[1], rates[2], rates[3]];
        for renaming in [Renaming::Never, Renaming::Eager, Renaming::Lazy] {
            compare(Rules { short_hosts, renaming, ..CENTRAL }, 1, rates, [70, 45], 3e-9);
        }
        compare(Rules { short_hosts, tie: Tie::LongHost, ..CENTRAL }, 1, rates, [70, 45], 3e-9);
        compare(Rules { short_hosts, central: false, ..CENTRAL }, 1, rates, [90, 45], 3e-9);
    }
}

#[test]
fn overloaded_short_host_under_every_rule() {
    let rates = [1.1, 0.3, 1.0, 1.0];
    for renaming in [Renaming::Never, Renaming::Eager, Renaming::Lazy] {
        compare(Rules { renaming, ..CENTRAL }, 1, rates, [110, 35], 3e-8);
    }
}

#[test]
fn several_long_hosts() {
    for (short_hosts, long_hosts) in [(1, 2), (2, 2)] {
        let rates = [0.6 * short_hosts as f64, 0.35 * long_hosts as f64, 1.0, 1.0];
        for renaming in [Renaming::Never, Renaming::Eager, Renaming::Lazy] {
            compare(Rules { short_hosts, renaming, ..CENTRAL }, long_hosts, rates, [36, 24], 1e-7);
        }
        compare(Rules { short_hosts, central: false, ..CENTRAL }, long_hosts, rates, [50, 24], 1e-7);
    }
}

#[test]
fn stealing_both_ways() {
    for (short_hosts, long_hosts) in [(1, 1), (2, 1), (1, 2)] {
        let rates = [0.5 * short_hosts as f64, 0.25 * long_hosts as f64, 1.0, 0.7];
        compare(Rules { short_hosts, both_ways: true, ..CENTRAL }, long_hosts, rates, [34, 34], 1e-7);
    }
}

/// If classes do not differ, two hosts that serve whatever waits are an M/M/2.
#[test]
fn both_ways_of_equal_classes_is_one_queue() {
    for (lambda_s, lambda_l) in [(0.5, 0.5), (0.9, 0.6), (0.3, 1.2)] {
        let options = CentralQueue::default().both_ways().tolerance(1e-9);
        let both = stealing::central_queue(&exponential(lambda_s, 1.0), &exponential(lambda_l, 1.0), options).unwrap();
        let all = exponential(lambda_s + lambda_l, 1.0);
        let queue = multiserver::mmn(&Farm::new(all, Hosts::identical(2).unwrap())).unwrap();
        let number = both.overall().mean_number_in_system().unwrap();
        assert_close!(number, queue.mean_number_in_system().unwrap(), 1e-8, "{lambda_s} {lambda_l}");
    }
}

/// Two long hosts: exact E[T_S] and E[T_L] by a chain of shorts and longs.
///
/// In the third row the shorts pile up while both long hosts serve longs of mean 10: cut off at 219 waiting shorts the chain gives
/// 8.572862631 and 13.849031235, at 300 8.583099 and 13.8490453, at 450 8.584010 and 13.8490463.
#[test]
fn two_long_hosts_as_tabulated() {
    for (k, lambda_s, lambda_l, long, short_response, long_response) in [
        (1, 1.5, 1.0, 1.0, 2.9649040643, 1.7684470819),
        (1, 1.2, 1.0, 1.0, 1.8881603398, 1.6429799852),
        (1, 1.5, 0.1, 10.0, 8.584010, 13.8490463),
        (2, 2.4, 1.0, 1.0, 2.4273190703, 1.7893089985),
    ] {
        let options = CentralQueue::default().short_hosts(k).long_hosts(2).tolerance(1e-9);
        let both = stealing::central_queue(&exponential(lambda_s, 1.0), &exponential(lambda_l, long), options).unwrap();
        let reduced = stealing::central_queue(
            &exponential(lambda_s, 1.0),
            &exponential(lambda_l, long),
            CentralQueue::default().short_hosts(k).long_hosts(2),
        );
        let response = reduced.unwrap().shorts().mean_response_time().unwrap();
        assert!((response / short_response - 1.0).abs() < 7e-4, "by three moments {response}");
        let (short, long) = if long > 1.0 { (1.2e-6, 5e-9) } else { (5e-10, 5e-10) };
        assert_close!(both.shorts().mean_response_time().unwrap(), short_response, short);
        assert_close!(both.longs().mean_response_time().unwrap(), long_response, long);
    }
}

#[test]
fn ties_to_the_long_host_as_tabulated() {
    let options = CentralQueue::default().tie(Tie::LongHost).tolerance(1e-9);
    let both = stealing::central_queue(&exponential(0.9, 1.0), &exponential(0.5, 1.0), options).unwrap();
    assert_close!(both.shorts().mean_response_time().unwrap(), 2.1114148476, 1e-10);
    assert_close!(both.longs().mean_response_time().unwrap(), 2.6258522677, 1e-10);
}

#[test]
fn beneficiaries_as_tabulated() {
    for (n, load, exact, reduced, longs) in [
        (1, 0.9, 2.8282733900, 2.8230502012, 2.4736842105),
        (2, 0.9, 3.6073478242, 3.6037321440, 2.6428571429),
        (5, 0.9, 5.2177424634, 5.2163588465, 2.8181818182),
        (20, 0.9, 7.9165402233, 7.9163940409, 2.9473684211),
        (20, 1.0, 41.1150919364, 41.1149621598, 2.9523809524),
    ] {
        let shorts = vec![exponential(load, 1.0); n];
        let long = exponential(0.5, 1.0);
        let options = ImmediateDispatch::default();
        for (options, expected) in [(options.tolerance(1e-9), exact), (options, reduced)] {
            let farm = stealing::beneficiaries(&shorts, &long, options).unwrap();
            assert_close!(farm.shorts[n - 1].mean_response_time().unwrap(), expected, 1e-10, "{n}");
            assert_close!(farm.longs.mean_response_time().unwrap(), longs, 1e-10, "{n}");
        }
    }
    // One beneficiary is SBCS-ID; different ones do not see each other but through the donor.
    let streams = [exponential(0.4, 1.0), exponential(0.2, 2.0)];
    let farm = stealing::beneficiaries(&streams, &exponential(0.5, 1.0), ImmediateDispatch::default()).unwrap();
    assert_close!(farm.donor_idle.value, 0.5 / 1.8, 1e-15);
    assert!(farm.shorts[1].mean_response_time().unwrap() > farm.shorts[0].mean_response_time().unwrap());
}

/// Balanced H2 shorts of scv 8: exact values and those of the reduction.
#[test]
fn phase_type_shorts_as_tabulated() {
    let shorts = Workload::with_load(HyperExponential::balanced(1.0, 8.0).unwrap(), 0.9).unwrap();
    let longs = exponential(0.5, 1.0);
    let immediate = |options| stealing::immediate_dispatch(&shorts, &longs, options).unwrap();
    let central = |options| stealing::central_queue(&shorts, &longs, options).unwrap();
    let short = |both: &CycleStealing| both.shorts().mean_response_time().unwrap();
    assert_close!(short(&immediate(ImmediateDispatch::default())), 8.2982899912, 1e-10);
    assert_close!(short(&immediate(ImmediateDispatch::default().tolerance(1e-8))), 8.306351193, 3e-9);
    assert_close!(short(&central(CentralQueue::default())), 4.530639217, 1e-9);
    let refined = central(CentralQueue::default().tolerance(1e-8));
    assert_close!(short(&refined), 4.531137300, 3e-9);
    assert_close!(refined.longs().mean_response_time().unwrap(), 4.330095151, 2e-8);
}

/// Without longs two hosts serve the shorts, M/M/2; without shorts the long host is M/G/1.
#[test]
fn limits_of_no_longs_and_no_shorts() {
    for rho in [0.9, 1.5] {
        let response = 1.0 / (1.0 - rho * rho / 4.0);
        for renaming in [Renaming::Never, Renaming::Eager, Renaming::Lazy] {
            for options in [CentralQueue::default(), CentralQueue::default().tolerance(1e-8)] {
                let longs = exponential(1e-13, 1.0);
                let both = stealing::central_queue(&exponential(rho, 1.0), &longs, options.renaming(renaming)).unwrap();
                assert_close!(both.shorts().mean_response_time().unwrap(), response, 1e-11, "{renaming:?} {options:?}");
            }
        }
    }
    let longs = Workload::with_load(Weibull::new(0.5, 1.0).unwrap(), 0.7).unwrap();
    let queue = mg1::fcfs(&longs).unwrap();
    let shorts = exponential(1e-12, 1.0);
    let policies: [&dyn Fn() -> CycleStealing; 3] = [
        &|| stealing::immediate_dispatch(&shorts, &longs, ImmediateDispatch::default()).unwrap(),
        &|| stealing::central_queue(&shorts, &longs, CentralQueue::default()).unwrap(),
        &|| stealing::central_queue(&shorts, &longs, CentralQueue::default().renaming(Renaming::Eager)).unwrap(),
    ];
    for policy in policies {
        let long = policy();
        assert_close!(long.longs().mean_waiting_time().unwrap(), queue.mean_waiting_time().unwrap(), 1e-11);
        let square = queue.second_moment_waiting_time().unwrap();
        assert_close!(long.longs().second_moment_waiting_time().unwrap(), square, 1e-11);
    }
}

/// Beyond a policy's limit the longs keep their numbers, and these are the limits of those below it.
#[test]
fn saturated_shorts_and_saturated_longs() {
    let longs = exponential(0.5, 1.0);
    let limit = |policy| stealing::stability_limit(policy, 1, 0.5).unwrap();
    for renaming in [Renaming::Never, Renaming::Eager, Renaming::Lazy] {
        let limit = limit(Policy::CentralQueue(renaming));
        let at = |load: f64| {
            stealing::central_queue(&exponential(load, 1.0), &longs, CentralQueue::default().renaming(renaming))
                .unwrap()
        };
        let (below, beyond) = (at(limit * (1.0 - 1e-7)), at(limit * 1.5));
        assert!(below.shorts().is_stable() && !beyond.shorts().is_stable() && !beyond.overall().is_stable());
        let (a, b) = (below.longs().mean_response_time().unwrap(), beyond.longs().mean_response_time().unwrap());
        assert!((a / b - 1.0).abs() < 1e-6, "{renaming:?}: {a} below, {b} beyond");
        assert_eq!(beyond.shorts().performance(), Err(Error::Unstable { load: limit * 1.5, limit }));
        assert_close!(beyond.long_host_utilisation.value, 1.0, 1e-12);
    }
    let limit = limit(Policy::ImmediateDispatch);
    let at = |load: f64| {
        stealing::immediate_dispatch(&exponential(load, 1.0), &longs, ImmediateDispatch::default()).unwrap()
    };
    assert!(at(limit * 0.999).shorts().is_stable() && !at(limit * 1.001).shorts().is_stable());
    // Saturated longs leave the shorts their own hosts; with both classes saturated there is no answer.
    let heavy = exponential(1.5, 1.0);
    let alone = stealing::central_queue(&exponential(0.5, 1.0), &heavy, CentralQueue::default()).unwrap();
    assert_close!(alone.shorts().mean_response_time().unwrap(), 2.0, 1e-15);
    assert!(!alone.longs().is_stable());
    let none = stealing::central_queue(&exponential(1.2, 1.0), &heavy, CentralQueue::default());
    assert!(matches!(none, Err(Error::Unstable { .. })), "{none:?}");
    let none = stealing::dedicated(&exponential(1.2, 1.0), &heavy);
    assert!(matches!(none, Err(Error::Unstable { .. })), "{none:?}");
}

/// The unit of time does not matter, and the published approximation is near the refined value where longs are exponential.
#[test]
fn units_and_the_two_solvers() {
    for unit in [1e-9, 1.0, 1e9] {
        let (shorts, longs) = (exponential(1.2 / unit, unit), exponential(0.05 / unit, 10.0 * unit));
        let reduced = stealing::central_queue(&shorts, &longs, CentralQueue::default()).unwrap();
        let refined = stealing::central_queue(&shorts, &longs, CentralQueue::default().tolerance(1e-8)).unwrap();
        assert_close!(reduced.shorts().mean_response_time().unwrap(), 10.036605331 * unit, 1e-9);
        assert_close!(refined.shorts().mean_response_time().unwrap(), 10.0530331007 * unit, 1e-10);
    }
}

#[test]
fn bad_input_and_infinite_moments() {
    let (shorts, longs) = (exponential(0.9, 1.0), exponential(0.5, 1.0));
    let refused = |options: CentralQueue| stealing::central_queue(&shorts, &longs, options).unwrap_err();
    assert_eq!(
        refused(CentralQueue::default().short_hosts(0)).to_string(),
        "short hosts = 0: must be between 1 and 64"
    );
    assert_eq!(refused(CentralQueue::default().long_hosts(9)).to_string(), "long hosts = 9: must be between 1 and 8");
    assert!(refused(CentralQueue::default().tolerance(f64::NAN)).to_string().starts_with("tolerance = NaN"));
    assert!(
        refused(CentralQueue::default().renaming(Renaming::Lazy).both_ways()).to_string().contains("must be Never")
    );
    let erlang = Workload::with_load(Erlang::with_mean(2, 1.0).unwrap(), 0.5).unwrap();
    assert!(stealing::central_queue(&shorts, &erlang, CentralQueue::default().long_hosts(2)).is_err());
    // E[X³] of the longs infinite: three moments cannot be matched, the transform can. E[X²] infinite: so is their wait, and that of
    // shorts that their own host cannot carry.
    let pareto = |alpha: f64| Workload::with_load(Pareto::new(1.0, alpha).unwrap(), 0.5).unwrap();
    assert!(stealing::central_queue(&shorts, &pareto(2.5), CentralQueue::default()).is_err());
    let options = CentralQueue::default().tolerance(1e-6);
    let both = stealing::central_queue(&shorts, &pareto(2.5), options).unwrap();
    assert!(both.longs().mean_waiting_time().unwrap().is_finite());
    assert_eq!(both.longs().second_moment_waiting_time().unwrap(), f64::INFINITY);
    let both = stealing::central_queue(&shorts, &pareto(1.5), CentralQueue::default().tolerance(1e-4)).unwrap();
    assert_eq!(both.longs().mean_waiting_time().unwrap(), f64::INFINITY);
    assert!(both.shorts().mean_waiting_time().unwrap() < 10.0);
    let both =
        stealing::central_queue(&exponential(1.2, 1.0), &pareto(1.5), CentralQueue::default().tolerance(1e-4)).unwrap();
    assert_eq!(both.shorts().mean_waiting_time().unwrap(), f64::INFINITY);
}

fn sizes(kind: usize, mean: f64) -> Law {
    match kind {
        0 => Exponential::with_mean(mean).unwrap().into(),
        1 => HyperExponential::balanced(mean, 8.0).unwrap().into(),
        2 => Erlang::with_mean(3, mean).unwrap().into(),
        3 => Deterministic::new(mean).unwrap().into(),
        4 => Weibull::new(0.6, mean).unwrap().into(),
        _ => BoundedPareto::new(mean, 1e3 * mean, 1.3).unwrap().into(),
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Whatever comes in: numbers that can be what they stand for, or an error. Stealing helps shorts and delays longs.
    #[test]
    fn any_input(
        (short, long) in (0..6_usize, 0..6_usize),
        (short_load, long_load) in (0.05..2.2_f64, 0.02..1.2_f64),
        log_mean in -3.0..3.0_f64,
        policy in 0..4_usize,
        tolerance in prop::option::of(1e-7..1e-3_f64),
    ) {
        let shorts = Workload::with_load(sizes(short, 1.0), short_load).unwrap();
        let longs = Workload::with_load(sizes(long, 10.0_f64.powf(log_mean)), long_load).unwrap();
        let central = |renaming| {
            let options = CentralQueue::default().renaming(renaming);
            stealing::central_queue(&shorts, &longs, tolerance.map_or(options, |tolerance| options.tolerance(tolerance)))
        };
        let both = match policy {
            0 => {
                let options = ImmediateDispatch::default();
                let options = tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
                stealing::immediate_dispatch(&shorts, &longs, options)
            }
            1 => central(Renaming::Never),
            2 if short == 0 => central(Renaming::Eager),
            3 if short == 0 => central(Renaming::Lazy),
            _ => stealing::dedicated(&shorts, &longs),
        };
        let Ok(both) = both else { return Ok(()) };
        for share in [both.long_host_idle, both.stolen, both.short_host_utilisation, both.long_host_utilisation] {
            prop_assert!((0.0..=1.0 + 1e-6).contains(&share.value), "{both:?}");
        }
        for (jobs, outcome) in [(&shorts, both.shorts()), (&longs, both.longs())] {
            let Ok(performance) = outcome.performance() else { continue };
            for (metric, estimate) in performance.metrics() {
                prop_assert!(estimate.value >= 0.0, "{metric} {estimate:?}");
            }
            let (number, response) = (performance.mean_number_in_system().unwrap(), performance.mean_response_time().unwrap());
            prop_assert!(relative_error(number, jobs.rate() * response) < 1e-12);
            if let Ok(square) = performance.second_moment_number_in_system() {
                prop_assert!(square >= number * number * (1.0 - 1e-6), "{square} {number}");
            }
        }
        let slack = 1.0 + tolerance.unwrap_or(0.02);
        if let (Ok(alone), Ok(helped)) = (mg1::fcfs(&shorts), both.shorts().mean_waiting_time()) {
            // Sizes that are no phase type are replaced by one with the same three moments.
            prop_assert!(helped <= slack * alone.mean_waiting_time().unwrap() || short > 2, "{helped} {alone:?}");
        }
        if let (Ok(alone), Ok(delayed)) = (mg1::fcfs(&longs), both.longs().mean_waiting_time()) {
            prop_assert!(delayed >= alone.mean_waiting_time().unwrap() * (1.0 - 1e-9));
        }
    }
}

/// Hardly variable shorts: without longs M/D/2, whose waiting time is known; and no chain that takes minutes.
#[test]
fn equal_short_sizes() {
    let shorts = Workload::with_load(Deterministic::new(1.0).unwrap(), 0.7).unwrap();
    let both = stealing::central_queue(&shorts, &exponential(1e-12, 1.0), CentralQueue::default()).unwrap();
    let two = Farm::with_load(Deterministic::new(1.0).unwrap(), Hosts::identical(2).unwrap(), 0.35).unwrap();
    let queue = multiserver::mdn(&two).unwrap();
    assert_close!(both.shorts().mean_waiting_time().unwrap(), queue.mean_waiting_time().unwrap(), 1e-2);
    let estimate = both.shorts().estimate(Metric::MeanWaitingTime).unwrap();
    assert!(matches!(estimate.accuracy, Accuracy::Approximate { .. }));
    // The longs of SBCS-ID know the sizes themselves: 2 + r_S s_2/(2 s_1 (1 + r_S)).
    let both = stealing::immediate_dispatch(&shorts, &exponential(0.5, 1.0), ImmediateDispatch::default()).unwrap();
    assert_close!(both.longs().mean_response_time().unwrap(), 2.0 + 0.7 / (2.0 * 1.7), 1e-15);
    assert_eq!(both.longs().estimate(Metric::MeanResponseTime).unwrap().accuracy, Accuracy::Exact);
}

#[test]
fn few_longs_are_not_cut_off_unseen() {
    // At 1e-9 longs the second moment of their waiting time comes from two that wait behind shorts.
    let (shorts, longs) = (exponential(0.5, 1.0), exponential(1e-9, 1.0));
    let lazy = |tolerance| {
        let options = CentralQueue::default().renaming(Renaming::Lazy).tolerance(tolerance);
        stealing::central_queue(&shorts, &longs, options).unwrap().longs().second_moment_waiting_time().unwrap()
    };
    let both = |longs: &Workload<Exponential>, metric, tolerance| {
        let options = CentralQueue::default().both_ways().tolerance(tolerance);
        stealing::central_queue(&shorts, longs, options).unwrap().longs().estimate(metric).unwrap()
    };
    // A single long waits for the first host that it could have under either rule, in another chain.
    assert_close!(lazy(1e-3), both(&longs, Metric::SecondMomentWaitingTime, 1e-10).value, 1e-7);
    // Rougher tolerances are as good as they say.
    let longs = exponential(0.02, 1.0);
    let both = |tolerance| both(&longs, Metric::MeanWaitingTime, tolerance);
    let fine = both(1e-10).value;
    for tolerance in [0.1, 1e-2, 1e-4] {
        let Estimate { value, accuracy } = both(tolerance);
        let Accuracy::Numerical { relative_error } = accuracy else { panic!("{accuracy:?}") };
        assert!((value / fine - 1.0).abs() <= relative_error, "{value} against {fine}, stated {relative_error:e}");
    }
}

#[test]
fn saturated_longs_fill_the_short_hosts_both_ways() {
    let options = CentralQueue::default().both_ways();
    let both = stealing::central_queue(&exponential(0.9, 1.0), &exponential(1.5, 1.0), options).unwrap();
    // Of each host a tenth is left by the shorts: longs have 1.1 hosts, 0.1 of it at the short host.
    assert!(matches!(both.longs(), Outcome::Unstable { limit, .. } if (limit - 1.1).abs() < 1e-12));
    assert_close!(both.short_host_utilisation.value, 1.0, 1e-6);
    assert_close!(both.stolen_by_longs.value, 0.1 / 1.1, 1e-6);
}

#[test]
fn probabilities_of_rare_waits_keep_their_digits() {
    let (shorts, longs) = (exponential(0.5, 1.0), exponential(1e-9, 1.0));
    let options = CentralQueue::default().short_hosts(8);
    let value = |tolerance| {
        let queue = stealing::central_queue(&shorts, &longs, options.tolerance(tolerance)).unwrap();
        queue.longs().probability_of_waiting().unwrap()
    };
    assert_close!(value(1e-10), value(1e-6), 1e-6);
    let id = stealing::immediate_dispatch(&exponential(1e-12, 1.0), &longs, ImmediateDispatch::default()).unwrap();
    assert_close!(id.longs().probability_of_waiting().unwrap(), 1e-9 + 1e-12, 1e-11);
}

#[test]
fn a_cutoff_search_says_why_it_has_no_answer() {
    let jobs = Workload::with_load(Pareto::new(1.0, 2.2).unwrap(), 1.2).unwrap();
    let found = |tolerance| {
        let policy = Policy::ImmediateDispatch;
        stealing::optimal_cutoff_with(&jobs, Metric::MeanResponseTime, policy, tolerance).unwrap_err()
    };
    // The reduction needs third moments; no tolerance is 7.
    assert!(matches!(found(None), Error::Argument { name: "third moment", .. }));
    assert!(matches!(found(Some(7.0)), Error::Argument { name: "tolerance", .. }));
}

/// Extrapolation meets infinite means, saturation and rare waits; and a law of many phases that is not hardly variable.
#[test]
fn hardly_variable_shorts_with_anything() {
    let equal = |load: f64| Workload::with_load(Deterministic::new(1.0).unwrap(), load).unwrap();
    let heavy = Workload::with_load(Pareto::new(1.0, 1.5).unwrap(), 0.5).unwrap();
    let options = CentralQueue::default().tolerance(1e-3);
    let both = stealing::central_queue(&equal(0.7), &heavy, options).unwrap();
    assert_eq!(both.longs().mean_waiting_time().unwrap(), f64::INFINITY);
    assert!(both.shorts().mean_waiting_time().unwrap() < 2.0);
    let both = stealing::central_queue(&equal(1.9), &exponential(0.5, 1.0), CentralQueue::default()).unwrap();
    assert!(!both.shorts().is_stable());
    assert!(both.longs().mean_waiting_time().unwrap() > 1.0);
    let both = stealing::central_queue(&equal(1e-6), &exponential(1e-6, 1.0), CentralQueue::default()).unwrap();
    for (_, estimate) in both.shorts().performance().unwrap().metrics() {
        assert!(estimate.value >= 0.0, "{estimate:?}");
    }
    // Mostly the larger of two sizes: a third moment next to its least takes many phases, two moments take four.
    let two_sizes = Workload::with_load(Empirical::from_sizes(&[0.1, 2.0, 2.0, 2.0]).unwrap(), 0.7).unwrap();
    let both = stealing::central_queue(&two_sizes, &exponential(0.05, 10.0), CentralQueue::default()).unwrap();
    let accuracy = both.shorts().estimate(Metric::MeanWaitingTime).unwrap().accuracy;
    assert_eq!(accuracy, Accuracy::Approximate { assumption: Assumption::TwoMoments });
}

//! Which states a chain ends up in.

use crate::error::{Error, Result, require};
use crate::numeric::triplet;

/// The closed classes of a chain: sets of states that reach each other and nothing else, each sorted, by their smallest state.
///
/// `next(i)` lists the states that i leads to. Time and memory grow with the number of transitions.
/// Source: R. Tarjan (1972), without recursion.
pub(crate) fn closed_classes<I: Iterator<Item = usize>>(n: usize, next: impl Fn(usize) -> I) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let (mut order, mut low) = (vec![UNSEEN; n], vec![UNSEEN; n]);
    let mut class = vec![UNSEEN; n];
    let (mut stack, mut classes, mut seen) = (Vec::new(), Vec::<Vec<usize>>::new(), 0);
    for root in 0..n {
        if order[root] != UNSEEN {
            continue;
        }
        let mut calls = Vec::new();
        (order[root], low[root]) = (seen, seen);
        seen += 1;
        stack.push(root);
        calls.push((root, next(root)));
        while let Some((state, rest)) = calls.last_mut() {
            let state = *state;
            if let Some(to) = rest.next() {
                if order[to] == UNSEEN {
                    (order[to], low[to]) = (seen, seen);
                    seen += 1;
                    stack.push(to);
                    calls.push((to, next(to)));
                } else if class[to] == UNSEEN {
                    low[state] = low[state].min(order[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[state]);
            }
            if low[state] == order[state] {
                let from = stack.iter().rposition(|&member| member == state).unwrap_or(0);
                let mut members = stack.split_off(from);
                for &member in &members {
                    class[member] = classes.len();
                }
                members.sort_unstable();
                classes.push(members);
            }
        }
    }
    let leaves = |members: &Vec<usize>| members.iter().any(|&i| next(i).any(|to| class[to] != class[i]));
    let mut closed: Vec<_> = classes.iter().filter(|members| !leaves(members)).cloned().collect();
    closed.sort_unstable_by_key(|members| members[0]);
    closed
}

/// The stationary law of a chain with one closed class, by its rates off the diagonal; states left for good get 0.
///
/// `what` names a state in errors.
pub(super) fn stationary(n: usize, rate: impl Fn(usize, usize) -> f64, what: &'static str) -> Result<Vec<f64>> {
    let classes = closed_classes(n, |i| (0..n).filter(|&j| j != i && rate(i, j) > 0.0).collect::<Vec<_>>().into_iter());
    require(classes.len() == 1, "number of closed classes", classes.len() as f64, "must be 1 for one stationary law")?;
    let members = &classes[0];
    let mut rates: Vec<f64> = Vec::with_capacity(members.len() * members.len());
    for &i in members {
        rates.extend(members.iter().map(|&j| rate(i, j)));
    }
    let inner = triplet::stationary(&mut rates, members.len()).map_err(|row| Error::Datum {
        what,
        index: members[row] + 1,
        value: 0.0,
        requirement: "must lead back to the first one",
    })?;
    let mut law = vec![0.0; n];
    members.iter().zip(inner).for_each(|(&i, p)| law[i] = p);
    Ok(law)
}

#[cfg(test)]
mod tests {
    use super::closed_classes;

    #[test]
    fn a_transient_state_a_trap_and_a_cycle() {
        let edges: [&[usize]; 5] = [&[1, 2], &[3], &[], &[4], &[3]];
        assert_eq!(closed_classes(5, |i| edges[i].iter().copied()), [vec![2], vec![3, 4]]);
        assert_eq!(closed_classes(3, |i| std::iter::once((i + 1) % 3)), [vec![0, 1, 2]]);
    }
}

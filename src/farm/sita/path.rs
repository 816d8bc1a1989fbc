//! The shortest path through layers of places: the best cutoffs on a grid.

/// The least sum of `cost(host, from, to)` over paths through the layers, and the path.
///
/// Layer i, of `sizes[i]` places, is what cutoff i + 1 may take; before the first and after the last layer stands one place each.
/// `None` if every path is infinite. O(Σ sizes[i] sizes[i+1]) costs.
pub(super) fn shortest(sizes: &[usize], mut cost: impl FnMut(usize, usize, usize) -> f64) -> Option<(f64, Vec<usize>)> {
    let mut best = vec![0.0];
    let mut origins: Vec<Vec<u32>> = Vec::with_capacity(sizes.len() + 1);
    for host in 0..=sizes.len() {
        let ends = sizes.get(host).copied().unwrap_or(1);
        let (mut next, mut origin) = (vec![f64::INFINITY; ends], vec![0; ends]);
        for (from, &so_far) in best.iter().enumerate() {
            if so_far == f64::INFINITY {
                continue;
            }
            for to in 0..ends {
                let total = so_far + cost(host, from, to);
                if total < next[to] {
                    next[to] = total;
                    origin[to] = from as u32;
                }
            }
        }
        best = next;
        origins.push(origin);
    }
    let value = best[0];
    if !value.is_finite() {
        return None;
    }
    let mut path = vec![0; sizes.len()];
    let mut at = 0;
    for host in (0..sizes.len()).rev() {
        at = origins[host + 1][at] as usize;
        path[host] = at;
    }
    Some((value, path))
}

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn finds_the_best_of_all_paths() {
        // Two cutoffs of three places each; the best path is 2, 0 by construction.
        let cost = |host: usize, from: usize, to: usize| match (host, from, to) {
            (0, 0, 2) | (1, 2, 0) | (2, 0, 0) => 1.0,
            _ => 5.0 + (from + to) as f64,
        };
        assert_eq!(shortest(&[3, 3], cost), Some((3.0, vec![2, 0])));
        assert_eq!(shortest(&[2], |_, _, _| f64::INFINITY), None);
        assert_eq!(shortest(&[], |_, _, _| 7.0), Some((7.0, vec![])));
    }
}

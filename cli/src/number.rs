//! Numbers for people: five significant digits.

/// A number rounded to five significant digits, at most nine characters wide.
pub(crate) fn short(value: f64) -> String {
    digits(value, 5)
}

/// A job size: whole ones without decimals.
pub(crate) fn size(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e7 { value.to_string() } else { short(value) }
}

/// A number rounded to so many significant digits; whole numbers below ten millions keep all of theirs.
pub(crate) fn digits(value: f64, significant: u8) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    // Rounded first, so that 9.99996 is written like 10.
    let scientific = format!("{value:.*e}", usize::from(significant) - 1);
    let exponent = scientific.rsplit('e').next().and_then(|text| text.parse::<i32>().ok()).unwrap_or(0);
    if (-3..7).contains(&exponent) {
        let decimals = (i32::from(significant) - 1 - exponent).max(0);
        format!("{value:.*}", decimals as usize)
    } else {
        format!("{value:.*e}", usize::from(significant) - 2)
    }
}

/// A share of a whole in per cent.
pub(crate) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    match value {
        _ if value == 0.0 => "0 %".to_owned(),
        _ if value >= 99.95 => format!("{} %", if share == 1.0 { "100".to_owned() } else { digits(value, 5) }),
        _ if value >= 10.0 => format!("{value:.1} %"),
        _ if value >= 0.01 => format!("{value:.2} %"),
        _ => format!("{value:.0e} %"),
    }
}

/// A load; one that is nearly 1 by its distance from it.
pub(crate) fn load(load: f64, spare: f64) -> String {
    if spare > 0.0 && spare < 1e-3 { format!("1-{spare:.1e}") } else { digits(load, 4) }
}

/// A relative error: its order of magnitude. Nothing is known of a value that may be all error.
pub(crate) fn error(value: f64) -> String {
    if value < 1.0 { format!("{value:.0e}") } else { "unknown".to_owned() }
}

/// So many of something.
pub(crate) fn plural(count: f64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1.0 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_digits() {
        for (value, text) in [
            (650.7031526645, "650.70"),
            (9.999996, "10.000"),
            (1.0, "1.0000"),
            (652617.7, "652618"),
            (12345678.0, "1.235e7"),
            (0.0098358, "0.0098358"),
            (0.00012347, "1.235e-4"),
            (0.0, "0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn whole_sizes() {
        assert_eq!(size(88.0), "88");
        assert_eq!(size(88.5), "88.500");
        assert_eq!(size(1e10), "1.000e10");
    }

    #[test]
    fn percents_and_loads() {
        assert_eq!(percent(0.38183), "38.2 %");
        assert_eq!(percent(0.00215), "0.21 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(2.1e-6), "2e-4 %");
        assert_eq!(load(0.8, 0.2), "0.8000");
        assert_eq!(load(1.0, 2.5e-9), "1-2.5e-9");
    }
}

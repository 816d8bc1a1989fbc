//! Cutoffs and loads, a line a host and a group of columns a policy.

use super::{WIDTH, layout::wrap};
use crate::number::{load, percent, size};
use crate::report::{HostRow, Row};

/// The most hosts that are all listed.
const MOST: usize = 40;

/// Of more hosts, this many at either end are listed.
const ENDS: usize = 10;

/// Between two groups.
const GAP: usize = 3;

/// The policies with cutoffs, as many side by side as fit. Nothing if there are none.
pub(super) fn render(rows: &[Row]) -> Option<String> {
    let groups: Vec<Group> = rows.iter().filter(|row| has_cutoffs(row)).map(Group::new).collect();
    if groups.is_empty() {
        return None;
    }
    let hosts = rows.iter().map(|row| row.hosts.len()).max().unwrap_or(0);
    let mut text =
        String::from("Cutoffs: each host serves the sizes up to its cutoff, the last one all that are larger\n");
    if groups.iter().any(|group| group.split) {
        let remark = "(`5 % of 70`: of the jobs of size 70, 5 % go to this host or a lower one, drawn at random)";
        text += &wrap(remark, WIDTH);
    }
    if let Some(load) = groups.iter().flat_map(Group::loads).find(|load| load.starts_with("1-")) {
        text += &wrap(&format!("(`{load}`: the load is below 1 by {})", load.trim_start_matches("1-")), WIDTH);
    }
    let label = "Host".len().max(hosts.to_string().len());
    let mut rest = groups.as_slice();
    while !rest.is_empty() {
        let mut width = label;
        let fitting = rest.iter().take_while(|group| {
            width += GAP + group.width();
            width <= WIDTH
        });
        let count = fitting.count().max(1);
        text += &block(&rest[..count], hosts, label);
        rest = &rest[count..];
        if !rest.is_empty() {
            text.push('\n');
        }
    }
    Some(text)
}

fn has_cutoffs(row: &Row) -> bool {
    row.hosts.iter().any(|host| host.cutoff.is_some())
}

fn block(groups: &[Group], hosts: usize, label: usize) -> String {
    let gap = " ".repeat(GAP);
    let line = |name: &str, cells: &dyn Fn(&Group) -> String| {
        let cells: Vec<String> = groups.iter().map(cells).collect();
        format!("{name:>label$}{gap}{}", cells.join(&gap)).trim_end().to_owned() + "\n"
    };
    let mut text = line("", &|group| format!("{:<1$}", group.name, group.width()));
    text += &line("Host", &|group| group.line(["", "sizes to", "load", "jobs"]));
    for index in 0..hosts {
        if hosts > MOST && index == ENDS {
            let (from, to) = (ENDS + 1, hosts - ENDS);
            text += &wrap(&format!("  ... hosts {from} to {to}: --format csv lists them"), WIDTH);
        }
        if hosts <= MOST || index < ENDS || index >= hosts - ENDS {
            text +=
                &line(&(index + 1).to_string(), &|group| group.line(group.cells[index].each_ref().map(String::as_str)));
        }
    }
    text
}

/// The columns of a policy: share of a split size, cutoff, load, share of the jobs.
struct Group {
    name: &'static str,
    cells: Vec<[String; 4]>,
    widths: [usize; 4],
    split: bool,
}

impl Group {
    fn new(row: &Row) -> Self {
        let cells: Vec<[String; 4]> = row.hosts.iter().map(cells).collect();
        let width = |column: usize, least: usize| {
            cells.iter().map(|cells: &[String; 4]| cells[column].len()).max().unwrap_or(0).max(least)
        };
        let widths = [width(0, 0), width(1, "sizes to".len()), width(2, "load".len()), width(3, "jobs".len())];
        Self { name: row.name, split: widths[0] > 0, cells, widths }
    }

    fn loads(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|[_, _, load, _]| load.as_str())
    }

    fn width(&self) -> usize {
        let gaps = if self.split { 5 } else { 4 };
        self.widths.iter().sum::<usize>() + gaps
    }

    fn line(&self, [share, cutoff, load, jobs]: [&str; 4]) -> String {
        let [a, b, c, d] = self.widths;
        let share = if self.split { format!("{share:>a$} ") } else { String::new() };
        format!("{share}{cutoff:>b$}  {load:>c$}  {jobs:>d$}")
    }
}

fn cells(host: &HostRow) -> [String; 4] {
    let (share, cutoff) = match &host.cutoff {
        Some(cutoff) if cutoff.share < 1.0 => (format!("{} of", percent(cutoff.share)), size(cutoff.size)),
        Some(cutoff) => (String::new(), size(cutoff.size)),
        None => (String::new(), "rest".to_owned()),
    };
    [share, cutoff, load(host.load, host.spare), percent(host.fraction_of_jobs)]
}

//! Arrivals, a block at a time.

use super::input::{Class, Input, Record};
use crate::random::Random;
use crate::size::JobSize;

/// Some tasks in the order in which they arrive.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub times: Vec<f64>,
    pub sizes: Vec<f64>,
    /// What is seen of the sizes; empty where that is the sizes themselves.
    estimates: Vec<f64>,
    /// Empty where there is one class.
    pub classes: Vec<u32>,
    /// Tasks of each job; empty where a job is a task.
    pub tasks: Vec<u32>,
    pub jobs: usize,
}

impl Chunk {
    pub(crate) fn estimates(&self) -> &[f64] {
        if self.estimates.is_empty() { &self.sizes } else { &self.estimates }
    }

    fn clear(&mut self) {
        self.times.clear();
        self.sizes.clear();
        self.estimates.clear();
        self.classes.clear();
        self.tasks.clear();
        self.jobs = 0;
    }
}

/// What makes the arrivals of one replication: the streams of random numbers for gaps, sizes, tasks and errors are its own, so that
/// policies can be compared on the same jobs.
#[derive(Debug)]
pub(crate) struct Generator<'a> {
    classes: Vec<Pool<'a>>,
    /// the share of the jobs of the classes up to each one but the last
    bounds: Vec<f64>,
    mean_gap: f64,
    trace: Option<std::slice::Iter<'a, Record>>,
    /// arrival of the job before, in the time of the trace
    before: Option<f64>,
    is_split: bool,
    is_simple: bool,
    counts: Option<Pool<'a>>,
    error: Option<(&'a dyn JobSize, Random)>,
    random: Random,
    now: f64,
    pub chunk: Chunk,
}

impl<'a> Generator<'a> {
    pub(crate) fn new(input: &Input<'a>, random: &mut Random) -> Self {
        let rate = input.rate(None);
        // Each has its stream whether it uses it or not: what does not depend on tasks and errors stays the same without them.
        let [gaps, counts, errors] = std::array::from_fn(|_| random.split());
        let pool = |class: &Class<'a>| Pool::new(class.size, random.split());
        let classes = input.classes.iter().map(pool).collect();
        let mut below = 0.0;
        let mut bounds: Vec<f64> = input
            .classes
            .iter()
            .map(|class| {
                below += class.rate / rate;
                below
            })
            .collect();
        bounds.pop();
        Self {
            classes,
            bounds,
            mean_gap: 1.0 / rate,
            trace: input.trace.map(<[Record]>::iter),
            before: None,
            is_split: input.count() > 1,
            is_simple: input.classes.len() == 1 && input.tasks.is_none(),
            counts: input.tasks.map(|law| Pool::new(law, counts)),
            error: input.error.map(|law| (law, errors)),
            random: gaps,
            now: 0.0,
            chunk: Chunk::default(),
        }
    }

    /// Makes the next `jobs` jobs, or as many as a trace still has.
    pub(crate) fn fill(&mut self, jobs: usize) {
        if self.is_simple {
            self.fill_simply(jobs);
        } else {
            self.fill_by_job(jobs);
        }
        if let Some((law, random)) = &mut self.error {
            self.chunk.estimates.resize(self.chunk.sizes.len(), 0.0);
            law.draw(random, &mut self.chunk.estimates);
            for (estimate, size) in self.chunk.estimates.iter_mut().zip(&self.chunk.sizes) {
                *estimate *= size;
            }
        }
    }

    /// One Poisson class, a task a job.
    fn fill_simply(&mut self, jobs: usize) {
        let Self { chunk, random, mean_gap, now, .. } = self;
        let [pool] = self.classes.as_mut_slice() else { return };
        chunk.times.resize(jobs, 0.0);
        random.exponentials(&mut chunk.times);
        *now = arrivals(&mut chunk.times, *now, *mean_gap);
        chunk.sizes.resize(jobs, 0.0);
        pool.law.draw(&mut pool.random, &mut chunk.sizes);
        chunk.jobs = jobs;
    }

    fn fill_by_job(&mut self, jobs: usize) {
        self.chunk.clear();
        if self.trace.is_some() {
            self.replay(jobs);
        } else if self.counts.is_some() {
            for _ in 0..jobs {
                let count = self.counts.as_mut().map_or(1, |counts| counts.next() as u32);
                self.chunk.tasks.push(count);
                self.arrive(count as usize);
            }
            self.chunk.jobs = jobs;
        } else {
            self.fill_classes(jobs);
        }
    }

    /// Several Poisson classes, a task a job.
    fn fill_classes(&mut self, jobs: usize) {
        let Self { chunk, random, mean_gap, now, classes, bounds, .. } = self;
        chunk.times.resize(jobs, 0.0);
        random.exponentials(&mut chunk.times);
        *now = arrivals(&mut chunk.times, *now, *mean_gap);
        chunk.classes.resize(jobs, 0);
        chunk.sizes.resize(jobs, 0.0);
        for (class, size) in chunk.classes.iter_mut().zip(&mut chunk.sizes) {
            let drawn = class_of(bounds, random.uniform());
            (*class, *size) = (drawn as u32, classes[drawn].next());
        }
        chunk.jobs = jobs;
    }

    /// One job of some class.
    fn arrive(&mut self, tasks: usize) {
        self.now += self.mean_gap * self.random.exponential();
        let class = class_of(&self.bounds, self.random.uniform());
        if self.is_split {
            self.chunk.classes.extend(std::iter::repeat_n(class as u32, tasks));
        }
        let pool = &mut self.classes[class];
        self.chunk.sizes.extend((0..tasks).map(|_| pool.next()));
        self.chunk.times.extend(std::iter::repeat_n(self.now, tasks));
    }

    fn replay(&mut self, jobs: usize) {
        let Some(trace) = &mut self.trace else { return };
        let is_split = self.is_split;
        for record in trace.by_ref().take(jobs) {
            self.now += record.time - self.before.unwrap_or(record.time);
            self.before = Some(record.time);
            self.chunk.times.push(self.now);
            self.chunk.sizes.push(record.size);
            if is_split {
                self.chunk.classes.push(record.class as u32);
            }
            self.chunk.jobs += 1;
        }
    }

    /// When the last job arrived.
    pub(crate) fn now(&self) -> f64 {
        self.now
    }

    /// Moves the origin of time.
    pub(crate) fn shift(&mut self, by: f64) {
        self.now -= by;
    }
}

/// Turns gaps of mean 1 into times after `now`; the last of them.
fn arrivals(gaps: &mut [f64], mut now: f64, mean_gap: f64) -> f64 {
    // Four at a time, so that a sum need not wait for each one before it.
    let mut fours = gaps.chunks_exact_mut(4);
    for four in &mut fours {
        let [a, b, c, d] = [four[0], four[1], four[2], four[3]].map(|gap| gap * mean_gap);
        let (two, last) = (a + b, c + d);
        let three = two + c;
        let all = two + last;
        four.copy_from_slice(&[now + a, now + two, now + three, now + all]);
        now += all;
    }
    for gap in fours.into_remainder() {
        now += *gap * mean_gap;
        *gap = now;
    }
    now
}

/// The class of a uniform number.
#[inline]
fn class_of(bounds: &[f64], uniform: f64) -> usize {
    /// Up to so many classes it is quicker to compare with all.
    const FEW: usize = 8;
    if bounds.len() <= FEW {
        bounds.iter().map(|bound| usize::from(uniform > *bound)).sum()
    } else {
        bounds.partition_point(|bound| uniform > *bound)
    }
}

/// Sizes of one law, drawn a block at a time.
#[derive(Debug)]
struct Pool<'a> {
    law: &'a dyn JobSize,
    random: Random,
    sizes: Vec<f64>,
    next: usize,
}

impl<'a> Pool<'a> {
    const BLOCK: usize = 256;

    fn new(law: &'a dyn JobSize, random: Random) -> Self {
        Self { law, random, sizes: vec![0.0; Self::BLOCK], next: Self::BLOCK }
    }

    #[inline]
    fn next(&mut self) -> f64 {
        if self.next == self.sizes.len() {
            self.law.draw(&mut self.random, &mut self.sizes);
            self.next = 0;
        }
        self.next += 1;
        self.sizes[self.next - 1]
    }
}

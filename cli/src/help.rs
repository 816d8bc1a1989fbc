//! What `--help` adds to the options.

pub(crate) const EXAMPLES: &str = "\
Examples:
  queueing compare                                     the embedded trace, 8 hosts at load 0.8
  queueing compare --hosts 4 --load 0.6 --sizes jobs.txt
  queueing compare --sizes jobs.csv --column runtime   a column of a CSV file
  queueing compare --sizes log.swf --rate 0.01         a log of the Parallel Workloads Archive
  queueing compare --sizes log.txt --column 3          the third column
  cut -f 3 log.tsv | queueing compare --sizes -        standard input
  queueing compare --summary mean=650.7,max=652617,p50=108.6,p90=1058,p99=10337
  queueing compare --hosts 3 --cutoffs 1000,20000      your own cutoffs beside the best
  queueing compare --law bounded-pareto:k=332,p=1e10,alpha=1.1 --hosts 2
  queueing compare --format json | jq '.policies[].metrics.mean_slowdown'
  queueing stealing --help                             shorts on idle long hosts";

pub(crate) const SIMULATE: &str = "\
Examples:
  queueing simulate --policy lwl                       the embedded trace, 8 hosts at load 0.8
  queueing simulate --law exponential:mean=1 --hosts 1 --discipline srpt --load 0.9 --jobs 1e7
  queueing simulate --policy jsq2 --hosts 100 --law weibull:mean=1,scv=10 --until 0.01
  queueing simulate --policy tags --hosts 2 --cutoffs 3 --law exponential:mean=1 --load 0.3

Policies: random, round-robin, jsq (shortest queue of all), jsq2 (of two drawn at random), jiq (an
idle host, else any), lwl (least work left), sita-e (ranges of equal load), sita-v-waiting and
sita-v-slowdown (the best ranges), sita and tags with --cutoffs.
Disciplines: fcfs, lcfs, siro (random order), ps (processor sharing), plcfs (preemptive lcfs), sjf,
psjf (preemptive), srpt, fb (least attained service), lrpt.
Exit status: 0 for an answer, 2 for bad input.";

pub(crate) const CROSSCHECK: &str = "\
The CSV file has names in its first line. Either a row a metric:
  metric,mean,standard_error,jobs        or half_width (95 %) instead of standard_error; without
  mean_waiting_time,3.91,0.05,1000000    jobs heavy tails are not looked for
or a row a job, with some of the columns
  arrival_time,waiting_time,response_time,slowdown,waiting_slowdown
Slowdown is T/X, waiting slowdown W/X. The model is a formula where there is one, else a simulation.
Policies and disciplines are those of queueing simulate --help.

Verdicts: consistent; inconsistent, at the level of --level for all metrics together; inconclusive,
if too much of the moment of the sizes that decides the metric lies beyond the largest size that so
many jobs are likely to hold. Exit status: 0; 1 if some metric is inconsistent; 2 for bad input.";

pub(crate) const COMPARE: &str = "\
Policies:
  Random/FCFS        each job to a host drawn at random; hosts serve first come, first served
  Random/PS          the same; hosts share their speed among all their jobs (processor sharing)
  LWL (M/G/n)        each job to the host with the least work left, like one queue for all hosts;
                     for other than phase-type sizes approximate, by three moments of the sizes
  SITA-E             each host serves one range of sizes, ranges bring equal loads; FCFS hosts;
                     splits the jobs of one size between hosts where equal loads require it
  SITA-V (waiting)   the ranges that minimise the mean waiting time; FCFS hosts
  SITA-V (slowdown)  the ranges that minimise the mean slowdown; FCFS hosts
  1 fast, SRPT       no policy for the hosts but a bound for all: one server of their total speed,
                     which serves the job with the least work left
  1 fast, PS         the same server, shared by all jobs
  SITA (given)       the ranges between the sizes of --cutoffs; FCFS hosts
  SBCS-ID, SBCS-CQ   two ranges, and an idle host of the long jobs helps the short ones (cycle
                     stealing: queueing stealing --help); at the cutoff that minimises the mean
                     waiting time; with --stealing, for exactly two hosts
SITA-V keeps the jobs of one size together unless --split is given.
Jobs arrive in a Poisson stream, sizes are independent, SITA knows them on arrival. The response
time T is waiting plus service; the slowdown is T/X, the response time over the job's size X. The
load is per host: arrival rate x mean size / hosts.

Files of sizes (plain text, the format is recognised; comments after #, blank lines and a header
line are fine; commas, semicolons, tabs or blanks separate columns; decimals have a point):
  one size a line
  size,count         columns of these names, or two columns without names
  more columns       with --column NAME, and --counts NAME if a row stands for several jobs
  SWF                Standard Workload Format: header lines with ;, 18 columns; reads the run time,
                     or another column with --column N
NAME is the name of a column (if none is spelled like this, its letters may differ in case) or, if
no column has it, its number, from 1 on. Without a header line columns have numbers only.
Sizes of 0, and the -1 (unknown) of SWF, are left out, counted, and reported on standard error. A
--rate counts the jobs of size 0, too: they bring no load.

A summary (--summary) has mean and max, perhaps min, and percentiles such as p50 or p99.9. The page
tells what is assumed between them.

Laws (scv is the squared coefficient of variation, Var[X]/E[X]^2):
  exponential:mean=2                         or rate
  erlang:stages=3,mean=2
  gamma:shape=2,scale=3                      or mean, scv
  hyperexponential:p1=0.9,mean1=0.5,mean2=8  or mean, scv (balanced); or p1, mean1, p2, mean2, ...
  weibull:shape=0.5,scale=2                  or mean, scv
  lognormal:mu=0,sigma=1.5                   or mean, scv
  pareto:k=1,alpha=2.5                       or mean, alpha; or mean, scv
  bounded-pareto:k=332,p=1e10,alpha=1.1      or mean, p, alpha
  uniform:a=1,b=4                            or mean, scv
  deterministic:value=3
  web-files:mu=9.357,sigma=1.318,k=133000,alpha=1.1,tail=0.07    lognormal, Pareto tail from k on
  mixture:0.9*(exponential:mean=1)+0.1*(pareto:k=1,alpha=2)      weight*(law)+...
  empirical:2x2+1x4+1x8                                          count x size
  interval:a=1,b=3,law=(exponential:mean=2)                      X given a < X <= b
  coxian2:rate1=2,rate2=0.1,p=0.15           with probability p a second phase
  phase-type:alpha=[0.5,0.5],t=[-1,0.5;0,-2]                     start law and rates, row by row
Laws with parentheses or * need quotes in a shell.

Formats:
  table  to read: at most 100 columns wide, numbers rounded
  csv    a number a line: section,policy,host,quantity,value,accuracy,error,note; infinity is inf
  json   an object of workload, farm, policies, without_largest_job; infinity is the text \"inf\"
CSV and JSON hold every digit and all metrics, and only they have the means of each host: look in
--format csv for its waiting time and slowdown. The accuracy is exact (rounding only), numerical
(error: its relative error), approximate, or simulated (error: the standard error); exact is exact
for the law, not for the world. The optimality of SITA-V is the estimated relative distance of the
optimised mean from its minimum; it is missing (null) where the search was not complete.

Exit status: 0 for an answer, even if a policy is infeasible or its mean infinite; 2 for bad input.";

pub(crate) const SINGLE: &str = "\
Disciplines:
  FCFS, LCFS, SIRO   first come first served, last come first served, random order; no interruptions
  PS                 processor sharing
  preemptive LCFS    an arriving job interrupts, the interrupted one resumes later
  SJF, PSJF          shortest job first, without and with interruptions
  SRPT               shortest remaining processing time
  FB                 foreground-background (least attained service): sizes need not be known
  LRPT               longest remaining processing time
The slowdown T/X is the response time over the job's size. By size: the mean slowdown of a job of the
size that this share of the jobs does not exceed. Percentiles of waiting and response time are those
under FCFS; for other disciplines there is no formula.

Job sizes, files and laws: as told by `queueing compare --help`.

Examples:
  queueing mg1                                              the embedded trace at load 0.8
  queueing mg1 --load 0.9 --law bounded-pareto:k=332,p=1e10,alpha=1.1
  queueing mg1 --format csv --sizes jobs.txt";

pub(crate) const STEALING_EXAMPLES: &str = "\
Examples:
  queueing stealing --short-law exponential:mean=1 --short-load 0.9 \\
                    --long-law hyperexponential:mean=10,scv=8 --long-load 0.5
  queueing stealing --short-sizes web.txt --short-rate 2 --long-sizes batch.swf --long-rate 0.01
  queueing stealing --short-law exponential:mean=1 --sweep 0.3,0.6,0.9,1.2 \\
                    --long-law exponential:mean=1 --long-load 0.5 --tolerance 1e-8
  queueing stealing --split-by 1000                    the embedded trace, divided at 1000
  queueing stealing --load 0.7 --minimise slowdown     at the best cutoff of each policy
  queueing stealing --law weibull:mean=1,scv=40 --load 0.7 --split-by 9 --short-hosts 2";

pub(crate) const STEALING: &str = "\
Two classes, shorts and longs, have hosts of their own. Policies:
  Dedicated        shorts to the short hosts, longs to the long hosts
  SBCS-ID          an arriving short takes the long host if that is idle, else it waits for a short
                   host (cycle stealing with immediate dispatch)
  SBCS-CQ          one central queue: a long host that finds no long waiting takes a short
  SBCS-CQ, eager   the same; a long that finds all hosts on shorts takes the one that frees first
  SBCS-CQ, lazy    the same; roles are exchanged only when a short host runs idle while the long
                   host serves a short
Service is not preemptive, first come first served in each class; arrivals are Poisson.

The classes come either as two workloads (--short-..., --long-...; their loads are arrival rate x
mean size, in hosts, and may exceed the number of their hosts) or from one workload that is divided
by size, at --split-by or at the best cutoff for each policy (one short and one long host).

The policies are solved to a relative error of 1e-6, or --tolerance. --three-moments matches only
three moments of the times that long hosts are away, as published: faster, labelled approximate,
usually within 1 %, up to 15 % off for very variable longs. Without a --tolerance short sizes of
little variability are solved so, and the best cutoffs sought so (a second a policy, minutes for
sizes of little variability); the means at these cutoffs are then solved as the others.
Renaming takes minutes for short sizes of little variability, or several phases on many hosts: it
is left out there unless --renaming asks for it. Short sizes that are no phase type are replaced by
one with the same three moments, and the answer labelled approximate.

Files of sizes, summaries and laws are those of `queueing compare --help`.

Formats:
  table  to read: at most 100 columns wide, numbers rounded
  csv    a number a line: section,short_load,policy,class,quantity,value,accuracy,error,note
  json   an object of workloads, hosts, minimised, points; each point has a short_load (null for one
         workload) and policies with shorts, longs, all; infinity is the text \"inf\"

Exit status: 0 for an answer, even if a class has no steady state under a policy; 2 for bad input.";

export { type JobRunner, type Sweep, type SweepObserver, startJobs } from './runner.ts';

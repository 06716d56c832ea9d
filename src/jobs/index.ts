export { type JobRunner, type Sweep, startJobs } from './runner.ts';

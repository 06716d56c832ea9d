export { type Job, type JobObserver, type JobRunner, startJobs } from './runner.ts';

export { type Job, type JobRunner, startJobs } from './runner.ts';

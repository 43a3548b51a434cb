import { PausedJobs } from '../test/engine/support/pausedJobs';
import { n8nForTests } from './testN8n';

export const jobs = new PausedJobs();
/** The n8n of importItems.e2e.ts. */
export const running = n8nForTests({ httpsLinks: true, sandbox: { jobTiming: jobs.jobTiming } });

/**
 * Jest `setupFiles`: each worker has a separate database in the run's Redis, which has 16. Files that run in parallel are not
 * replicas of each other, and one does not find what another has left of the same device.
 */
const { TEST_REDIS_URL: shared, JEST_WORKER_ID: worker = '0' } = process.env;
if (shared) process.env['TEST_REDIS_URL'] = new URL(`/${Number(worker) % 16}`, shared).href;

export {};

/**
 * Jest `setupFiles`: each worker has a database of its own in the Redis of the run, which has 16. Files that run side by side are no
 * replicas of each other, and one does not find what another has left of the same device.
 */
const { TEST_REDIS_URL: shared, JEST_WORKER_ID: worker = '0' } = process.env;
if (shared) process.env['TEST_REDIS_URL'] = new URL(`/${Number(worker) % 16}`, shared).href;

export {};

/** Provider: how long the hub has a device on trial, in seconds. 0 leaves that to the devices. */
export const TRIAL_SECONDS = Symbol('ROLLOUT_TRIAL_SECONDS');

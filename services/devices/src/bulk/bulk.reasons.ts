/** Why a device failed, where no single action says so. */
export const REASONS = {
  offline: 'The device is not connected.',
  denied: 'You may not do this to the device.',
  missing: 'The device does not exist, or you may not see it.',
  withdrawn: 'Your permission for this action was withdrawn.',
  moved: 'The device was moved to another account after the job started.',
  noRollout: 'No open rollout includes the device.',
  interrupted: 'The hub stopped while it asked the device, so the outcome is unknown.',
  noAnswer: 'The device did not answer in time.',
  internal: 'Something went wrong on our side.',
} as const;

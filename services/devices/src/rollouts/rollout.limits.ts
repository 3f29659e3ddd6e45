/** Devices that work on one rollout's version at the same time. */
export const AT_ONCE = 50;

/** A rollout stops by itself when so many of the devices that tried have failed, and more than a tenth of them. */
const FAILED_MIN = 3;
const FAILED_SHARE = 0.1;

/** Seconds between two questions to a device that works on it, and to one whose terminals are open. */
export const ASK_WORKING_S = 5;
export const ASK_BUSY_S = 15;

/** A version flaps where breaks of the link weigh so much more since the update than in the day before; crashes that devices report, 3. */
export const FLAPS_WEIGHT = 5;

/** How long a device may be away in the middle of an update, work on one without progress, download it, and keep its terminals open. */
export const AWAY_MINUTES = 10;
export const WORKING_HOURS = 2;
export const DOWNLOAD_HOURS = 24;
export const BUSY_HOURS = 24;

/** Whether so many failures of so many attempts say that the version is bad. */
export function tooManyFailed(failed: number, tried: number): boolean {
  return failed >= FAILED_MIN && failed > tried * FAILED_SHARE;
}

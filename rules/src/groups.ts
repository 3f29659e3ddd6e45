import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Groups that an invitation names, by id or name: 1 to 10. */
export const inviteGroups = z
  .array(z.string().trim().min(1).max(200))
  .min(1, 'At least one group is needed.')
  .max(LIMITS.inviteGroups, `At most ${LIMITS.inviteGroups} groups.`);

import { PresenceState, type PresenceSpan } from '@warren/proto/devices/v1/devices';
import { z } from 'zod';
import { isoTime, timeSchema } from '../http/schemas.ts';

export const devicePresenceQuery = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(744)
    .default(24)
    .describe('How far to look back: 1 to 744 hours, which are 31 days.'),
});
export type DevicePresenceQuery = z.output<typeof devicePresenceQuery>;

const STATES = {
  [PresenceState.UNSPECIFIED]: 'Unknown',
  [PresenceState.CONNECTED]: 'Connected',
  [PresenceState.DISCONNECTED]: 'Disconnected',
  [PresenceState.UNKNOWN]: 'Unknown',
} as const;

/** When a device was connected. */
export const devicePresenceSchema = z
  .object({
    hours: z.int(),
    spans: z
      .array(
        z.object({
          from: timeSchema,
          to: timeSchema,
          state: z.enum(['Connected', 'Disconnected', 'Unknown']).describe('Unknown: the device was not yet here.'),
        }),
      )
      .describe('Oldest first, without gaps; the last one ends now.'),
  })
  .meta({
    id: 'DevicePresence',
    examples: [
      {
        hours: 24,
        spans: [{ from: '2026-01-30T08:15:30.000Z', to: '2026-01-31T08:15:30.000Z', state: 'Connected' }],
      },
    ],
  });

export const spanJson = ({ from, to, state }: PresenceSpan) => ({
  from: isoTime(from),
  to: isoTime(to),
  state: STATES[state] ?? STATES[PresenceState.UNSPECIFIED],
});

import { plainAddress } from '@warren/platform/http/client.address';
import type { OwnSession } from '@warren/proto/identity/v1/identity';
import { z } from 'zod';
import { isoTime, timeSchema, yesNo, yesNoSchema } from '../http/schemas.ts';
import { browserOf } from './user.agent.ts';
import { FLEET } from '../http/example.fleet.ts';

export const ownSessionIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'expected the id of a session')
  .meta({ description: 'As listed.', examples: ['3f2a9c0d5b7e41688d1f6a2b9c3e7f10'] });

const ownSessionSchema = z
  .object({
    id: ownSessionIdSchema,
    current: yesNoSchema.describe('Yes: the session of this call.'),
    started_at: timeSchema,
    used_at: timeSchema.describe('When it was last used; accurate to a minute.'),
    address: z.string().describe('IP address that the sign-in came from; empty if not known.'),
    browser: z.string().describe("Browser and system by the browser's own words; empty if not known."),
  })
  .meta({
    id: 'OwnSession',
    examples: [
      {
        id: '3f2a9c0d5b7e41688d1f6a2b9c3e7f10',
        current: 'Yes',
        started_at: FLEET.at,
        used_at: FLEET.at,
        address: '203.0.113.7',
        browser: 'Firefox on Linux',
      },
    ],
  });

export const ownSessionListSchema = z
  .object({ sessions: z.array(ownSessionSchema) })
  .meta({ id: 'OwnSessionList', description: 'Newest first.' });

export function ownSessionJson(session: OwnSession): z.output<typeof ownSessionSchema> {
  const { id, current, created, used, remoteAddress, userAgent } = session;
  const times = { started_at: isoTime(created), used_at: isoTime(used) };
  return {
    id,
    current: yesNo(current),
    ...times,
    address: plainAddress(remoteAddress),
    browser: browserOf(userAgent),
  };
}

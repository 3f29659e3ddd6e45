import type { AlertSilence } from '@warren/proto/fleet/v1/alerts';
import { silenceReason } from '@warren/rules/alerts';
import { z } from 'zod';
import { filterText } from '../devices/device.schemas.ts';
import { doneSchema } from '../http/done.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

export const createSilenceBody = z
  .object({
    account: idSchema.describe('The account whose alerts are silenced.'),
    filter: filterText.describe('The devices whose alerts are silenced. If empty, all of the account.'),
    until: timeSchema.describe('Within a year.'),
    reason: silenceReason.describe('Why the devices are silenced.'),
  })
  .meta({
    id: 'CreateAlertSilence',
    examples: [
      {
        account: FLEET.account.id,
        filter: 'site=north',
        until: '2026-12-31T18:00:00.000Z',
        reason: 'Works on the power line.',
      },
    ],
  });
export type CreateSilenceBody = z.output<typeof createSilenceBody>;

const silenceSchema = z
  .object({
    id: idSchema,
    accountId: idSchema,
    accountName: z.string(),
    filter: z.string().describe('By the grammar of docs/filters.md. If empty, all devices of the account.'),
    until: timeSchema,
    reason: z.string(),
    createdBy: z.string().describe('E-mail of who made it.'),
    createdAt: timeSchema,
  })
  .meta({
    id: 'AlertSilence',
    examples: [
      {
        id: FLEET.id,
        accountId: FLEET.account.id,
        accountName: FLEET.account.name,
        filter: 'site=north',
        until: FLEET.later,
        reason: 'Works on the power line.',
        createdBy: FLEET.owner.email,
        createdAt: FLEET.at,
      },
    ],
  });

export const silenceListSchema = z
  .object({ silences: z.array(silenceSchema).describe('Those that have not ended, by their end; at most 2,000.') })
  .meta({ id: 'AlertSilenceList' });

export const silenceAnswerSchema = doneSchema.extend({ result: silenceSchema }).meta({ id: 'AlertSilenceAnswer' });

export function silenceJson(silence: AlertSilence): z.output<typeof silenceSchema> {
  const { id, accountId, accountName, filter, reason, createdBy } = silence;
  const until = isoTime(silence.until);
  return { id, accountId, accountName, filter, until, reason, createdBy, createdAt: isoTime(silence.createdAt) };
}

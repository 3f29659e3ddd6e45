import type { MessageInitShape } from '@bufbuild/protobuf';
import type { UpdateWindowSchema, UpdateWindowResponse } from '@warren/proto/devices/v1/rollouts';
import { timeOfDay, timeZone, WEEKDAYS } from '@warren/rules/updates';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { isoTime, timeSchema } from '../http/schemas.ts';

const WINDOW = { days: ['sat', 'sun'] as ('sat' | 'sun')[], from: '02:00', to: '05:00', time_zone: 'Europe/Berlin' };

const windowSchema = z
  .object({
    days: z.array(z.enum(WEEKDAYS)).min(1, 'expected at least one day').describe('The days on which it opens.'),
    from: timeOfDay.describe('Local time, HH:MM.'),
    to: timeOfDay.describe('Local time, HH:MM. Not later than `from`: on the next day. The same: 24 hours.'),
    time_zone: timeZone.describe('IANA time zone, whose changes of clocks it follows.'),
  })
  .meta({ id: 'UpdateWindow', examples: [WINDOW] });

const answerFields = {
  window: windowSchema.nullable().describe('Null: always.'),
  open: z.boolean().describe('Whether rollouts may begin updates now.'),
  opens: timeSchema.nullable().describe('When it opens next; null while it is open.'),
};

export const updateWindowAnswerSchema = z
  .object(answerFields)
  .meta({ id: 'UpdateWindowAnswer', examples: [{ window: WINDOW, open: false, opens: '2026-01-31T01:00:00.000Z' }] });

export const updateWindowChangedSchema = doneSchema
  .extend({ result: updateWindowAnswerSchema })
  .meta({ id: 'UpdateWindowChanged' });

export const updateWindowBody = z
  .object({ window: windowSchema.nullable().describe('Null: always.') })
  .meta({ id: 'SetUpdateWindow', examples: [{ window: WINDOW }] });
export type UpdateWindowBody = z.output<typeof updateWindowBody>;

/** A window as the devices service takes it; undefined for always. */
export function windowMessage(
  window: UpdateWindowBody['window'],
): MessageInitShape<typeof UpdateWindowSchema> | undefined {
  if (!window) return undefined;
  const { days, from, to, time_zone: zone } = window;
  return { days: days.map((day) => WEEKDAYS.indexOf(day) + 1), from, to, timeZone: zone };
}

export function windowJson(answer: UpdateWindowResponse): z.output<typeof updateWindowAnswerSchema> {
  const { window, open, opens } = answer;
  return {
    window: window
      ? {
          days: window.days.flatMap((day) => WEEKDAYS[day - 1] ?? []),
          from: window.from,
          to: window.to,
          time_zone: window.timeZone,
        }
      : null,
    open,
    opens: opens ? isoTime(opens) : null,
  };
}

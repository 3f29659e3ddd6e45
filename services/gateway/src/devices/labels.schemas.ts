import { LABEL_LIMITS, labelKey, labels, notes } from '@warren/rules/labels';
import { z } from 'zod';
import { accountFilterSchema, idSchema } from '../http/schemas.ts';
import { filterText } from './device.schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const MOST_IDS = 1_000;

export const labelDevicesBody = z
  .object({
    ids: z
      .array(idSchema)
      .min(1, 'expected at least one device')
      .max(MOST_IDS, `expected at most ${MOST_IDS} devices`)
      .optional()
      .describe('The devices. If absent, all that `filter` holds for in `account`.'),
    filter: filterText.optional(),
    account: accountFilterSchema,
    set: labels.default({}).describe(`Labels to set; a device has at most ${LABEL_LIMITS.perDevice}.`),
    remove: z.array(labelKey).max(LABEL_LIMITS.perDevice).default([]).describe('Keys of labels to remove.'),
  })
  .superRefine(({ ids, filter }, context) => {
    if ((ids === undefined) !== (filter === undefined)) return;
    for (const path of ['ids', 'filter'])
      context.addIssue({ code: 'custom', path: [path], message: 'expected either ids or a filter' });
  })
  .refine(({ set, remove }) => Object.keys(set).length + remove.length > 0, {
    path: ['set'],
    error: 'expected a label to set or to remove',
  })
  .meta({
    id: 'LabelDevices',
    examples: [{ ids: [FLEET.device.id], set: { site: 'north' }, remove: ['retired'] }],
  });
export type LabelDevicesBody = z.output<typeof labelDevicesBody>;

export const labelledSchema = z
  .object({ changed: z.int().describe('Devices whose labels are different now.') })
  .meta({ id: 'Labelled', examples: [{ changed: 12 }] });

export const listLabelsQuery = z.object({ account: accountFilterSchema });
export type ListLabelsQuery = z.output<typeof listLabelsQuery>;

export const labelListSchema = z
  .object({
    labels: z.array(
      z.object({
        key: z.string(),
        count: z.int().describe('Devices that have it.'),
        values: z
          .array(z.object({ value: z.string(), count: z.int() }))
          .describe('The most frequent first, at most 100.'),
      }),
    ),
  })
  .meta({
    id: 'LabelList',
    examples: [{ labels: [{ key: 'site', count: 12, values: [{ value: 'north', count: 12 }] }] }],
  });

export const setNotesBody = z
  .object({ notes: notes.describe('Replaces what was there.') })
  .meta({ id: 'SetNotes', examples: [{ notes: 'In the pump house, behind the door.' }] });
export type SetNotesBody = z.output<typeof setNotesBody>;

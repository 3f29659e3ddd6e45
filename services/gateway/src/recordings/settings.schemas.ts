import { filterText } from '@warren/rules/filter/saved';
import {
  recordingDays,
  RECORDING_FULL,
  RECORDING_POLICIES,
  recordingQuota,
  recordingRedactions,
} from '@warren/rules/recordings/settings';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';

const fields = {
  policy: z
    .enum(RECORDING_POLICIES)
    .describe('`best_effort` marks gaps; with `required` there is no session without a recorder.'),
  filter: filterText.describe('The devices to record. If empty, all.'),
  days: recordingDays.nullable().describe('Days that recordings are kept. If null, the default of the installation.'),
  quota: recordingQuota.nullable().describe('Bytes that recordings take. If null, the default of the installation.'),
  full: z.enum(RECORDING_FULL).describe('What happens when the quota is used up.'),
  redactions: recordingRedactions.describe(
    'Regular expressions (RE2) whose matches are masked in exports and searches.',
  ),
  search: z.boolean().describe('Whether the text of terminals is kept for searches.'),
  desktops: z.boolean().describe('Whether desktops are recorded too.'),
};

const SETTINGS = {
  policy: 'best_effort',
  filter: 'site=north',
  days: 30,
  quota: null,
  full: 'drop_oldest',
  redactions: ['token=[a-z0-9]+'],
  search: true,
  desktops: false,
} as const;

export const recordingSettingsQuery = z.object({ account: idSchema.optional().describe('If absent, your own.') });
export type RecordingSettingsQuery = z.output<typeof recordingSettingsQuery>;
export const setRecordingSettingsBody = z
  .strictObject({
    account: idSchema.optional().describe('If absent, your own.'),
    version: z
      .int()
      .min(0)
      .optional()
      .describe('The version that you read. If absent, the present settings are replaced.'),
    ...fields,
  })
  .meta({
    id: 'SetRecordingSettings',
    examples: [SETTINGS],
  });
export type SetRecordingSettingsBody = z.output<typeof setRecordingSettingsBody>;
export const recordingSettingsSchema = z
  .object({
    ...fields,
    version: z.int(),
    defaultDays: z.int().describe('Default of the installation.'),
    defaultQuota: z.int().describe('Default of the installation, in bytes.'),
    used: z.int().describe('Bytes that the recordings take.'),
    recordings: z.int(),
    problem: z.string().nullable().describe('Why nothing can be recorded now, for people.'),
  })
  .meta({
    id: 'RecordingSettings',
    examples: [
      {
        ...SETTINGS,
        version: 3,
        defaultDays: 90,
        defaultQuota: 50_000_000_000,
        used: 1_200_000,
        recordings: 14,
        problem: null,
      },
    ],
  });
export const recordingSettingsChangedSchema = doneSchema
  .extend({ result: recordingSettingsSchema })
  .meta({ id: 'RecordingSettingsChanged' });

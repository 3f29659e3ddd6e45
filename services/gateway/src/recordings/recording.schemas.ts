import { PRINTABLE } from '@warren/rules/printable';
import { holdReason, RECORDING_FORMATS, RECORDING_KINDS, RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { accountFilterSchema, booleanSchema, idSchema, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const PAGE = 50;
const MOST = 200;
const MAX_TEXT = 200;
const MOST_CHUNKS = 10_000;
const { search: SEARCH } = RECORDING_LIMITS;

const text = z
  .string()
  .trim()
  .max(MAX_TEXT, `expected at most ${MAX_TEXT} characters`)
  .regex(PRINTABLE, 'expected text without control characters');
const count = z.coerce.number().int().min(0);
const limit = z.coerce.number().int().min(1).max(MOST).default(PAGE).describe(`1 to ${MOST}.`);
const filters = {
  account: accountFilterSchema,
  device: idSchema.optional().describe('Recordings of this device.'),
  person: text.optional().describe('Id or e-mail address of the person whose session it was.'),
  from: timeSchema.optional().describe('Sessions that started at this time or later.'),
  to: timeSchema.optional().describe('Sessions that started before this time.'),
};

export const listRecordingsQuery = z.object({
  ...filters,
  kind: z.enum(RECORDING_KINDS).optional().describe('Sessions of this kind.'),
  live: booleanSchema.optional().describe('Sessions that are open, or those that are over.'),
  held: booleanSchema.optional().describe('Recordings that are held, or the others.'),
  own: booleanSchema.default(false).describe('Only your own sessions.'),
  limit,
  before: idSchema.optional().describe('`next` of the page before: older recordings.'),
});
export type ListRecordingsQuery = z.output<typeof listRecordingsQuery>;

export const searchRecordingsQuery = z.object({
  ...filters,
  search: text
    .min(SEARCH.min, `expected at least ${SEARCH.min} characters`)
    .describe('Part of a line that appeared on the screen, in any case.'),
  recording: idSchema.optional().describe('Only in this recording, oldest hit first.'),
  limit,
  cursor: z.string().max(100).default('').describe('`next` of the page before.'),
});
export type SearchRecordingsQuery = z.output<typeof searchRecordingsQuery>;

export const listChunksQuery = z.object({
  from: count
    .max(2 ** 31 - 1)
    .default(0)
    .describe('Sequence of the first chunk.'),
  limit: z.coerce.number().int().min(1).max(MOST_CHUNKS).default(MOST_CHUNKS).describe(`1 to ${MOST_CHUNKS}.`),
});
export type ListChunksQuery = z.output<typeof listChunksQuery>;

export const sequenceSchema = z.coerce
  .number('expected the sequence of a chunk')
  .int('expected the sequence of a chunk')
  .min(0, 'expected the sequence of a chunk')
  .max(2 ** 31 - 1, 'expected the sequence of a chunk')
  .describe('As in the index, from 0.');

export const snapshotQuery = z.object({
  at: count.max(Number.MAX_SAFE_INTEGER).default(0).describe('Milliseconds since the start.'),
});
export type SnapshotQuery = z.output<typeof snapshotQuery>;

export const exportRecordingQuery = z.object({
  format: z
    .enum(RECORDING_FORMATS)
    .default('asciicast')
    .describe('asciicast v2, or the text as it appeared on the screen.'),
});
export type ExportRecordingQuery = z.output<typeof exportRecordingQuery>;

export const holdRecordingBody = z
  .strictObject({
    held: z.boolean(),
    reason: holdReason.optional().describe('Why it is held, for the audit trail. Not for a release.'),
  })
  .meta({ id: 'HoldRecording', examples: [{ held: true, reason: 'Case 2026-14' }] });
export type HoldRecordingBody = z.output<typeof holdRecordingBody>;

const recordingSchema = z
  .object({
    id: idSchema,
    account: z.object({ id: idSchema, name: z.string().describe('As it is now; empty if the account is deleted.') }),
    device: z.object({ id: idSchema, name: z.string().describe('As it was at the start.') }),
    kind: z.enum(RECORDING_KINDS),
    session: z.string().describe('Id of the terminal, as its device made it; of a desktop, as the hub made it.'),
    person: z.object({ id: z.string(), email: z.string() }).describe('Whose session it is.'),
    started: timeSchema,
    ended: timeSchema.nullable().describe('Null while the session is live.'),
    durationMs: z.int().describe('Time that is recorded so far.'),
    bytes: z.int().describe('Output that is recorded so far.'),
    stored: z.int().describe('Bytes that it takes in the store.'),
    chunks: z.int(),
    gaps: z.int().describe('Places where output is missing.'),
    gapBytes: z.int(),
    exit: z
      .int()
      .nullable()
      .describe('Exit code of the program; null while it is live, or without one, as desktops are.'),
    reason: z.string().describe('Why it ended without an exit code; else empty.'),
    policy: z.enum(['best_effort', 'required']).describe('Of the account when it started.'),
    size: z
      .object({ cols: z.int(), rows: z.int() })
      .nullable()
      .describe('At the start. Null for desktops: what their server sends says it.'),
    hold: z
      .object({ since: timeSchema, by: z.string().describe('E-mail address.'), reason: z.string() })
      .nullable()
      .describe('Set while nothing deletes it.'),
    signed: z.boolean().describe('Whether its end is signed.'),
    expires: timeSchema.nullable().describe('When it is deleted for its age; null while it is live or held.'),
    searchable: z.int().describe('Offset of output up to which its text can be searched.'),
    playable: z.boolean().describe('Whether you may play it: the entry of your own session does not allow that.'),
  })
  .meta({
    id: 'Recording',
    examples: [
      {
        id: FLEET.id,
        account: FLEET.account,
        device: FLEET.device,
        kind: 'terminal',
        session: '7f6dbf3c-3ac1-4c8e-9c93-5b0f6a1c2d3e',
        person: { id: FLEET.member.id, email: FLEET.member.email },
        started: FLEET.at,
        ended: FLEET.at,
        durationMs: 61_000,
        bytes: 8_192,
        stored: 2_048,
        chunks: 1,
        gaps: 0,
        gapBytes: 0,
        exit: 0,
        reason: '',
        policy: 'best_effort',
        size: { cols: 80, rows: 24 },
        hold: null,
        signed: true,
        expires: FLEET.later,
        searchable: 8_192,
        playable: true,
      },
    ],
  });
export type RecordingJson = z.output<typeof recordingSchema>;

export const recordingListSchema = z
  .object({
    recordings: z.array(recordingSchema).describe('Newest first.'),
    next: z.string().nullable().describe('`before` of the next page; null on the last one.'),
  })
  .meta({ id: 'RecordingList' });
export const recordingAnswerSchema = z.object({ recording: recordingSchema }).meta({ id: 'RecordingAnswer' });
export const recordingChangedSchema = doneSchema.extend({ result: recordingSchema }).meta({ id: 'RecordingChanged' });

export const chunkListSchema = z
  .object({
    first: z.int().describe('Sequence of the first chunk; the others follow it without a gap.'),
    offsets: z.array(z.int()).describe('Of the first byte of output of each chunk.'),
    from: z.array(z.int()).describe('When each begins, in milliseconds since the start of the session.'),
    to: z.array(z.int()).describe('When each ends.'),
    sizes: z.array(z.int()).describe('Bytes of each.'),
    end: z.int().describe('Offset after the last one.'),
    more: z.boolean().describe('More follow.'),
  })
  .meta({
    id: 'RecordingChunks',
    examples: [{ first: 0, offsets: [0], from: [0], to: [61_000], sizes: [2_048], end: 8_192, more: false }],
    description: 'The index of a recording: one value in each list for each chunk.',
  });

export const snapshotAnswerSchema = z
  .object({
    snapshot: z
      .object({
        atMs: z.int(),
        offset: z.int().describe('Of the first byte of output after it.'),
        sequence: z.int().describe('The chunk with that byte.'),
        size: z.object({ cols: z.int(), rows: z.int() }),
        data: z.string().describe('Draws the screen on a terminal that was reset.'),
      })
      .nullable()
      .describe('Null: play from the start, as for desktops.'),
  })
  .meta({
    id: 'RecordingSnapshotAnswer',
    examples: [
      {
        snapshot: {
          atMs: 4_000,
          offset: 480,
          sequence: 0,
          size: { cols: 80, rows: 24 },
          data: '\u001b[2Jada@greenhouse:~$ ',
        },
      },
    ],
  });

const hitSchema = z
  .object({
    recording: idSchema,
    atMs: z.int().describe('When the line appeared, in milliseconds since the start of the session.'),
    offset: z.int(),
    line: z.string().describe('Around the text, at most 500 characters. Redacted.'),
  })
  .meta({
    id: 'RecordingHit',
    examples: [{ recording: FLEET.id, atMs: 4_200, offset: 512, line: 'systemctl restart pump' }],
  });
export const hitListSchema = z
  .object({
    hits: z.array(hitSchema),
    recordings: z.array(recordingSchema).describe('Those of the hits, each once.'),
    next: z
      .string()
      .nullable()
      .describe('`cursor` of the next page; null on the last one. Before that, a page may be short or empty.'),
  })
  .meta({ id: 'RecordingHitList' });

import * as z from 'zod';
import { readSmall, writeAtomically } from '../system/files.ts';
import { versionText } from './release.ts';

/** The hub's identification of an offer. */
const offerText = z.string().regex(/^[\w-]{1,64}$/, 'expected up to 64 letters, digits and dashes');
const folder = z.string().regex(/^[\w.-]{1,64}$/);
const REASON_MAX = 300;

/** The agent's request to install a version. */
export const requestSchema = z.object({ offer: offerText, version: versionText, back: z.boolean() });
export type UpdateRequest = z.infer<typeof requestSchema>;

/** Crashes of a version, and their weight against it. */
const crashesSchema = z.object({ count: z.int().min(0), weight: z.number().min(0) });
export type Crashes = z.infer<typeof crashesSchema>;

/** The result of an update. */
export const outcomeSchema = z.object({
  offer: offerText,
  version: versionText,
  state: z.enum(['done', 'failed']),
  why: z
    .string()
    .transform((text) => text.slice(0, REASON_MAX))
    .default(''),
  /** Of a version that failed because of them; else 0. */
  crashes: z.int().min(0).default(0),
  at: z.iso.datetime(),
});

/** A version on trial. `from` and `to` are folders below `versions`. */
export const trialSchema = requestSchema.extend({
  from: folder,
  to: folder,
  /** The number of starts: a device that keeps going down during a trial rolls back. */
  attempts: z.int().min(1),
  crashes: crashesSchema.default({ count: 0, weight: 0 }),
  /** The reason for the rollback, once it is decided. */
  why: z.string().optional(),
});
export type Trial = z.infer<typeof trialSchema>;

/** A version that passed its trial; on its first day crashes still count. */
export const firstDaySchema = trialSchema.extend({ since: z.iso.datetime() });

/** Reads a record; undefined when it is missing or unreadable. */
export async function readRecord<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | undefined> {
  try {
    return schema.parse(JSON.parse(await readSmall(path)));
  } catch {
    return undefined;
  }
}

/** @param mode of the file: 0o644 makes it readable for all */
export async function writeRecord(path: string, record: object, mode = 0o600): Promise<void> {
  await writeAtomically(path, `${JSON.stringify(record)}\n`, mode);
}

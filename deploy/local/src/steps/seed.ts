import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { accounts } from '../people.ts';
import { places } from '../settings.ts';
import { runScript, type Addresses } from './services.ts';

const printed = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });

/** The accounts of a start, with the ids that the hub gave them. */
export type Accounts = z.output<typeof printed>['accounts'];

/** Parses the last line of a script's output as JSON by a schema. */
export function lastJson<T extends z.ZodType>(schema: T, output: string): z.output<T> {
  return schema.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
}

/** Creates the missing accounts and people. */
export async function seed(context: Context, addresses: Addresses): Promise<Accounts> {
  const file = join(places(context.settings.home).idp, 'accounts.json');
  await writeFile(file, JSON.stringify({ accounts }));
  return lastJson(printed, await runScript(context, addresses, 'tenancy', ['dist/seed.js', file])).accounts;
}

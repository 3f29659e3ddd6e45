import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const person = z.object({
  email: z.string().min(3),
  name: z.string(),
  role: z.string().default(''),
  account: z.string().default(''),
});

/** A person on the sign-in page. */
export type Person = z.output<typeof person>;

/** Reads the people from a JSON file. @throws Error if the file is missing or invalid */
export async function readPeople(file: string): Promise<Person[]> {
  const parsed = z.array(person).safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Finds a person by e-mail address, case-insensitive; an unknown person is named by the address. */
export function personOf(people: readonly Person[], email: string): Person {
  const wanted = email.trim().toLowerCase();
  const known = people.find((one) => one.email.toLowerCase() === wanted);
  return known ?? { email: email.trim(), name: email.trim().split('@')[0] ?? email, role: '', account: '' };
}

/** Reads the groups that somebody typed: names, separated by commas. */
export function groupsIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

import { z } from 'zod';

/** What may be typed into the name of an account or group (spec section 5). */
export const NAME_CHARACTERS = /^[A-Za-z0-9 ]*$/;
export const NAME_MAX = 64;

const INVALID_CHARACTER = 'Invalid character';

const oneSpace = (text: string) => text.trim().replace(/ +/g, ' ');

/** A name as it is compared: names that differ by case, by spaces or by forms of the same letters (NFKC) are one. */
export function nameKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function name(required: string) {
  return z
    .string(required)
    .transform(oneSpace)
    .pipe(
      z
        .string()
        .min(1, required)
        .max(NAME_MAX, `At most ${NAME_MAX} characters.`)
        .regex(NAME_CHARACTERS, INVALID_CHARACTER),
    );
}

/** An account's name: 1 to 64 letters, digits and spaces, trimmed, with one space between words. */
export const accountName = name('The account name is required');

/** A group's name: as an account's; dashes at both ends are taken off first. */
export const groupName = z
  .string('The group name is required')
  .transform((text) => text.trim().replace(/^-+|-+$/g, ''))
  .pipe(name('The group name is required'));

import { NAME_MAX } from '@warren/rules/names';
import { z } from 'zod';

/** Line ends, control and formatting characters, halves of characters; not the joiners that some scripts are spelled with. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const JOINS_NOTHING = /^[\u200c\u200d]|[\u200c\u200d]$/u;

/** A group's name as identity providers have it: of any visible characters, with one space between words. The console allows fewer. */
export const scimGroupName = z
  .string()
  .transform((text) => text.replace(/\p{Zs}+/gu, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, 'expected a name.')
      .max(NAME_MAX, `expected at most ${NAME_MAX} characters.`)
      .refine(
        (text) => !INVISIBLE.test(text) && VISIBLE.test(text) && !JOINS_NOTHING.test(text),
        'expected visible characters on one line.',
      ),
  );

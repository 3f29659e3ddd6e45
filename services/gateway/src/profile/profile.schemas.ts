import { LIMITS } from '@warren/rules/limits';
import { personName } from '@warren/rules/people';
import { z } from 'zod';
import { userSchema } from '../users/user.schemas.ts';
import { doneSchema } from '../http/done.ts';
import { FLEET } from '../http/example.fleet.ts';

const DATA_URL = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** A picture as a data URL (RFC 2397), or nothing to take the present one away. Gives the file's bytes. */
const pictureSchema = z
  .string()
  .transform((text, context) => {
    if (text === '') return Buffer.alloc(0);
    const base64 = DATA_URL.exec(text)?.[1];
    const content = Buffer.from(base64 ?? '', 'base64');
    if (!base64) context.addIssue({ code: 'custom', message: 'The picture must be a PNG, JPEG or WebP file.' });
    if (content.length > LIMITS.pictureBytes)
      context.addIssue({ code: 'custom', message: 'The picture is larger than 1 MiB.' });
    return content;
  })
  .describe('A data URL: PNG, JPEG or WebP, base64, 1 MiB at most. Empty: no picture any more.');

export const profileBody = z
  .object({ name: personName.optional(), picture: pictureSchema.optional() })
  .meta({ id: 'ProfileChange', examples: [{ name: FLEET.member.name }] });
export type ProfileBody = z.output<typeof profileBody>;

export const profileAnswerSchema = doneSchema.extend({ result: userSchema }).meta({ id: 'ProfileAnswer' });

export const pictureQuery = z.object({
  v: z.string().max(64).default('').describe('Version of the picture; with it a browser keeps the picture for ever.'),
});
export type PictureQuery = z.output<typeof pictureQuery>;

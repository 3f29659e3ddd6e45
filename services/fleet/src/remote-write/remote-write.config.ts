import { textOf } from '@warren/platform/config/forms';
import type { Given } from '@warren/platform/config/production';
import { z } from 'zod';

const URL_FORM = 'expected the address of a receiver, such as https://prometheus.example.com/api/v1/write';

/** The settings of remote write: a metrics store that gets the metrics of devices too. */
export const remoteWriteConfig = z.object({
  /** Without it nothing is sent. It may lead anywhere, over plain http too: accounts have no say in it. */
  REMOTE_WRITE_URL: z
    .url({ protocol: /^https?$/, error: URL_FORM, abort: true })
    .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
      error: `${URL_FORM}, and the password in REMOTE_WRITE_PASSWORD`,
    })
    .optional(),
  /** Basic authentication (RFC 7617). */
  REMOTE_WRITE_USER: textOf(
    /^[^:\p{Cc}]{1,256}$/u,
    'expected a user name without a colon, such as the number of a tenant',
  ).optional(),
  REMOTE_WRITE_PASSWORD: z.string().max(4_096).optional(),
  /** A bearer token (RFC 6750), instead of a user and a password. */
  REMOTE_WRITE_TOKEN: textOf(
    /^[\x21-\x7e]{8,4096}$/,
    'expected 8 visible ASCII characters or more, such as `openssl rand -hex 32` makes',
  ).optional(),
});
export type RemoteWriteConfig = z.output<typeof remoteWriteConfig>;

/** Problems that no variable has alone, for `loadConfig`. */
export function remoteWriteProblems(given: Given): string[] {
  const { REMOTE_WRITE_URL: url, REMOTE_WRITE_USER: user, REMOTE_WRITE_PASSWORD: password } = given;
  const token = given['REMOTE_WRITE_TOKEN'];
  const problems: string[] = [];
  if (url === undefined && (user ?? password ?? token) !== undefined)
    problems.push(`REMOTE_WRITE_URL: ${URL_FORM} (came: not set, with credentials for it)`);
  if (user !== undefined && password === undefined)
    problems.push('REMOTE_WRITE_PASSWORD: expected the password of REMOTE_WRITE_USER (came: not set)');
  if (user === undefined && password !== undefined)
    problems.push('REMOTE_WRITE_USER: expected the user of REMOTE_WRITE_PASSWORD (came: not set)');
  if (token !== undefined && (user ?? password) !== undefined)
    problems.push('REMOTE_WRITE_TOKEN: expected either a token, or a user and a password (came: both)');
  return problems;
}

/** The value of the header `authorization`; undefined without credentials. */
export function authorizationOf(config: RemoteWriteConfig): string | undefined {
  const { REMOTE_WRITE_USER: user, REMOTE_WRITE_PASSWORD: password, REMOTE_WRITE_TOKEN: token } = config;
  if (token !== undefined) return `Bearer ${token}`;
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

import { z } from 'zod';

const CUSTOM_NAME_MAX = 64;
const INVALID_HOSTNAME = 'Please enter a valid hostname';
const INVALID_PORT = 'Please enter a valid HTTP port';
/** Control, invisible formatting and line separating characters, and lone surrogates. */
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u;

/** What people call a device: 1 to 64 printable characters, trimmed. */
export const customName = z
  .string(INVALID_HOSTNAME)
  .trim()
  .min(1, INVALID_HOSTNAME)
  .max(CUSTOM_NAME_MAX, `At most ${CUSTOM_NAME_MAX} characters.`)
  .regex(PRINTABLE, INVALID_HOSTNAME);

/** The port of a device's web page, 1 to 65535, as a number or as it was typed. */
export const httpPort = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,5}$/)
        .transform(Number),
    ],
    INVALID_PORT,
  )
  .pipe(z.number().int(INVALID_PORT).min(1, INVALID_PORT).max(65_535, INVALID_PORT));

/** Where a device's web page listens, on the device itself: an IPv4 or IPv6 address. */
export const httpAddress = z.union([z.ipv4(), z.ipv6()], 'Please enter a valid IP address').default('127.0.0.1');

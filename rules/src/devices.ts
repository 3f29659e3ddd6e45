import { z } from 'zod';
import { PRINTABLE } from './printable.ts';

const CUSTOM_NAME_MAX = 64;
const INVALID_HOSTNAME = 'Please enter a valid hostname';
const INVALID_PORT = 'Please enter a valid HTTP port';
const INVALID_VNC_PORT = 'Please enter a valid port or display, such as 5900 or :1';
/** RFC 6143, section 2: the port of display 0. */
const VNC_DISPLAY_0 = 5_900;

const digits = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/)
  .transform(Number);

function portOf(forms: [z.ZodType<number>, ...z.ZodType<number>[]], invalid: string) {
  return z.union(forms, invalid).pipe(z.number().int(invalid).min(1, invalid).max(65_535, invalid));
}

/** What people call a device: 1 to 64 printable characters, trimmed. */
export const customName = z
  .string(INVALID_HOSTNAME)
  .trim()
  .min(1, INVALID_HOSTNAME)
  .max(CUSTOM_NAME_MAX, `At most ${CUSTOM_NAME_MAX} characters.`)
  .regex(PRINTABLE, INVALID_HOSTNAME);

/** The port of a device's web service, 1 to 65535, as a number or as it was typed. */
export const httpPort = portOf([z.number(), digits], INVALID_PORT);

/** The port of a device's VNC server, as {@link httpPort}; or its display, `:0` to `:99`, which is 5900 and more. */
export const vncPort = portOf(
  [
    z.number(),
    digits,
    z
      .string()
      .trim()
      .regex(/^:\d{1,2}$/)
      .transform((display) => VNC_DISPLAY_0 + Number(display.slice(1))),
  ],
  INVALID_VNC_PORT,
);

/** Permissions that a device's web service has only when enabled: as browsers name them, and leaving the console's frame. */
export const WEB_PERMISSIONS = ['clipboard-read', 'camera', 'microphone', 'geolocation', 'top-navigation'] as const;
export type WebPermissionName = (typeof WEB_PERMISSIONS)[number];

/** Where a server of a device listens, on the device itself: an IPv4 or IPv6 address. */
export const httpAddress = z.union([z.ipv4(), z.ipv6()], 'Please enter a valid IP address').default('127.0.0.1');

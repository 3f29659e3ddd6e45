import { BROWSER_SECRET } from '@warren/platform/http/device.entry';
import { z } from 'zod';

const MAX_PATH = 1_500;

/** Host name of a device's web service, as in the device's `http_address`. */
export const addressSchema = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:-]+$/, 'expected a host name')
  .meta({ examples: ['raspberrypi-x7k2.devices.example.com'] });

export const makeWebAddressBody = z
  .object({
    secret: z
      .string()
      .regex(BROWSER_SECRET, 'expected 32 random bytes as base64url')
      .describe('Made by the page that shows the frame, for this ticket alone. The hub keeps its hash.'),
  })
  .meta({ id: 'MakeWebAddress', examples: [{ secret: 'q0mZ0vY8yqk1bD3Jt6c0H8wO5n4f2s7uE9xR1aKpLgA' }] });
export type MakeWebAddressBody = z.output<typeof makeWebAddressBody>;

export const webAddressSchema = z
  .object({
    url: z
      .string()
      .describe('Where the frame posts `ticket` and `secret`. Leads to the first page of the web service.'),
    ticket: z.string().describe('Works once, within 60 seconds, in a frame, with the secret that it was made for.'),
  })
  .meta({
    id: 'WebAddress',
    examples: [{ url: 'https://raspberrypi-x7k2.devices.example.net/.warren/enter', ticket: 'kq3v…' }],
  });

/** What a device's host sends along with a person who has no right there yet. */
export const visitQuery = z.object({
  host: addressSchema,
  state: z.string().regex(/^[0-9a-f]{64}$/),
  path: z
    .string()
    .max(MAX_PATH)
    .regex(/^\/(?![/\\])[\x21-\x7e]*$/)
    .catch('/'),
});
export type VisitQuery = z.output<typeof visitQuery>;

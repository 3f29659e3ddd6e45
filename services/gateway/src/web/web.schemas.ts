import { z } from 'zod';

const MAX_PATH = 1_500;

/** Host name of a device's page, as `http_address` of the device tells it. */
export const addressSchema = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:-]+$/, 'expected a host name')
  .meta({ examples: ['raspberrypi-x7k2.devices.example.com'] });

export const webAddressSchema = z
  .object({
    url: z
      .string()
      .describe('Works once, within 60 seconds, in a frame of the console; it leads to the first page of the device.'),
  })
  .meta({
    id: 'WebAddress',
    examples: [{ url: 'https://raspberrypi-x7k2.devices.example.com/.warren/enter?ticket=…' }],
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

import { isIP } from 'node:net';
import { z } from 'zod';

const NETWORKS = 'expected networks separated by commas, such as 10.20.0.0/16,fd00:20::/64';

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return family > 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** The settings of a process that sends to receivers which people choose. */
export const outboundConfig = z.object({
  /** Encrypts URLs and secrets of channels and audit streams. Two, separated by a comma, during rotation: the first encrypts. */
  CHANNEL_KEY: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(z.string().min(32, 'expected 32 characters or more, such as `openssl rand -hex 32` makes')).max(2))
    .optional(),
  /** Networks besides the Internet that receivers may be in, over plain http as well. */
  NOTIFY_PRIVATE_ADDRESSES: z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .pipe(z.array(z.string().refine(isNetwork, NETWORKS)).max(64, NETWORKS))
    .default([]),
});

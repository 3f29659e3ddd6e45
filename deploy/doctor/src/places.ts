import { randomBytes } from 'node:crypto';
import type { Options } from './options.ts';

const slug = `doctor-${randomBytes(4).toString('hex')}`;

/** Returns the URL of a nonexistent web service, which is routed like any other; undefined without a domain. */
export function devicePage({ HUB_URL, DEVICE_DOMAIN }: Options): URL | undefined {
  if (!DEVICE_DOMAIN) return undefined;
  return new URL(`${new URL(HUB_URL).protocol}//${slug}.${DEVICE_DOMAIN}/`);
}

import { getDomain, getPublicSuffix } from 'tldts';
import { findings, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';

const { ok, warn, skip } = findings('sites');
const PRIVATE = { allowPrivateDomains: true };

/** Checks that browsers isolate cookies of web services from the hub's, by the Public Suffix List. */
export function checkSites({ HUB_URL, DEVICE_DOMAIN }: Options): Promise<Finding[]> {
  if (!DEVICE_DOMAIN) return Promise.resolve([skip('sites of device pages', 'Set DEVICE_DOMAIN.')]);
  const hub = new URL(HUB_URL).hostname;
  return Promise.resolve([siteOf(hub, DEVICE_DOMAIN.replace(/:\d+$/, ''))]);
}

function siteOf(hub: string, devices: string): Finding {
  const own = getDomain(hub, PRIVATE);
  const theirs = getDomain(`device.${devices}`, PRIVATE);
  if (own !== null && own === theirs) {
    return warn(
      `${hub} and device pages share the registrable domain ${own}, so pages can set cookies for the hub`,
      `Give web services a separate registrable domain, such as devices.example.net beside hub.example.com.`,
    );
  }
  const apart = getPublicSuffix(`device.${devices}`, PRIVATE) === devices;
  const among = apart ? 'each device page is a separate site' : `device pages share one (${theirs ?? devices})`;
  return ok(`${hub} and device pages are different sites; ${among}`);
}

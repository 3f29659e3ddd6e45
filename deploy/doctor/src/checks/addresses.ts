import { findings, reason, type Finding } from '../finding.ts';
import { addressesOf } from '../names.ts';
import type { Options } from '../options.ts';
import { devicePage } from '../places.ts';

const { ok, warn, fail, skip } = findings('dns');

async function found(host: string): Promise<string[]> {
  return (await addressesOf(host)).map(({ address }) => address).sort();
}

/** Checks the hub's name, and a name below the domain of web services. */
export async function checkAddresses(options: Options): Promise<Finding[]> {
  const hub = new URL(options.HUB_URL).hostname;
  const own = await found(hub).catch((error: unknown) => reason(error));
  const first =
    typeof own === 'string'
      ? fail(`${hub}: ${own}`, 'Give the hub’s name an A or AAAA record, or put HUB_URL right.')
      : ok(`${hub} is ${own.join(', ')}`);
  const page = devicePage(options);
  if (!page) return [first, skip('names of device pages', 'Set DEVICE_DOMAIN.')];
  const theirs = await found(page.hostname).catch((error: unknown) => reason(error));
  const wildcard = `*.${options.DEVICE_DOMAIN?.replace(/:\d+$/, '')}`;
  if (typeof theirs === 'string') {
    return [first, fail(`${wildcard}: ${theirs}`, `Make a wildcard record ${wildcard} that leads to the ingress.`)];
  }
  const same = typeof own !== 'string' && own.some((address) => theirs.includes(address));
  return [
    first,
    same
      ? ok(`${wildcard} is ${theirs.join(', ')}`)
      : warn(
          `${wildcard} is ${theirs.join(', ')}, and the hub is elsewhere`,
          'Right only if web services have a separate ingress.',
        ),
  ];
}

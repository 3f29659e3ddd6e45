import { describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './chart.ts';

const read = (file: string) => readFile(join(ROOT, file), 'utf8');

/** An upstream of a Caddyfile as JSON. Times are in nanoseconds. */
interface Proxy {
  handler: 'reverse_proxy';
  transport?: { keep_alive?: { idle_timeout?: number } };
}

/** The proxies anywhere in Caddy's configuration. */
function proxiesOf(part: unknown): Proxy[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = (part as { handler?: unknown }).handler === 'reverse_proxy' ? [part as Proxy] : [];
  return [...own, ...Object.values(part).flatMap(proxiesOf)];
}

describe("Caddy's idle connections to services", () => {
  const adapted = async (text: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-caddy-'));
    try {
      const file = join(folder, 'Caddyfile');
      await writeFile(file, text);
      return proxiesOf(JSON.parse(await run('caddy', 'adapt', '--adapter', 'caddyfile', '--config', file)));
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  const tls = /^\s*import tls\/.*$/gm;
  const texts: [string, number, () => Promise<string>][] = [
    [
      'deploy/compose/caddy/Caddyfile',
      3,
      async () =>
        (await read('deploy/compose/caddy/Caddyfile'))
          .replaceAll(tls, '')
          .replace('{$HUB_HOST}', 'hub.test')
          .replace('{$DEVICE_DOMAIN}', 'devices.test'),
    ],
    [
      'deploy/e2e/support/secure/front.ts',
      3,
      async () => {
        const [, text = ''] = (await read('deploy/e2e/support/secure/front.ts')).split('`');
        return text
          .replace('${url}', 'https://hub.test')
          .replace('${domain}', 'devices.test')
          .replaceAll(/\$\{(tunnels|gateway)\}/g, '9090');
      },
    ],
  ];

  it.each(texts)('are closed before the services close them: %s', async (_file, count, text) => {
    const service = /KEEP_ALIVE_MS = ([\d_]+)/.exec(await read('services/platform/src/service/run.ts'))?.[1] ?? '';
    const proxies = await adapted(await text());
    expect(proxies).toHaveLength(count);
    for (const { transport } of proxies) {
      const idleMs = (transport?.keep_alive?.idle_timeout ?? Infinity) / 1e6;
      expect(idleMs).toBeLessThan(Number(service.replaceAll('_', '')) - 10_000);
    }
  });
});

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { once } from 'node:events';
import { get } from '../cluster/kubectl.ts';
import { until } from '../cluster/until.ts';
import type { Release } from '../suite/release.ts';
import type { Step } from '../suite/runner.ts';
import { whileWorking } from '../suite/terminals.ts';
import { HUB, type World } from '../suite/world.ts';
import { test } from './install.ts';

const SERVED_MS = 60_000;
/** Begins with a letter: nats-server reads a bare value that begins with a digit as a number. */
const made = () => `x${randomBytes(24).toString('hex')}`;

const patch = (release: Release, secret: string, stringData: Record<string, string>) =>
  release.kubectl('patch', 'secret', secret, '--patch', JSON.stringify({ stringData }));

/** Rotates the passwords of all users of Redis, NATS and PostgreSQL, as in the chart's README. */
async function passwords(release: Release): Promise<number> {
  const secret = `${release.name}-bundled`;
  const { data } = await get<{ data: Record<string, string> }>('secret', secret, `--namespace=${release.name}`);
  const renewed: Record<string, string> = {};
  for (const [key, value] of Object.entries(data)) {
    if (/^(redis|nats)-/.test(key)) renewed[key] = made();
    if (!/^(identity|tenancy|devices|fleet|audit)-url$/.test(key)) continue;
    const url = new URL(Buffer.from(value, 'base64').toString());
    url.password = made();
    renewed[key] = url.href;
  }
  await patch(release, secret, renewed);
  // The migrations set the passwords of roles.
  await release.upgrade();
  await release.kubectl('rollout', 'restart', 'deployment,statefulset');
  await release.settled();
  return Object.keys(renewed).length;
}

/** Returns the serial number of the ingress's certificate. */
async function served({ entry, authority }: World): Promise<string> {
  const ca = await readFile(authority.ca);
  const socket = connect({ host: entry, port: 443, servername: HUB, ca });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function certificate(world: World): Promise<void> {
  const before = await served(world);
  const { cert, key } = await world.authority.issue('hub-2', [`DNS:${HUB}`, 'DNS:*.devices.warren.test']);
  const [crt, own] = await Promise.all([readFile(cert, 'utf8'), readFile(key, 'utf8')]);
  await patch(world.release, 'hub-tls', { 'tls.crt': crt, 'tls.key': own });
  await until(async () => (await served(world)) !== before, SERVED_MS);
}

export const rotation: Step = {
  name: 'rotation',
  after: ['device'],
  async run(world) {
    let count = 0;
    const said = await whileWorking(world, 200_000, async () => {
      await certificate(world);
      count = await passwords(world.release);
    });
    await world.connected();
    return `certificate and ${count} passwords; ${said}; ${await test(world)}`;
  },
};

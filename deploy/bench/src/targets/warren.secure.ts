import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady, type ProcessSpec, type Running } from '@warren/infra/process';
import { findProgram } from '@warren/infra/programs';
import { operatorAccount } from '@warren/local/people';
import { root } from '@warren/local/settings';
import type { Hub } from '../hub.ts';
import type { Lab } from '../lab.ts';
import type { Target } from '../terminal.ts';
import { openTerminal } from './warren.ts';

const run = promisify(execFile);
const AGENT = join(root, 'agent/dist/main.js');

/**
 * Warren with TLS on both sides, as Compose has it: Caddy in front of tunnels, and an agent that dials through it.
 * Undefined when Caddy is not installed.
 */
export async function secureWarren(lab: Lab): Promise<Target | undefined> {
  const caddy = findProgram('caddy');
  if (!caddy) return undefined;
  const { hub, warren } = await lab.shared();
  const folder = await mkdtemp(join(tmpdir(), 'warren-bench-tls-'));
  lab.atEnd(() => rm(folder, { recursive: true, force: true }));
  const start = async (spec: ProcessSpec): Promise<Running> => {
    const running = launch(spec);
    lab.atEnd(() => running.stop());
    await untilReady(spec, running);
    return running;
  };
  const url = `https://localhost:${await freePort()}`;
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  await writeFile(join(folder, 'Caddyfile'), configuration(url, warren.settings.ports.tunnels));
  await start({
    name: 'caddy',
    command: caddy,
    args: ['run', '--config', join(folder, 'Caddyfile')],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    log: join(folder, 'caddy.log'),
    ready: () => readFile(authority),
  });
  const device = await startAgent(hub, url, { folder, authority }, start);
  const place = { url, device, headers: { origin: hub.url }, ca: await readFile(authority, 'utf8') };
  return { name: 'Warren, under TLS', open: async () => openTerminal(place, await hub.socketToken(device)) };
}

/** Enrols this machine into the operator's account as well, and links it by `url`. @returns the id of the device */
async function startAgent(
  hub: Hub,
  url: string,
  { folder, authority }: { folder: string; authority: string },
  start: (spec: ProcessSpec) => Promise<Running>,
): Promise<string> {
  const { accounts } = await hub.get<{ accounts: { id: string; name: string }[] }>('/api/accounts?page=1&limit=50');
  const account = accounts.find(({ name }) => name === operatorAccount)?.id;
  if (!account) throw new Error(`There is no account "${operatorAccount}".`);
  const { token } = await hub.send<{ token: string }>('POST', '/api/enrolment_tokens', { account });
  const state = join(folder, 'state');
  const env = { ...process.env, WARREN_STATE: state, NODE_EXTRA_CA_CERTS: authority };
  const enrolling = { ...env, WARREN_HUB: hub.url, WARREN_ACCOUNT: account, WARREN_TOKEN: token };
  await run(process.execPath, [AGENT, 'enrol'], { env: enrolling });
  const file = join(state, 'device.json');
  const device = JSON.parse(await readFile(file, 'utf8')) as { device_id: string };
  await writeFile(file, JSON.stringify({ ...device, hub: url }), { mode: 0o600 });
  await start({
    name: 'agent',
    command: process.execPath,
    args: [AGENT, 'run'],
    env,
    log: join(folder, 'agent.log'),
    ready: () => run(process.execPath, [AGENT, 'status', '--wait', '30'], { env }),
  });
  return device.device_id;
}

function configuration(url: string, tunnels: number): string {
  return `{
	skip_install_trust
	admin off
	auto_https disable_redirects
}
${url} {
	bind 127.0.0.1
	tls internal
	reverse_proxy 127.0.0.1:${tunnels} {
		flush_interval -1
	}
}
`;
}

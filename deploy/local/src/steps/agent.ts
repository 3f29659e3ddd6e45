import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@warren/infra/programs';
import { z } from 'zod';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { fingerprint } from '../fingerprint.ts';
import { firstCustomer } from '../people.ts';
import { places } from '../settings.ts';
import { lastJson, type Accounts } from './seed.ts';
import { runScript, type Addresses } from './services.ts';

/** This machine as a device of the hub. */
export interface Device {
  id: string;
  /** The id of its account. */
  account: string;
}

/** Target of this machine's agent: the hub's public address, or tunnels directly, as routed by an ingress. */
export const links = ['gateway', 'tunnels'] as const;
export type Link = (typeof links)[number];

type Dialled = { hub: string; audience: string };

const minted = z.object({ token: z.string().min(1) });
const enrolment = z.looseObject({ device_id: z.string(), account: z.string(), hub: z.string(), audience: z.string() });
/** Time limit for the agent to link, in seconds. */
const patience = '30';

const layout = (prefix: string) => ({
  program: join(prefix, 'bin', 'warren-agent'),
  state: join(prefix, 'state'),
  enrolment: join(prefix, 'state', 'device.json'),
  stamp: join(prefix, 'installed'),
});

function customer(accounts: Accounts): string {
  const found = accounts.find((account) => account.name === firstCustomer);
  if (!found) throw new Error(`the hub made no account '${firstCustomer}'`);
  return found.id;
}

/**
 * What the installer left, undefined if nothing yet. A hub that was started at another port than before is the same hub, so
 * its device follows it there; `hub` is where it dials, `audience` the hub's public address.
 */
async function readDevice(file: string, { hub, audience }: Dialled): Promise<Device | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const kept = enrolment.parse(JSON.parse(text));
  if (kept.hub !== hub || kept.audience !== audience) {
    await writeFile(`${file}.new`, JSON.stringify({ ...kept, hub, audience }), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  return { id: kept.device_id, account: kept.account };
}

/** Runs the installer like a user: downloaded from the hub and piped into a shell. The prefix keeps it in the home of this start. */
async function install(context: Context, addresses: Addresses, account: string, prefix: string): Promise<void> {
  const { token } = lastJson(
    minted,
    await runScript(context, addresses, 'devices', ['dist/token.js', '--account', account]),
  );
  const url = `${context.settings.hubUrl}/install/${account}?token=${encodeURIComponent(token)}`;
  const fetchIt = findProgram('curl') ? 'curl -fsSL "$0"' : 'wget -qO- "$0"';
  const env = { ...context.environment, WARREN_PREFIX: prefix, WARREN_SERVICE: 'none' };
  // A failed download must not count as a successful empty script.
  const script = `script=$(${fetchIt}) && printf '%s\\n' "$script" | sh`;
  await command('/bin/sh', ['-c', script, url], { env }).catch((error: Error) => {
    throw new Error(error.message.replaceAll(token, '…'));
  });
}

async function installIfChanged(
  context: Context,
  addresses: Addresses,
  account: string,
  prefix: string,
  note: (text: string) => void,
) {
  const at = layout(prefix);
  const print = await fingerprint(context.root, ['agent/dist/packages/manifest.json', 'agent/packaging/install.sh']);
  const installed = await readFile(at.stamp, 'utf8').catch(() => '');
  if (installed === print && existsSync(at.program) && existsSync(at.enrolment)) return;
  note(existsSync(at.enrolment) ? 'upgrading the agent' : 'enrolling');
  await mkdir(prefix, { recursive: true });
  await install(context, addresses, account, prefix);
  await writeFile(`${at.stamp}.new`, print);
  await rename(`${at.stamp}.new`, at.stamp);
}

/** Enrols this machine through the installer if it is not yet, and runs its agent as the present user until it is connected. */
export async function startAgent(
  context: Context,
  addresses: Addresses,
  accounts: Accounts,
  link: Link,
  note: (text: string) => void,
): Promise<Device> {
  const { hubUrl, ports, home } = context.settings;
  const { agent: prefix, log } = places(home);
  const at = layout(prefix);
  const dialled = { hub: link === 'gateway' ? hubUrl : `http://127.0.0.1:${ports.tunnels}`, audience: hubUrl };
  // The installer identifies an enrolment by the hub's address.
  await readDevice(at.enrolment, { hub: hubUrl, audience: hubUrl });
  await installIfChanged(context, addresses, customer(accounts), prefix, note);
  const device = await readDevice(at.enrolment, dialled);
  if (!device) throw new Error(`the installer left no enrolment in ${at.enrolment}`);
  const env = { ...context.environment, WARREN_STATE: at.state };
  const status = () => command(at.program, ['status', '--wait', patience], { env });
  await context.processes.start([
    { name: 'agent', command: at.program, args: ['run'], cwd: prefix, env, log: log('agent'), ready: status },
  ]);
  return device;
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PipeTarget } from '../../pipe.ts';
import type { Place } from '../../probes/load.ts';
import type { Target } from '../../terminal.ts';
import { installed } from '../packages.ts';
import { startAgent } from './agent.ts';
import { Control } from './control.ts';
import { startServer } from './server.ts';
import { meshPage, meshPipe, meshTerminal, type Cookies, type Device } from './sessions.ts';

const VERSION = '1.1.55';
/** As often as MeshCentral's console renews them. */
const RENEW_MS = 20 * 60_000;

/** MeshCentral with this machine as its device: server and agent run as processes in a private folder, without an installation. */
export class MeshCentral {
  private readonly endings: (() => Promise<unknown>)[] = [];
  private device: Device | undefined;

  /** @throws Error when npm can't bring it, or a part of it does not come up; `stop` is needed all the same */
  async start(): Promise<void> {
    const packages = await installed('meshcentral', { dependencies: { meshcentral: VERSION } });
    const program = join(packages, 'node_modules/meshcentral');
    const folder = await mkdtemp(join(tmpdir(), 'warren-bench-meshcentral-'));
    this.endings.push(() => rm(folder, { recursive: true, force: true }));
    const account = { name: 'bench', password: randomBytes(16).toString('base64url') };
    const { address, stop } = await startServer(program, folder, account);
    this.endings.push(stop);
    const person = await Control.open(address, account);
    this.endings.push(async () => person.close());
    const agent = await startAgent(program, folder, { address, person });
    this.endings.push(agent.stop);
    const cookies = kept(() => person.ask<Cookies>('authcookie'), RENEW_MS);
    await cookies();
    this.device = { address, person, nodeid: agent.nodeid, cookies };
  }

  /** A shell of this machine. */
  get terminal(): Target {
    return meshTerminal(this.started());
  }

  /** A relay to a port of this machine. */
  pipe(port: number): PipeTarget {
    return meshPipe(this.started(), port);
  }

  /** The web server on a port of this machine. */
  page(port: number): Promise<Place> {
    return meshPage(this.started(), port);
  }

  async stop(): Promise<void> {
    for (const end of this.endings.splice(0).reverse()) await end();
  }

  private started(): Device {
    if (!this.device) throw new Error('MeshCentral was not started.');
    return this.device;
  }
}

/** What was asked for is given again until it is `ms` milliseconds old. */
function kept<T>(ask: () => Promise<T>, ms: number): () => Promise<T> {
  let last: { at: number; what: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > ms) last = { at: performance.now(), what: ask() };
    return last.what;
  };
}

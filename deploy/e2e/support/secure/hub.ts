import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@warren/infra/ports';
import { launch, untilReady, type ProcessSpec } from '@warren/infra/process';
import { silent } from '@warren/local/progress';
import { places, root } from '@warren/local/settings';
import { startWarren } from '@warren/local/warren';
import { freeBase } from '../../stack/ports.ts';
import { startFront } from './front.ts';

const run = promisify(execFile);
const AGENT = join(root, 'agent/dist/main.js');
const LOGS = join(root, 'test-results/e2e.secure.logs');

/** A copy of the product that people reach over https, as an installation has it: Caddy ends TLS before it. */
export class SecureHub {
  /** Its origin. */
  readonly url: string;
  private readonly home: string;
  /** Where the gateway itself listens. */
  private readonly gateway: string;
  private readonly undo: (() => Promise<void>)[] = [];

  private constructor(url: string, home: string, gateway: string) {
    this.url = url;
    this.home = home;
    this.gateway = gateway;
  }

  /** @param domain of the devices' hosts, without a port */
  static async start(domain: string): Promise<SecureHub> {
    const home = await mkdtemp(join(tmpdir(), 'warren-e2e-secure-'));
    const [base, port] = [await freeBase({ gateway: 1, tunnels: 1 }), await freePort('127.0.0.1')];
    const url = `https://hub.localhost:${port}`;
    const hub = new SecureHub(url, home, `http://127.0.0.1:${base}`);
    hub.undo.push(() => hub.clear());
    try {
      await hub.start(base, `${domain}:${port}`);
    } catch (error) {
      await hub.stop();
      throw new Error(`the copy did not start; its logs are in ${LOGS}`, { cause: error });
    }
    return hub;
  }

  /**
   * Enrols a device by the call that the installer makes, and runs its agent until it is connected. It links beside the front: a
   * program finds no host below `localhost`, as browsers do.
   * @returns its id
   */
  async enrol(name: string, { account, token }: { account: string; token: string }): Promise<string> {
    const folder = join(this.home, name);
    const state = join(folder, 'state');
    await mkdir(state, { recursive: true });
    const env = { ...process.env, HOME: folder, WARREN_STATE: state };
    const enrolling = { ...env, WARREN_HUB: this.gateway, WARREN_ACCOUNT: account, WARREN_TOKEN: token };
    await run(process.execPath, [AGENT, 'enrol'], { env: enrolling });
    const spec: ProcessSpec = {
      name,
      command: process.execPath,
      args: [AGENT, 'run'],
      env,
      log: places(this.home).log(name),
      ready: () => run(process.execPath, [AGENT, 'status', '--wait', '30'], { env }),
    };
    const running = launch(spec);
    this.undo.push(() => running.stop());
    await untilReady(spec, running);
    return (JSON.parse(await readFile(join(state, 'device.json'), 'utf8')) as { device_id: string }).device_id;
  }

  /** Stops all and keeps nothing but the logs. */
  async stop(): Promise<void> {
    for (const undo of this.undo.splice(0).toReversed()) await undo();
  }

  private async start(base: number, domain: string): Promise<void> {
    const environment = {
      ...process.env,
      WARREN_HOME: this.home,
      WARREN_PORT: `${base}`,
      WARREN_URL: this.url,
      WARREN_DEVICE_DOMAIN: domain,
    };
    const warren = await startWarren({ environment, progress: silent, agent: false });
    this.undo.push(() => warren.stop());
    const { gateway, tunnels } = warren.settings.ports;
    const front = await startFront(this.home, places(this.home).log('caddy'), {
      url: this.url,
      domain,
      gateway,
      tunnels,
    });
    this.undo.push(() => front.stop());
  }

  private async clear(): Promise<void> {
    await rm(LOGS, { recursive: true, force: true });
    await cp(places(this.home).logs, LOGS, { recursive: true }).catch(() => undefined);
    await rm(this.home, { recursive: true, force: true });
  }
}

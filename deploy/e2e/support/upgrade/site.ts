import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request, type APIRequestContext } from '@playwright/test';
import { until } from '@warren/infra/until';
import { silent } from '@warren/local/progress';
import { root } from '@warren/local/settings';
import { startStack, type Stack } from '../../stack/stack.ts';
import { device, type DeviceJson } from '../api.ts';
import { startCountingPage } from '../counting.page.ts';
import type { LocalServer } from '../local.server.ts';
import { askProvider, postAnswer } from '../saml.ts';
import { SurvivingTerminal } from '../surviving.ts';
import type { ProcessName } from '../../stack/facts.ts';
import { Warren } from '../warren.ts';
import { WireTerminal } from '../wire.ts';
import { expose, openService } from './web.ts';

const logs = join(import.meta.dirname, '../../../../test-results/e2e.upgrade.logs');
const PATIENCE_MS = 60_000;

/** Services of a version that neither signs its calls nor seals its sessions are answered. docs/operations/upgrade-and-back-up.md, from 0.1.0. */
const accepting = { UNSIGNED_CALLS: 'accept', UNSEALED_SESSIONS: 'accept' };

/** In the order of an upgrade by hand; back in the reverse one. */
export const services = ['identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels', 'gateway'] as const;

/** A person with a browser, as far as the API sees. */
export class Visitor {
  readonly request: APIRequestContext;
  private readonly email: string;

  private constructor(context: APIRequestContext, email: string) {
    this.request = context;
    this.email = email;
  }

  static async arrive(hub: string, email: string): Promise<Visitor> {
    const visitor = new Visitor(await request.newContext({ baseURL: hub }), email);
    await visitor.signIn();
    return visitor;
  }

  async signIn(): Promise<void> {
    const answer = await postAnswer(this.request, await askProvider(this.request, this.email));
    if (answer.status() >= 400) throw new Error(`sign-in of ${this.email}: ${answer.status()} ${await answer.text()}`);
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.request.get('/server/get_workspace')).status() === 200;
  }
}

type Device = DeviceJson & { facts_at: string };

/** A hub of the former release with its people and a device that runs its agent, which is upgraded step by step. */
export class Site {
  readonly former: string;
  /** Whether the former release seals its sessions and signs its calls. */
  readonly seals: boolean;
  readonly warren: Warren;
  private readonly stack: Stack;
  private readonly page: LocalServer;

  private constructor(former: string, stack: Stack, warren: Warren, page: LocalServer) {
    this.former = former;
    const settings = readFileSync(join(former, 'services/identity/dist/config.js'), 'utf8');
    this.seals = settings.includes('UNSEALED_SESSIONS');
    this.warren = warren;
    this.stack = stack;
    this.page = page;
  }

  static async start(former: string): Promise<Site> {
    const stack = await startStack(silent, logs, { gateway: 1, tunnels: 1 }, {}, former);
    return new Site(former, stack, await Warren.find(stack.control), await startCountingPage());
  }

  get hub(): string {
    return this.stack.facts.hub;
  }

  get device(): string {
    return this.stack.facts.device.id;
  }

  visitor(email: string): Promise<Visitor> {
    return Visitor.arrive(this.hub, email);
  }

  /** Brings the database to the schema of this version. */
  migrate(): Promise<void> {
    return this.stack.warren.migrate(root);
  }

  /** Starts a process of this version in the place of that which runs, if any; it answers those of the former release. */
  renew(name: ProcessName): Promise<void> {
    return this.stack.warren.replace(name, { root, environment: this.seals ? {} : accepting });
  }

  /** Starts a process of this version that answers none that does not sign, and takes no session that is not sealed. */
  secure(name: ProcessName): Promise<void> {
    return this.stack.warren.replace(name, { root });
  }

  /** Starts a process of the former version in the place of that which runs. A service that it does not have is ended, and stays down. */
  revert(name: ProcessName): Promise<void> {
    if (!existsSync(join(this.former, 'services', name))) return this.warren.hold(name);
    return this.stack.warren.replace(name, { root: this.former });
  }

  /** The address of a service's database. */
  database(service: string): string {
    return this.stack.warren.databases[service] ?? '';
  }

  open({ request: from }: Visitor): Promise<SurvivingTerminal> {
    return SurvivingTerminal.open({ request: from, hub: this.hub, via: () => this.hub, device: this.device });
  }

  /** What the hub says of the device, once its link is there. */
  async connected({ request: from }: Visitor): Promise<Device> {
    let found: DeviceJson | undefined;
    await until(async () => {
      found = await device(from, this.device);
      return found.status === 'Connected';
    }, PATIENCE_MS);
    return found as Device;
  }

  exposeService({ request: from }: Visitor): Promise<void> {
    return expose(from, this.hub, this.device, this.page.port);
  }

  /** Opens the device's web service; the result reads its next number. */
  async openService({ request: from }: Visitor): Promise<() => Promise<number>> {
    const read = await openService(from, this.hub, this.device);
    return async () => Number(await read('/count'));
  }

  /**
   * Signs a person in, reads the device and works in a shell.
   * @throws with what failed when it still does after a minute
   */
  async serves(email: string): Promise<void> {
    let visitor: Visitor | undefined;
    await until(async () => (visitor = await this.visitor(email)), PATIENCE_MS);
    if (!visitor) return;
    await this.connected(visitor);
    const { request: from } = visitor;
    let terminal: WireTerminal | undefined;
    await until(async () => (terminal = await WireTerminal.ofDevice(from, this.hub, this.device)), PATIENCE_MS);
    terminal?.type('echo sum-$((6 * 7))\r');
    await terminal?.until('sum-42');
    terminal?.close();
    await from.dispose();
  }

  /** Waits for facts that the device has reported from now on. */
  async reports(visitor: Visitor): Promise<void> {
    const before = (await this.connected(visitor)).facts_at;
    await until(async () => (await this.connected(visitor)).facts_at > before, 2 * PATIENCE_MS);
  }

  async stop(): Promise<void> {
    await this.page.stop();
    await this.stack.stop();
  }
}

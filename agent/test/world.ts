import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startAgent, type Agent } from '../src/agent.ts';
import type { RunConfig } from '../src/config.ts';
import { enrol } from '../src/enrol.ts';
import { readEnrolment, writeEnrolment } from '../src/state/enrolment.ts';
import { TestHub } from './hub.ts';
import { TerminalClient } from './terminal-client.ts';

/** A hub, and an agent with a temporary state folder. */
export class World {
  readonly hub: TestHub;
  readonly state: string;
  private agent: Agent | undefined;

  private constructor(hub: TestHub, state: string) {
    this.hub = hub;
    this.state = state;
  }

  static async make(): Promise<World> {
    return new World(await new TestHub().start(), await mkdtemp(join(tmpdir(), 'warren-agent-')));
  }

  enrol() {
    const { hub, state } = this;
    return enrol({ state, logLevel: 'silent', hub: hub.url, account: 'account-1', token: hub.token }, '1.2.3');
  }

  /** Starts the enrolled agent. A test must not reboot its machine, so a reboot does nothing unless a command is given. */
  async start(config: Partial<RunConfig> = {}): Promise<void> {
    await this.enrol();
    await this.run(config);
  }

  /** Starts the agent of a device whose enrolment names another hub. */
  async startAt(hub: string, config: Partial<RunConfig> = {}): Promise<void> {
    await writeEnrolment(this.state, { ...(await readEnrolment(this.state))!, hub });
    await this.run(config);
  }

  private async run(config: Partial<RunConfig>): Promise<void> {
    const log = pino({ level: 'silent' });
    // Shells of the tests read no profile of the person who runs them.
    const own = { state: this.state, home: this.state, logLevel: 'silent' as const, rebootCommand: ['false'] };
    this.agent = await startAgent({ ...own, ...config }, '1.2.3', log);
  }

  /** A terminal over the newest link. */
  async open(options?: ConstructorParameters<typeof TerminalClient>[1]): Promise<TerminalClient> {
    const link = await this.hub.linked(Math.max(1, this.hub.links.length));
    return new TerminalClient(link.client, options);
  }

  async stopAgent(): Promise<void> {
    await this.agent?.stop();
    this.agent = undefined;
  }

  async end(): Promise<void> {
    await this.stopAgent();
    await this.hub.stop();
    // A shell that ends writes its history there.
    await rm(this.state, { recursive: true, force: true, maxRetries: 10 });
  }
}

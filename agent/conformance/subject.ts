import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestHub, type HubLink } from '../test/hub.ts';
import { TerminalClient } from '../test/terminal-client.ts';
import { expect } from './expect.ts';

/** How long one thing may take, in milliseconds, and how often it is looked at. */
const PATIENCE_MS = 30_000;
/** How long the agent may take to start or to end: on a busy machine that is longer than anything else. */
const PROCESS_MS = 60_000;
const LOOK_MS = 20;
/** As the hub does, so that an agent that waits to hear of it does. */
const PING_MS = 5_000;
const OUTPUT_MAX = 16 * 1024;

export interface Ended {
  code: number | null;
  output: string;
}

/** The agent under test: its program, run as its own user, with a separate hub. */
export class Subject {
  readonly hub: TestHub;
  readonly folder: string;
  private readonly command: string[];
  /** The command that reboots the device. */
  reboot: string;
  private readonly pings: NodeJS.Timeout;
  private running: ChildProcess | undefined;
  private output = '';

  private constructor(hub: TestHub, folder: string, command: string[]) {
    this.hub = hub;
    this.folder = folder;
    this.command = command;
    this.reboot = `touch ${join(folder, 'rebooted')}`;
    this.pings = setInterval(() => this.ping(), PING_MS);
  }

  static async make(command: string[]): Promise<Subject> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-conformance-'));
    return new Subject(await new TestHub().start(), folder, command);
  }

  /** Where the agent keeps its key. */
  get state(): string {
    return join(this.folder, 'state');
  }

  get rebooted(): boolean {
    return existsSync(join(this.folder, 'rebooted'));
  }

  /** Runs `<command> enrol` to its end. */
  async enrol(env: Record<string, string> = {}): Promise<Ended> {
    const child = this.spawn('enrol', { WARREN_ACCOUNT: 'account-1', WARREN_TOKEN: this.hub.token, ...env });
    let output = '';
    const keep = (text: Buffer) => (output = (output + String(text)).slice(-OUTPUT_MAX));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const late = setTimeout(() => child.kill('SIGKILL'), PROCESS_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(late);
    return { code, output };
  }

  /** Starts `<command> run`, unless it runs, and settles with its newest link. */
  async link(within = PROCESS_MS): Promise<HubLink> {
    if (!this.running) {
      this.running = this.spawn('run', {});
      const keep = (text: Buffer) => (this.output = (this.output + String(text)).slice(-OUTPUT_MAX));
      this.running.stdout?.on('data', keep);
      this.running.stderr?.on('data', keep);
    }
    await this.until('a link', () => this.newest() !== undefined, within);
    return this.newest()!;
  }

  /** Settles with a link that was made after the first `count`. */
  async linkAfter(count: number, within = PROCESS_MS): Promise<HubLink> {
    await this.until('another link', () => this.hub.links.length > count, within);
    return this.hub.links.at(-1)!;
  }

  async terminal(options?: ConstructorParameters<typeof TerminalClient>[1]): Promise<TerminalClient> {
    return new TerminalClient((await this.link()).client, options);
  }

  /** Asks the agent to stop, as systemd does. */
  async stop(): Promise<number | null> {
    const child = this.running;
    this.running = undefined;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), PROCESS_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(late);
    // A process that is gone says no goodbye, and its links must not be taken for those of the next.
    for (const { session } of this.hub.links) session.destroy();
    return code;
  }

  /** @throws Error that says what was waited for, when it is not so in time */
  async until(what: string, held: () => boolean | Promise<boolean>, within = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + within;
    while (!(await held())) {
      if (this.running && this.running.exitCode !== null) {
        throw new Error(`the agent ended with ${this.running.exitCode}: ${this.output.slice(-500).trim()}`);
      }
      expect(performance.now() < deadline, `waited ${within} ms for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async end(): Promise<void> {
    clearInterval(this.pings);
    await this.stop();
    await this.hub.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private newest(): HubLink | undefined {
    const link = this.hub.links.at(-1);
    return link && !link.session.destroyed && !link.session.closed ? link : undefined;
  }

  private ping(): void {
    for (const { session } of this.hub.links) if (!session.destroyed && !session.closed) session.ping(() => {});
  }

  private spawn(name: string, env: Record<string, string>): ChildProcess {
    const [program = '', ...args] = this.command;
    // Shells of the test read no profile of the person who runs it.
    const own = {
      WARREN_STATE: this.state,
      WARREN_HUB: this.hub.url,
      WARREN_REBOOT_COMMAND: this.reboot,
      HOME: this.folder,
    };
    const child = spawn(program, [...args, name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...own, ...env },
    });
    child.once('error', (error) => (this.output += error.message));
    return child;
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@warren/infra/until';
import { SecondAgent } from '../agent.ts';
import type { SocketToken } from '../api.ts';
import { openSocket } from '../socket.ts';
import { WireTerminal } from '../wire.ts';
import { mark, recordingSettings } from './bodies.ts';
import type { Inviting } from './invite.ts';

const WAIT_MS = 60_000;

/** A device of an account with a running agent, whose terminals are recorded. */
export class Recorder {
  readonly device: string;
  private readonly inviting: Inviting;
  private readonly account: string;
  private readonly agent: SecondAgent;
  /** Holds the serial of its machine. */
  private readonly tree: string;
  /** The newest recording. */
  private last = '';

  private constructor(inviting: Inviting, account: string, agent: SecondAgent, device: string, tree: string) {
    this.inviting = inviting;
    this.account = account;
    this.agent = agent;
    this.device = device;
    this.tree = tree;
  }

  /** @param command what installs an agent of the account */
  static async install(inviting: Inviting, account: string, command: string): Promise<Recorder> {
    const tree = await mkdtemp(join(tmpdir(), 'warren-board-'));
    await writeFile(join(tree, 'serial-number'), `matrix-${mark()}\0`);
    const settings = { WARREN_DEVICE_TREE: tree };
    const agent = await SecondAgent.install(command, undefined, settings);
    const recorder = new Recorder(inviting, account, agent, await agent.device(), tree);
    agent.start(settings);
    return recorder;
  }

  /** Records a terminal of a few bytes. @param cookie of the person whose terminal it is. @returns the id of the recording */
  async record(cookie: string): Promise<string> {
    const { hub } = this.inviting;
    await until(async () => (await this.status()) === 'Connected', WAIT_MS);
    await this.policy('required');
    try {
      const token = await hub.must<SocketToken>(cookie, 'GET', `/api/get-socket-token/${this.device}?purpose=terminal`);
      const terminal = await WireTerminal.open(await openSocket(hub.origin, token), token);
      terminal.type('echo ma""trix\r');
      await terminal.until('matrix');
      terminal.close();
      await until(async () => (await this.closed()) !== this.last, WAIT_MS);
    } finally {
      await this.policy('off');
    }
    this.last = await this.closed();
    return this.last;
  }

  /** Ends the agent; the device stays. */
  async remove(): Promise<void> {
    await this.agent.remove();
    await rm(this.tree, { recursive: true, force: true });
  }

  private async status(): Promise<string> {
    type Shown = { result: { status: string } };
    return (await this.get<Shown>(`/api/devices/${this.device}`)).result.status;
  }

  /** The newest recording, once it is closed and stored; else the one before. */
  private async closed(): Promise<string> {
    type List = { recordings: { id: string; ended: string | null }[] };
    const path = `/api/recordings?account=${this.account}&device=${this.device}&limit=1`;
    const [newest] = (await this.get<List>(path)).recordings;
    return newest?.ended ? newest.id : this.last;
  }

  private policy(policy: 'off' | 'required'): Promise<unknown> {
    const body = { ...recordingSettings, account: this.account, policy };
    return this.inviting.hub.must(this.inviting.cookie, 'PUT', '/api/recordings/settings', body);
  }

  private get<T>(path: string): Promise<T> {
    return this.inviting.hub.must(this.inviting.cookie, 'GET', path);
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownArch } from '../packaging/build/arches.ts';
import { compileHelper } from '../packaging/build/helper.ts';
import { keepRequest, type KeeperRequest } from '../src/system/keeper.frames.ts';
import { KeeperClient } from './keeper-client.ts';
import { until } from '@warren/infra/until';

const isGone = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** The keepers of a test, of the real helper, and the folder where they are. */
export class Keepers {
  /** The terminal of a keeper that is given no other. */
  readonly id = randomUUID();
  folder = '';
  private program = '';
  private all: ChildProcess[] = [];

  async compile(): Promise<void> {
    if (!ownArch) throw new Error(`there is no helper for ${process.arch}`);
    this.program = await compileHelper(ownArch);
  }

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'warren-keeper-'));
    this.all = [];
  }

  async stop(): Promise<void> {
    for (const keeper of this.all) keeper.kill();
    await until(() => this.areGone);
    await rm(this.folder, { recursive: true });
  }

  /** The socket of the terminal {@link id}. */
  get path(): string {
    return join(this.folder, 'sockets', `${this.id}.sock`);
  }

  /** Whether the keeper that was started as the nth has ended. */
  isGone(nth: number): boolean {
    return isGone(this.all[nth]!);
  }

  get areGone(): boolean {
    return this.all.every(isGone);
  }

  /** Starts a keeper that waits for its request. */
  launch(script: string): KeeperClient {
    const keeper = spawn(this.program, ['keep', join(this.folder, 'sockets'), '/bin/sh', 'sh', '-c', script], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      cwd: this.folder,
    });
    this.all.push(keeper);
    return new KeeperClient(keeper.stdio[3] as Socket);
  }

  /** Starts a keeper of a terminal. */
  async open(script: string, wanted: Partial<KeeperRequest> = {}): Promise<KeeperClient> {
    const client = this.launch(script);
    client.socket.write(keepRequest({ ...this.request, ...wanted }));
    await client.until(() => client.state !== undefined || client.refused !== undefined);
    return client;
  }

  private get request(): KeeperRequest {
    const size = { cols: 80, rows: 24 };
    const note = Buffer.from('{"of":"ada"}');
    return { id: this.id, size, orphan: 600, note, term: 'xterm', lang: 'C.UTF-8', userEmail: 'ada@example.com' };
  }
}

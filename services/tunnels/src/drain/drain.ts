import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { setTimeout as wait } from 'node:timers/promises';
import { Lease } from '../broker/lease.ts';
import { Links } from '../links/links.ts';
import { Presence } from '../links/presence.ts';
import { OpenSessions } from '../sockets/open.sessions.ts';
import { SocketServer } from '../sockets/socket.server.ts';

/** How long agents may take to dial another replica, when there is one. */
const MOVE_MS = 5_000;
/** How long sessions may go on when their agents have nowhere else to go. */
const FINISH_MS = 1_500;
const TELL_MS = 2_000;
const LOOK_MS = 50;

/** An orderly stop: devices and browsers move on before this replica is gone. */
@Injectable()
export class Drain implements BeforeApplicationShutdown {
  private readonly log = new Logger(Drain.name);

  constructor(
    private readonly lease: Lease,
    private readonly links: Links,
    private readonly sessions: OpenSessions,
    private readonly sockets: SocketServer,
    private readonly presence: Presence,
    private readonly directory: ReplicaDirectory,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.lease.drain();
    this.log.log(`Draining ${this.links.count} devices and ${this.sessions.active} sessions.`);
    for (const link of this.links.all()) link.goAway();
    if (await this.hasPeers()) await this.until(() => this.links.count === 0, MOVE_MS);
    else await this.until(() => this.sessions.active === 0, FINISH_MS);
    this.sessions.release('The hub is restarting.');
    this.sockets.close();
    await this.links.releaseAll();
    await this.presence.flush(TELL_MS);
    await this.lease.leave();
  }

  private async hasPeers(): Promise<boolean> {
    const replicas = await this.directory.liveReplicas().catch(() => []);
    return replicas.some(({ id, draining }) => id !== this.lease.replica && !draining);
  }

  private async until(done: () => boolean, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!done() && performance.now() < deadline) await wait(LOOK_MS);
  }
}

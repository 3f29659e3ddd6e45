import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Lease } from '../broker/lease.ts';
import { Links } from '../links/links.ts';
import { OtherReplicas } from '../links/other.replicas.ts';
import { Presence } from '../links/presence.ts';
import { UsageReporter } from '../metering/usage.reporter.ts';
import { LiveGrants } from '../sockets/live.grants.ts';
import { SocketServer } from '../sockets/socket.server.ts';
import { WebVisits } from '../web/web.session.ts';
import { Handover } from './handover.ts';

const TELL_MS = 2_000;

/** An orderly stop: devices and browsers move elsewhere before this replica exits. */
@Injectable()
export class Drain implements BeforeApplicationShutdown {
  private readonly log = new Logger(Drain.name);

  constructor(
    private readonly lease: Lease,
    private readonly links: Links,
    private readonly grants: LiveGrants,
    private readonly sockets: SocketServer,
    private readonly others: OtherReplicas,
    private readonly presence: Presence,
    private readonly directory: ReplicaDirectory,
    private readonly handover: Handover,
    private readonly usage: UsageReporter,
    private readonly visits: WebVisits,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.lease.drain();
    this.log.log({ devices: this.links.count, sockets: this.grants.active }, 'Draining the replica.');
    await this.handover.run(await this.hasPeers(), 'The hub is restarting.');
    this.sockets.close();
    this.others.close();
    await this.links.releaseAll();
    this.visits.endAll();
    await Promise.all([this.presence.flush(TELL_MS), this.usage.flush(TELL_MS)]);
    await this.lease.leave();
  }

  private async hasPeers(): Promise<boolean> {
    const replicas = await this.directory.liveReplicas().catch(() => []);
    return replicas.some(({ id, draining }) => id !== this.lease.replica && !draining);
  }
}

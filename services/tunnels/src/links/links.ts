import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { UsageKind } from '@warren/proto/events/v1/events';
import { Claims, type ClaimNotice } from '../broker/claims.ts';
import { Lease } from '../broker/lease.ts';
import { linksConnected, linksEnded } from '../telemetry/metrics.ts';
import { UsageMeter, type Use } from '../metering/usage.meter.ts';
import type { AgentLink } from './link.ts';
import { Presence } from './presence.ts';

const AT_ONCE = 64;

/** The agent links of this replica, one per device, synchronised with the directory. */
@Injectable()
export class Links implements OnModuleInit {
  private readonly log = new Logger(Links.name);
  private readonly links = new Map<string, AgentLink>();
  /** Links to claim again, because the directory lost their claims. */
  private readonly unclaimed = new Set<AgentLink>();
  /** Closed links whose claims the directory has not released yet. */
  private readonly unreleased = new Set<AgentLink>();
  /** By device: a notice that arrives before the response to its new link's claim. */
  private readonly claiming = new Map<string, { notice?: ClaimNotice }>();
  /** Links whose time is metered for an account. */
  private readonly uses = new WeakMap<AgentLink, Use>();
  private repairing = false;
  private readonly addedListeners: ((link: AgentLink) => void)[] = [];
  private readonly movedListeners: ((link: AgentLink) => void)[] = [];

  constructor(
    private readonly claims: Claims,
    private readonly lease: Lease,
    private readonly presence: Presence,
    private readonly meter: UsageMeter,
  ) {}

  onModuleInit(): void {
    this.lease.reportLoad(() => this.links.size);
    this.lease.onRenewed((held) => {
      if (!held) {
        this.log.warn({ devices: this.links.size }, 'The lease was lost for a while; claiming devices again.');
        for (const link of this.links.values()) this.unclaimed.add(link);
      }
      if (this.unclaimed.size + this.unreleased.size > 0) void this.repair();
    });
    this.claims.watch({ noticed: (notice) => this.noticed(notice), missed: () => void this.lookUp() });
  }

  get count(): number {
    return this.links.size;
  }

  get(deviceId: string): AgentLink | undefined {
    return this.links.get(deviceId);
  }

  all(): AgentLink[] {
    return [...this.links.values()];
  }

  /** Calls back with each link that is added. */
  onAdded(listener: (link: AgentLink) => void): void {
    this.addedListeners.push(listener);
  }

  /** Calls back with each link whose device has moved to another account. */
  onMoved(listener: (link: AgentLink) => void): void {
    this.movedListeners.push(listener);
  }

  /**
   * Claims the device for a new link and adds it; closes an older link of the device.
   * @throws Fault `unavailable` if the directory cannot be written; the link is useless then
   */
  async add(link: AgentLink): Promise<void> {
    const waiting: { notice?: ClaimNotice } = {};
    this.claiming.set(link.deviceId, waiting);
    try {
      link.epoch = await this.claims.claim(link);
    } finally {
      if (this.claiming.get(link.deviceId) === waiting) this.claiming.delete(link.deviceId);
    }
    const older = this.links.get(link.deviceId);
    if (older && older.epoch > link.epoch) return link.destroy();
    this.links.set(link.deviceId, link);
    linksConnected.set(this.links.size);
    if (older) this.supersede(older);
    older?.destroy();
    this.meterTime(link);
    this.presence.connected(link);
    if (link.alive) link.end.listen(() => void this.remove(link));
    else void this.remove(link);
    if (waiting.notice) this.noticed(waiting.notice);
    for (const listener of this.addedListeners) listener(link);
  }

  /** The device of a link has moved to another account. */
  move(link: AgentLink, accountId: string): void {
    if (link.accountId === accountId) return;
    link.accountId = accountId;
    this.meterTime(link);
    for (const listener of this.movedListeners) listener(link);
  }

  /** Resolves when the directory has released all closed links, as far as it answers. */
  async releaseAll(): Promise<void> {
    for (const link of this.links.values()) link.destroy();
    await Promise.all([...this.unreleased].map((link) => this.release(link)));
  }

  private async remove(link: AgentLink): Promise<void> {
    this.unclaimed.delete(link);
    this.uses.get(link)?.end();
    const current = this.links.get(link.deviceId) === link;
    if (current) {
      this.links.delete(link.deviceId);
      linksConnected.set(this.links.size);
      linksEnded.inc();
      this.presence.disconnected(link);
    }
    this.unreleased.add(link);
    await this.release(link);
  }

  /** Meters the link's time for its current account only. */
  private meterTime(link: AgentLink): void {
    this.uses.get(link)?.end();
    const use = this.meter.use(link.accountId, UsageKind.DEVICE);
    this.uses.set(link, use);
    use.begin();
  }

  /** Stops metering an old link: a device with two links counts once. */
  private supersede(link: AgentLink): void {
    this.uses.get(link)?.end();
    link.supersede();
  }

  private async release(link: AgentLink): Promise<void> {
    try {
      await this.claims.release(link.deviceId, link.id);
      this.unreleased.delete(link);
    } catch {
      this.log.warn({ device: link.deviceId }, 'A claim could not be released; again with the next renewal.');
    }
  }

  private noticed(notice: ClaimNotice): void {
    const { deviceId, epoch, connection } = notice;
    const waiting = this.claiming.get(deviceId);
    if (waiting) waiting.notice = notice;
    const link = this.links.get(deviceId);
    if (!link || link.id === connection || link.epoch >= epoch) return;
    this.supersede(link);
    // While draining, running streams on the old link may finish.
    if (this.lease.draining) link.close();
    else link.destroy();
  }

  /** Checks the claim of each link. Claims that Redis lost are made again with the lease. */
  private async lookUp(): Promise<void> {
    await inBatches(this.all(), async ({ deviceId }) => {
      const newest = await this.claims.newest(deviceId).catch(() => undefined);
      if (newest) this.noticed(newest);
    });
  }

  private async repair(): Promise<void> {
    if (this.repairing) return;
    this.repairing = true;
    try {
      await inBatches([...this.unreleased], (link) => this.release(link));
      await inBatches([...this.unclaimed], (link) => this.reclaim(link));
    } finally {
      this.repairing = false;
    }
  }

  private async reclaim(link: AgentLink): Promise<void> {
    if (!link.alive) return;
    try {
      const epoch = await this.claims.reclaim(link, link.epoch);
      this.unclaimed.delete(link);
      if (epoch === undefined) return link.destroy();
      link.epoch = epoch;
      if (link.alive) this.presence.connected(link);
      else await this.release(link);
    } catch {
      // Stays in the set until the next renewal.
    }
  }
}

async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}

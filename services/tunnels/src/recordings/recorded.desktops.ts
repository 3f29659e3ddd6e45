import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { Announcements } from './announcements.ts';
import { RecordedDesktop } from './recorded.desktop.ts';
import type { RecordedSession } from './recorded.source.ts';
import { RecordedSources } from './recorded.sources.ts';

/** Bytes of all open desktops that may wait for recorders, and of each. A recorder stores less than the least at once. */
const MOST = 512 << 20;
const LARGEST = 2 << 20;
const SMALLEST = 512 << 10;
/** What desktops that have ended take for a recorder that comes late, and how long. So some 1,000 are kept at most. */
const MOST_ENDED = 64 << 20;
const KEPT_MS = 600_000;
const CLOSING_MS = 2_000;
const LOOK_MS = 20;
const MOVED = 'Its device was moved to another account.';
const RESTARTING = 'The hub is restarting.';

/** The recorded desktops of the devices that are linked here. */
@Injectable()
export class RecordedDesktops implements OnModuleInit, BeforeApplicationShutdown {
  private readonly desktops = new Set<RecordedDesktop>();
  /** Those that have ended and are not stored, with the timers after which they are given up; the oldest first. */
  private readonly ended = new Map<RecordedDesktop, NodeJS.Timeout>();

  constructor(
    private readonly links: Links,
    private readonly sources: RecordedSources,
    private readonly announcements: Announcements,
  ) {}

  onModuleInit(): void {
    this.links.onMoved((link) => this.endForeign(link));
  }

  /** A desktop does not continue elsewhere: what it has sent is stored now, or never. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const desktop of this.desktops) this.stop(desktop, RESTARTING, 'moved');
    const until = performance.now() + CLOSING_MS;
    while (this.desktops.size > 0 && performance.now() < until) await wait(LOOK_MS);
    await Promise.all([...this.desktops].map((desktop) => this.remove(desktop)));
  }

  /** Has a desktop recorded from its first byte on. @throws Fault `unavailable` if it can't be announced */
  async begin(of: Omit<RecordedSession, 'session' | 'startedAt'>, link: AgentLink): Promise<RecordedDesktop> {
    const session = { ...of, session: randomUUID(), startedAt: Date.now() };
    const desktop = new RecordedDesktop(session, link, {
      limit: () => this.share,
      closed: (closed) => void this.remove(closed),
    });
    this.desktops.add(desktop);
    this.sources.put(desktop);
    try {
      await this.announcements.add(session);
    } catch (cause) {
      await this.remove(desktop);
      throw new Fault('unavailable', 'The directory does not answer.', { cause });
    }
    return desktop;
  }

  /** The desktop has ended. Its last bytes are kept for a while, until they are stored. */
  finish(desktop: RecordedDesktop, reason: string): void {
    if (!this.desktops.has(desktop) || this.ended.has(desktop)) return;
    desktop.finish(reason);
    // No recorder has seen it, and there is nothing to see.
    if (desktop.claim === 0n && desktop.bytes.length === 0) return void this.remove(desktop);
    this.ended.set(desktop, setTimeout(() => void this.remove(desktop), KEPT_MS).unref());
    let kept = [...this.ended.keys()].reduce((sum, { bytes }) => sum + bytes.memory, 0);
    for (const oldest of this.ended.keys()) {
      if (kept <= MOST_ENDED) break;
      kept -= oldest.bytes.memory;
      void this.remove(oldest);
    }
  }

  /** Those that have ended have their own bound. */
  private get share(): number {
    return Math.max(SMALLEST, Math.min(LARGEST, Math.floor(MOST / Math.max(1, this.desktops.size - this.ended.size))));
  }

  /** The former account of a device must not see more of it, also of people who stay. */
  private endForeign(link: AgentLink): void {
    for (const desktop of this.desktops)
      if (desktop.link === link && desktop.session.accountId !== link.accountId)
        this.stop(desktop, MOVED, 'unrecorded');
  }

  private stop(desktop: RecordedDesktop, reason: string, code: 'unrecorded' | 'moved'): void {
    const { owner } = desktop;
    this.finish(desktop, reason);
    owner?.stop(reason, code);
  }

  private async remove(desktop: RecordedDesktop): Promise<void> {
    this.desktops.delete(desktop);
    clearTimeout(this.ended.get(desktop));
    this.ended.delete(desktop);
    this.sources.drop(desktop);
    await this.announcements.leave([desktop.session]);
  }
}

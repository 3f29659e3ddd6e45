import { Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Links } from '../links/links.ts';
import { LiveGrants } from '../sockets/live.grants.ts';

/** How long agents may take to dial another replica, when there is one. */
const MOVE_MS = 5_000;
/** How long sessions may continue when their agents have no other replica. */
const FINISH_MS = 1_500;
const LOOK_MS = 50;

/** Hands over what this replica holds: first the devices, then the browsers. */
@Injectable()
export class Handover {
  constructor(
    private readonly links: Links,
    private readonly grants: LiveGrants,
  ) {}

  /**
   * Resolves when all links have been asked to leave and have had time to do so.
   * @param peers whether another replica takes the devices
   * @param reason shown to people
   */
  async run(peers: boolean, reason: string): Promise<void> {
    for (const link of this.links.all()) link.goAway();
    if (peers) await until(() => this.links.count === 0, MOVE_MS);
    else await until(() => this.grants.active === 0, FINISH_MS);
    this.grants.release(reason);
  }
}

async function until(done: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!done() && performance.now() < deadline) await wait(LOOK_MS);
}

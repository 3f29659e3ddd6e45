import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { GuestLinksService } from './guest.links.service.ts';

const EVERY_MS = 10_000;

/** Ends guest links whose time has come. Their sessions expire to the second by themselves. */
@Injectable()
export class GuestExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(links: GuestLinksService) {
    const round = () => links.sweep();
    this.rounds = new Rounds({
      of: GuestExpiry.name,
      everyMs: EVERY_MS,
      failed: 'Ending expired guest links failed',
      round,
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }
}

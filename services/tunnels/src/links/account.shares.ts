import { Inject, Injectable } from '@nestjs/common';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { Allowance } from './allowance.ts';
import { AccountTurn, LoopShares } from './loop.shares.ts';

/** What an account's devices use of this replica. */
export interface AccountShare {
  /** Open streams of all its links for people: sessions, connections, calls. */
  streams: number;
  /** Open streams of the hub itself; each device has one or two. */
  hubStreams: number;
  /** Messages and small frames. */
  readonly frames: Allowance;
  readonly turn: AccountTurn;
}

/** Bounds of a device and of an account in a replica. */
export type ShareLimits = Pick<
  TunnelsConfig,
  | 'MAX_DEVICE_STREAMS'
  | 'MAX_ACCOUNT_STREAMS'
  | 'MAX_DEVICE_BUFFER'
  | 'MAX_ACCOUNT_BUFFER'
  | 'MAX_DEVICE_FRAMES'
  | 'MAX_ACCOUNT_FRAMES'
>;

/** Whom a stream is for: people, whose streams an account may have so many of, or the hub itself. */
export type StreamUse = 'people' | 'hub';

/** Seconds of frames in a burst. */
const BURST_S = 0.5;

/** Tracks what each account uses of this replica, while it has open streams. */
@Injectable()
export class AccountShares {
  readonly loop = new LoopShares();
  private readonly shares = new Map<string, AccountShare>();

  constructor(@Inject(TUNNELS_CONFIG) readonly limits: ShareLimits) {}

  /** The number of accounts with open streams. */
  get size(): number {
    return this.shares.size;
  }

  /** Counts one more stream. @returns undefined if the account is at its limit */
  open(accountId: string, use: StreamUse): AccountShare | undefined {
    const { MAX_ACCOUNT_STREAMS, MAX_ACCOUNT_FRAMES } = this.limits;
    let share = this.shares.get(accountId);
    if (!share) {
      const frames = new Allowance(MAX_ACCOUNT_FRAMES, MAX_ACCOUNT_FRAMES * BURST_S);
      share = { streams: 0, hubStreams: 0, frames, turn: new AccountTurn() };
      this.shares.set(accountId, share);
    }
    if (use === 'hub') share.hubStreams++;
    else if (share.streams < MAX_ACCOUNT_STREAMS) share.streams++;
    else return undefined;
    return share;
  }

  /** Counts a closed stream. @param share as returned by {@link open}: the device may belong to another account by now */
  close(accountId: string, share: AccountShare, use: StreamUse): void {
    if (use === 'hub') share.hubStreams--;
    else share.streams--;
    const isIdle = share.streams + share.hubStreams === 0;
    if (isIdle && this.shares.get(accountId) === share) this.shares.delete(accountId);
  }

  /** A separate frame allowance for a device. */
  deviceFrames(): Allowance {
    return new Allowance(this.limits.MAX_DEVICE_FRAMES, this.limits.MAX_DEVICE_FRAMES * BURST_S);
  }
}

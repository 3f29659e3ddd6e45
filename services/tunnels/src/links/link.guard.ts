import { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { streamsRefused } from '../telemetry/metrics.ts';
import type { AccountShare, AccountShares, StreamUse } from './account.shares.ts';
import { Allowance } from './allowance.ts';
import { LinkTurn, type LoopShares } from './loop.shares.ts';
import { Overhead } from './overhead.ts';
import { SocketReader } from './socket.reader.ts';
import { LARGEST_WINDOW, SMALLEST_WINDOW } from './stream.window.ts';

/** The breach that ended a link. */
export type Breach = 'control_frames' | 'small_frames' | 'facts' | 'settings';

/** Shown to people after `it sent`. */
export const BREACHES: Readonly<Record<Breach, string>> = {
  control_frames: 'too many control frames',
  small_frames: 'too many small messages',
  facts: 'its facts too often',
  settings: 'no acknowledgement of SETTINGS',
};

/** Opens streams inside a link. */
export type StreamOpener = Pick<ClientHttp2Session, 'request' | 'closed' | 'destroyed'>;

/** The device or its account is at its limit of open streams. */
export class TooManyStreams extends Error {
  override name = 'TooManyStreams';
  override message = 'Too many sessions of this device are open.';
}

/** Agents send few control frames: SETTINGS at the start, a PING now and then, one GOAWAY. */
const CONTROL = { perSecond: 5, burst: 100 };
/** Facts come at most each 30 s. */
const FACTS = { perSecond: 1, burst: 60 };
/** Receiving a smaller frame costs more than its bytes. */
const SMALL_BYTES = 256;
/** Overhead of an unread piece. */
const PIECE_BYTES = 256;
/** Agents acknowledge SETTINGS at once (RFC 9113, 6.5.3). */
const SETTINGS_MS = 10_000;

/**
 * Bounds what a device can cost its replica: streams, unread bytes, and frames that cost more than they carry. HTTP/2 flow
 * control only bounds the bytes of a stream.
 */
export class LinkGuard implements StreamOpener {
  private streams = 0;
  private readonly control = new Allowance(CONTROL.perSecond, CONTROL.burst);
  private readonly facts = new Allowance(FACTS.perSecond, FACTS.burst);
  private readonly frames: Allowance;
  private readonly overhead: Overhead;
  private share: AccountShare | undefined;
  private readonly loop: LoopShares;
  private readonly turn: LinkTurn;
  private readonly reader: SocketReader;
  /** The last frame was counted, so its first message is free. */
  private counted = false;
  /** No message of the last frame has arrived yet. */
  private fresh = false;
  /** Unread bytes per stream, as last announced to the agent. */
  private size = LARGEST_WINDOW;
  private largest = LARGEST_WINDOW;

  /**
   * @param accountId the device's current account
   * @param breached called with the first breach; ends the link
   */
  constructor(
    private readonly session: ClientHttp2Session,
    private readonly shares: AccountShares,
    private readonly accountId: () => string,
    private readonly breached: (breach: Breach) => void,
  ) {
    this.frames = shares.deviceFrames();
    this.loop = shares.loop;
    this.reader = new SocketReader(session);
    this.turn = new LinkTurn(this.reader);
    session.once('close', () => this.loop.leave(this.turn));
    this.overhead = new Overhead(session, () => this.breached('control_frames'));
    for (const event of ['ping', 'remoteSettings', 'goaway', 'altsvc', 'origin']) session.on(event, this.controlled);
  }

  get closed(): boolean {
    return this.session.closed;
  }

  get destroyed(): boolean {
    return this.session.destroyed;
  }

  /** The window of each stream, and its maximum for the current number of streams. */
  get window(): { size: number; largest: number } {
    return { size: this.size, largest: this.largest };
  }

  /** Opens a stream for people. @throws TooManyStreams */
  request(...[headers, options]: Parameters<ClientHttp2Session['request']>): ClientHttp2Stream {
    return this.open('people', headers, options);
  }

  /**
   * Opens a stream for the hub itself: of an account with thousands of devices, these leave people what they may open.
   * @throws TooManyStreams if the device is at its limit
   */
  requestForHub(...[headers, options]: Parameters<ClientHttp2Session['request']>): ClientHttp2Stream {
    return this.open('hub', headers, options);
  }

  private open(use: StreamUse, ...[headers, options]: Parameters<ClientHttp2Session['request']>): ClientHttp2Stream {
    const account = this.accountId();
    const share = this.admit(account, use);
    const stream = this.begin(headers, options, () => this.shares.close(account, share, use));
    this.streams++;
    this.share = share;
    this.turn.account = share.turn;
    // Interim answers (1xx); agents send none.
    stream.on('headers', this.controlled);
    const read = this.watchPieces(stream);
    stream.once('close', () => {
      this.streams--;
      // Bytes that were in flight when the stream was reset.
      if (!read.toEnd) this.overhead.expect(LARGEST_WINDOW);
      this.shares.close(account, share, use);
    });
    this.fit(share);
    return stream;
  }

  /** Counts a message. @returns false if others should be served before the next one */
  took(bytes: number): boolean {
    if (!this.counted) this.count(bytes);
    this.counted = false;
    const first = this.fresh;
    this.fresh = false;
    return first ? !this.turn.paused : this.loop.message(this.turn);
  }

  /** Counts a DATA frame. */
  frame(bytes: number): void {
    this.fresh = true;
    this.overhead.frame(bytes);
    this.count(bytes);
    this.loop.frame(this.turn, bytes, bytes < SMALL_BYTES);
  }

  /** Counts small pieces of a frame. @returns false if others should be served before the next frame */
  pieces(count: number): boolean {
    return this.loop.pieces(this.turn, count);
  }

  /** Calls back when reading of the link resumes. */
  later(goOn: () => void): void {
    this.reader.later(goOn);
  }

  private count(bytes: number): void {
    this.counted = bytes < SMALL_BYTES;
    if (!this.counted) return;
    const within = this.frames.take() && this.share?.frames.take() !== false;
    if (!within) this.breached('small_frames');
  }

  /** Counts a report of facts. */
  reported(): void {
    if (!this.facts.take()) this.breached('facts');
  }

  /** Changes the window of all streams. */
  resize(size: number): void {
    this.size = size;
    let acknowledged = false;
    const late = setTimeout(
      () => this.whenAnswered(() => acknowledged || this.breached('settings')),
      SETTINGS_MS,
    ).unref();
    this.session.settings({ initialWindowSize: size }, () => {
      acknowledged = true;
      clearTimeout(late);
    });
  }

  /** Silence is no breach: a device without network acknowledges nothing, and the link's PINGs end the link. */
  private whenAnswered(judge: () => void): void {
    if (this.session.destroyed) return;
    // The answer shows that the device has read all earlier frames.
    this.session.ping((error) => error || judge());
  }

  /** @param undo called if the session accepts no more streams */
  private begin(...[headers, options, undo]: [...Parameters<ClientHttp2Session['request']>, () => void]) {
    try {
      return this.session.request(headers, options);
    } catch (error) {
      undo();
      throw error;
    }
  }

  private admit(accountId: string, use: StreamUse): AccountShare {
    const { MAX_DEVICE_STREAMS } = this.shares.limits;
    const share = this.streams < MAX_DEVICE_STREAMS ? this.shares.open(accountId, use) : undefined;
    if (share) return share;
    streamsRefused.inc({ bound: this.streams < MAX_DEVICE_STREAMS ? 'account' : 'device' });
    throw new TooManyStreams();
  }

  /** Shrinks windows as streams open, so that unread bytes stay bounded. */
  private fit(share: AccountShare): void {
    const { MAX_DEVICE_BUFFER, MAX_ACCOUNT_BUFFER } = this.shares.limits;
    const room = Math.min(MAX_DEVICE_BUFFER / this.streams, MAX_ACCOUNT_BUFFER / Math.max(1, share.streams));
    const power = 2 ** Math.floor(Math.log2(Math.max(room, 1)));
    this.largest = Math.min(LARGEST_WINDOW, Math.max(SMALLEST_WINDOW, power));
    if (this.largest < this.size) this.resize(this.largest);
  }

  private readonly controlled = (): void => {
    if (!this.control.take()) this.breached('control_frames');
  };

  /**
   * Counts the frames in the stream's buffer, which keeps each as a separate piece and counts bytes only.
   * @returns whether the agent has ended the stream so far; `end` of a stream is emitted after a reset too
   */
  private watchPieces(stream: ClientHttp2Stream): { toEnd: boolean } {
    const read = { toEnd: false };
    const push = stream.push.bind(stream);
    let pieces = 0;
    stream.push = (chunk: Buffer | null, ...rest: [BufferEncoding?]) => {
      if (!chunk) {
        read.toEnd ||= !stream.closed && !stream.destroyed;
        return push(chunk, ...rest);
      }
      this.frame(chunk.length);
      pieces = stream.readableLength === 0 ? 1 : pieces + 1;
      if (pieces * PIECE_BYTES > this.size && stream.readableLength < pieces * (PIECE_BYTES / 4)) {
        streamsRefused.inc({ bound: 'pieces' });
        stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
        return false;
      }
      return push(chunk, ...rest);
    };
    return read;
  }
}

import RFB from '@novnc/novnc';
import { DesktopChannel } from '../../../../sockets/desktop/channel.ts';
import type { DesktopPicture, NotDrawn } from './desktop-stage.ts';
import { EncryptedSession, Opening } from './opening.ts';
import classes from '../Player.module.css';

/** The answers to a sign-in are in no recording, so any will do. */
const ANY = { username: '-', password: '-', target: '-' };
/** Bytes that noVNC gets one by one before it shows a desktop: it looks at what it has once for each message. */
const SINGLE_BYTES = 16_384;
/** An image that is not decoded by then never will be. */
const IMAGE_MS = 10_000;

class ReplayRfb extends RFB {
  failure = '';

  get isBusy(): boolean {
    return this._display.pending();
  }

  flushed(): Promise<void> {
    return this._display.flush();
  }

  protected override _fail(details: string): boolean {
    this.failure ||= details;
    return super._fail(details);
  }
}

/** noVNC, which draws the bytes of a recorded VNC server in place of those of a connection. */
export class NoVncPicture implements DesktopPicture {
  notDrawn: NotDrawn | null = null;
  private readonly layer = document.createElement('div');
  private readonly channel = new DesktopChannel({ send: () => undefined, closed: () => undefined });
  private readonly opening = new Opening();
  private readonly rfb: ReplayRfb;
  private singles = SINGLE_BYTES;
  private isClosed = false;
  private flushing: Promise<void> | null = null;
  private release: () => void = () => undefined;

  /** @param onStop nothing more is drawn */
  constructor(
    host: HTMLElement,
    private readonly onStop: () => void,
  ) {
    const { layer } = this;
    layer.className = classes['layer'] ?? '';
    layer.dataset['behind'] = '';
    // Not by noVNC's `viewOnly`: with that, noVNC 1.7 leaves the content of clipboard messages among the bytes that it reads next.
    layer.inert = true;
    host.append(layer);
    const rfb = new ReplayRfb(layer, this.channel, { credentials: ANY });
    this.rfb = rfb;
    rfb.scaleViewport = true;
    rfb.background = 'transparent';
    rfb.addEventListener('connect', () => (this.singles = 0));
    rfb.addEventListener('securityfailure', () => this.stop({ kind: 'refused' }));
    rfb.addEventListener('disconnect', () => {
      if (!this.isClosed) this.stop({ kind: 'undrawable', reason: rfb.failure });
    });
  }

  get isBusy(): boolean {
    return !this.isOver && this.rfb.isBusy;
  }

  take(bytes: Uint8Array): void {
    if (this.isOver) return;
    try {
      for (const part of this.opening.pass(bytes)) this.give(part);
    } catch (error) {
      if (error instanceof EncryptedSession) this.stop({ kind: 'encrypted' });
      else this.stop({ kind: 'undrawable', reason: String(error) });
    }
  }

  async drawn(): Promise<void> {
    while (this.isBusy) await (this.flushing ??= this.flush());
  }

  stop(why: NotDrawn): void {
    if (this.isOver) return;
    this.notDrawn = why;
    this.release();
    this.onStop();
  }

  reveal(): void {
    delete this.layer.dataset['behind'];
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.release();
    this.rfb.disconnect();
    this.layer.remove();
  }

  private get isOver(): boolean {
    return this.isClosed || this.notDrawn !== null;
  }

  private give(bytes: Uint8Array): void {
    let at = 0;
    for (; at < bytes.length && this.singles > 0; at++) {
      this.singles -= 1;
      this.channel.receive(bytes.slice(at, at + 1));
    }
    if (at < bytes.length) this.channel.receive(bytes.subarray(at));
  }

  private async flush(): Promise<void> {
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => this.stop({ kind: 'undrawable', reason: 'an image' }), IMAGE_MS);
      this.release = () => {
        clearTimeout(late);
        resolve();
      };
      void this.rfb.flushed().then(this.release);
    });
    this.flushing = null;
  }
}

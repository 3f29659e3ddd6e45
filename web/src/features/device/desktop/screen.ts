import RFB from '@novnc/novnc';
import type { DesktopChannel } from '../../../sockets/desktop/channel.ts';
import type { Levels } from '../../../sockets/desktop/adapt.ts';
import { RsaAesChannel } from '../../../sockets/desktop/rsa-aes/channel.ts';
import { chord, keyCode, keysymOf } from '../../../sockets/desktop/keys.ts';
import type { DesktopKey } from '../../../sockets/desktop/keys.ts';
import type {
  CredentialKind,
  Credentials,
  DesktopView,
  ViewEvents,
  ViewFailure,
} from '../../../sockets/desktop/types.ts';

/** Scaling of the desktop: fit to the page, original size, or resize the remote desktop. */
export type SizeMode = 'fit' | 'actual' | 'remote';

export interface ScreenOptions {
  size: SizeMode;
  levels: Levels;
  viewOnly: boolean;
  /** With a finger on a picture larger than its space: it scrolls instead of acting as the mouse. */
  move: boolean;
}

export interface ScreenHandlers extends ViewEvents {
  credentials(kinds: CredentialKind[]): void;
  /** The server presents a key; the screen waits for `approve`. */
  verify(key: Uint8Array<ArrayBuffer>): void;
  /** Text copied on the device. */
  clipboard(text: string): void;
}

const CREDENTIALS: readonly string[] = ['username', 'password', 'target'];

/** noVNC's message that it supports none of the server's security types. */
const UNSUPPORTED = 'Unsupported security types';

/** noVNC's failure event carries no reason; only this log does. */
class ReportingRfb extends RFB {
  failure: string | undefined;

  protected override _fail(details: string): boolean {
    this.failure ??= details;
    return super._fail(details);
  }
}

/** The drawn desktop of one connection. */
export class DesktopScreen implements DesktopView {
  private readonly rfb: ReportingRfb;
  private readonly channel: RsaAesChannel;
  private open = true;
  private refusal: string | undefined;

  constructor(
    host: HTMLElement,
    channel: DesktopChannel,
    private readonly handlers: ScreenHandlers,
    given: { credentials: Credentials; options: ScreenOptions },
  ) {
    // Specification, section 7: shared mode; noVNC asks for 24-bit colour by itself.
    this.channel = new RsaAesChannel(
      channel,
      {
        verify: (key) => this.verify(key),
        credentials: (kinds) => handlers.credentials(kinds),
        failed: (problem, reason) => this.fail(problem, reason),
      },
      given.credentials,
    );
    this.rfb = new ReportingRfb(host, this.channel, { shared: true, credentials: given.credentials });
    this.rfb.background = 'transparent';
    this.apply(given.options);
    this.listen();
  }

  apply({ size, levels, viewOnly, move }: ScreenOptions): void {
    const { rfb } = this;
    rfb.viewOnly = viewOnly;
    rfb.scaleViewport = size === 'fit';
    rfb.resizeSession = size === 'remote';
    // A mouse uses scroll bars, which a finger on the picture can't reach.
    rfb.clipViewport = size === 'actual' && matchMedia('(pointer: coarse)').matches;
    rfb.dragViewport = rfb.clipViewport && move;
    rfb.qualityLevel = levels.quality;
    rfb.compressionLevel = levels.compression;
  }

  sendCredentials(credentials: Credentials): void {
    this.asking.sendCredentials(credentials);
  }

  approve(): void {
    this.asking.approveServer();
  }

  press(keys: readonly DesktopKey[]): void {
    for (const { key, down } of chord(keys)) this.rfb.sendKey(key.keysym, key.code, down);
    this.focus();
  }

  /** Keys of an on-screen keyboard. */
  type(text: string, backspaces: number): void {
    const { keysym, code } = keyCode('Backspace');
    for (let count = 0; count < backspaces; count++) this.rfb.sendKey(keysym, code);
    for (const character of text) {
      const enter = character === '\n';
      this.rfb.sendKey(enter ? keyCode('Enter').keysym : keysymOf(character), enter ? 'Enter' : null);
    }
  }

  paste(text: string): void {
    this.rfb.clipboardPasteFrom(text);
  }

  focus(): void {
    this.rfb.focus({ preventScroll: true });
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    this.rfb.disconnect();
  }

  /** The credentials for the server. */
  private get asking(): Pick<RFB, 'approveServer' | 'sendCredentials'> {
    return this.channel.signsIn ? this.channel : this.rfb;
  }

  private verify(key: Uint8Array<ArrayBuffer>): void {
    if (window.isSecureContext) this.handlers.verify(key);
    // Otherwise it would wait for a key that cannot be computed.
    else this.fail('insecure', '');
  }

  private fail(problem: ViewFailure, reason: string): void {
    if (!this.open) return;
    this.close();
    this.handlers.failed(problem, reason);
  }

  private listen(): void {
    const { rfb, handlers } = this;
    rfb.addEventListener('connect', () => handlers.connected());
    rfb.addEventListener('clipboard', ({ detail }) => handlers.clipboard(detail.text));
    rfb.addEventListener('serververification', ({ detail }) => this.verify(detail.publickey));
    rfb.addEventListener('credentialsrequired', ({ detail }) =>
      handlers.credentials(detail.types.filter((type): type is CredentialKind => CREDENTIALS.includes(type))),
    );
    rfb.addEventListener('securityfailure', ({ detail }) => (this.refusal = detail.reason ?? ''));
    rfb.addEventListener('disconnect', ({ detail }) => this.over(detail.clean));
  }

  private over(clean: boolean): void {
    if (!this.open) return;
    this.open = false;
    if (clean) return this.handlers.ended();
    if (this.refusal !== undefined) return this.handlers.failed('security', this.refusal);
    const failure = this.rfb.failure ?? '';
    this.handlers.failed(failure.startsWith(UNSUPPORTED) ? 'locked' : 'protocol', failure);
  }
}

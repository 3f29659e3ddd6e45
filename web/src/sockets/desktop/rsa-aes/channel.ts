import type { DesktopChannel } from '../channel.ts';
import type { CredentialKind, Credentials } from '../types.ts';
import { shakeHands } from './handshake.ts';
import type { Ciphers } from './handshake.ts';
import { Inbox } from './inbox.ts';
import { joined } from './sealed.ts';
import { CHOICE_OF_NONE, LIST_OF_NONE, RsaAesError, rsaAesAmong } from './types.ts';
import type { RsaAesPerson, RsaAesType } from './types.ts';

/** The protocol version in which the client chooses the security type; servers of older ones do not encrypt. */
const VERSION = 'RFB 003.008\n';

/**
 * version: versions are exchanged; list: the server's security types are awaited; handshake: it is signed in here;
 * choice: noVNC chooses from the types it was shown; sealed: all is encrypted; plain: all passes as it is.
 */
type Phase = 'version' | 'list' | 'handshake' | 'choice' | 'sealed' | 'plain' | 'over';

/**
 * A desktop's channel for noVNC. If the server accepts only RSA-AES with full encryption, which noVNC does not support, the sign-in
 * happens here, and noVNC sees a server without authentication. Otherwise all bytes pass unchanged.
 */
export class RsaAesChannel {
  binaryType = 'arraybuffer';
  protocol = '';
  onopen: DesktopChannel['onopen'] = null;
  onmessage: DesktopChannel['onmessage'] = null;
  onclose: DesktopChannel['onclose'] = null;
  onerror: DesktopChannel['onerror'] = null;
  private phase: Phase = 'version';
  /** Incomplete input of the server. Of a list it is 256 bytes at most. */
  private head: Uint8Array = new Uint8Array();
  private readonly inbox = new Inbox();
  private ciphers: Ciphers | null = null;
  private approve: (() => void) | null = null;
  private signIn: ((credentials: Credentials) => void) | null = null;

  constructor(
    private readonly channel: DesktopChannel,
    private readonly person: RsaAesPerson,
    private given: Credentials,
  ) {
    channel.onmessage = ({ data }) => this.guarded(() => this.received(new Uint8Array(data as ArrayBuffer)));
    channel.onclose = (event) => {
      this.phase = 'over';
      this.onclose?.(event);
    };
  }

  get readyState(): string {
    return this.channel.readyState;
  }

  /** Whether the sign-in happens here, and not in noVNC. */
  get signsIn(): boolean {
    return this.phase === 'handshake';
  }

  approveServer(): void {
    this.approve?.();
  }

  sendCredentials(credentials: Credentials): void {
    this.given = credentials;
    this.signIn?.(credentials);
  }

  /** noVNC's output. */
  send(bytes: Uint8Array): void {
    if (this.phase === 'sealed') return this.sealed(bytes);
    if (this.phase === 'choice') return this.chosen(bytes);
    if (this.phase === 'version') this.phase = String.fromCharCode(...bytes) === VERSION ? 'list' : 'plain';
    if (this.phase === 'list' || this.phase === 'plain') this.channel.send(bytes);
  }

  close(): void {
    this.channel.close();
  }

  private received(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.phase === 'plain') this.pass(bytes);
    else if (this.phase === 'sealed' && this.ciphers) this.pass(this.ciphers.opener.open(bytes));
    else if (this.phase === 'handshake' || this.phase === 'choice') this.inbox.push(bytes);
    else if (this.phase !== 'over') this.begin(joined(this.head, bytes));
  }

  /** The start of a connection, with the bytes not yet parsed. */
  private begin(bytes: Uint8Array): void {
    this.head = new Uint8Array();
    if (this.phase === 'version') {
      if (bytes.length < VERSION.length) return void (this.head = bytes);
      // noVNC answers within this call.
      this.pass(bytes.slice(0, VERSION.length));
      bytes = bytes.subarray(VERSION.length);
      if (this.phase === 'version') this.phase = 'plain';
    }
    if (this.phase === 'list') this.listed(bytes);
    else this.pass(bytes.slice());
  }

  private listed(bytes: Uint8Array): void {
    const [count] = bytes;
    if (count === undefined || bytes.length < 1 + count) return void (this.head = bytes);
    const type = rsaAesAmong(bytes.subarray(1, 1 + count));
    this.phase = type ? 'handshake' : 'plain';
    if (!type) return this.pass(bytes.slice());
    this.inbox.push(bytes.subarray(1 + count));
    void this.handshake(type);
  }

  private async handshake(type: RsaAesType): Promise<void> {
    try {
      this.channel.send(new Uint8Array([type]));
      const ciphers = await shakeHands(type, {
        inbox: this.inbox,
        send: (bytes) => this.channel.send(bytes),
        approved: (key) => this.approved(key),
        credentials: (kinds) => this.credentials(kinds),
      });
      this.approve = this.signIn = null;
      if (this.phase !== 'handshake') return;
      this.ciphers = ciphers;
      this.phase = 'choice';
      this.pass(LIST_OF_NONE.slice());
    } catch (error) {
      this.fail(error);
    }
  }

  /** noVNC's choice from the types it was shown, which the server does not see. */
  private chosen(bytes: Uint8Array): void {
    if (bytes[0] !== CHOICE_OF_NONE) return;
    this.phase = 'sealed';
    if (bytes.length > 1) this.sealed(bytes.subarray(1));
    // After noVNC has processed its input: it reads nothing within its own call.
    queueMicrotask(() => this.guarded(() => this.pass(this.inbox.rest().slice())));
  }

  private approved(key: Uint8Array<ArrayBuffer>): Promise<void> {
    return new Promise((done) => {
      this.approve = done;
      this.person.verify(key);
    });
  }

  private credentials(kinds: CredentialKind[]): Promise<Credentials> {
    if (kinds.every((kind) => this.given[kind] !== undefined)) return Promise.resolve(this.given);
    return new Promise((done) => {
      this.signIn = done;
      this.person.credentials(kinds);
    });
  }

  private sealed(bytes: Uint8Array): void {
    if (this.ciphers) this.channel.send(this.ciphers.sealer.seal(bytes));
  }

  private pass(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length > 0) this.onmessage?.({ data: bytes.buffer });
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      // An error thrown by noVNC is not ours.
      if (!(error instanceof RsaAesError)) throw error;
      this.fail(error);
    }
  }

  /** Ends it, unless it has ended already. */
  private fail(error: unknown): void {
    if (this.phase === 'over') return;
    this.phase = 'over';
    const problem = error instanceof RsaAesError ? error.problem : 'protocol';
    this.person.failed(problem, error instanceof Error ? error.message : String(error));
  }
}

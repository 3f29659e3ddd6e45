import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { renderPage, type Page } from './page.ts';

/** A request's head: beyond Node's 16 KiB, so that cookies which pages of devices set for a parent domain are not soon in the way. */
const MAX_HEAD_BYTES = 64 * 1024;
/** What the browser still sends is read, or a reset could take the answer from it. */
const DRAIN_MS = 5_000;
const DRAIN_BYTES = 2 * 1024 * 1024;

/** Longer than any header that a page of another site can choose (Fetch, 2.2.2: 128 bytes). */
const CONSENT = '1'.repeat(256);
/** Bytes that are kept of each packet, so that what is looked for may be split. */
const OVERLAP = 512;
const REQUEST_LINE = / HTTP\/1\.\d\r\n/;

export interface OversizedOptions {
  /** What the link says once the cookies are deleted. */
  label: string;
  /** Whether people reach the server by https. */
  secure: boolean;
  /** The origin that may frame the page; none by default. */
  framedBy?: string;
}

/**
 * Answers a request whose head is too large with a page that offers to delete the browser's cookies of this domain (W3C Clear Site Data,
 * 3.2). Its button sets a cookie that no other site can send, and repeats the request: only with that cookie are they deleted, so a link
 * on another site signs no user out. Other errors end as in Node.
 */
export function repairOversized(server: Server, options: OversizedOptions): void {
  Object.assign(server, { maxHeaderSize: MAX_HEAD_BYTES });
  const name = options.secure ? '__Host-warren-repair' : 'warren-repair';
  const answers = answersOf(name, options);
  const oversized = new WeakMap<Socket, OversizedHead>();
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, stream) => {
    const socket = stream as Socket;
    let head = oversized.get(socket);
    // What comes after the overflow is the same error again.
    if (!head) {
      if (error.code !== 'HPE_HEADER_OVERFLOW') return end(socket, error.code);
      if (!socket.writable) return void socket.destroy();
      head = new OversizedHead(socket, name, (kind) => socket.end(answers[kind]));
      oversized.set(socket, head);
    }
    head.read(error.rawPacket ?? Buffer.alloc(0));
  });
}

type Kind = 'address' | 'cookies' | 'repair';

/**
 * The part of a request's head that comes after the overflow; the parser has dropped the rest, path and origin included. Cookies are sent
 * oldest first (RFC 6265, 5.4), so the button's is in this part when cookies are what is too much.
 */
class OversizedHead {
  private readonly start: number;
  private readonly consent: string;
  private answered = false;
  private consented = false;
  private tail = '';
  private timer: NodeJS.Timeout;

  constructor(
    private readonly socket: Socket,
    name: string,
    private readonly answer: (kind: Kind) => void,
  ) {
    this.start = socket.bytesRead;
    // With a space, which no address holds: neither the request's nor the referrer's.
    this.consent = `; ${name}=${CONSENT}`;
    this.timer = setTimeout(() => this.conclude('cookies'), DRAIN_MS).unref();
    socket.once('close', () => clearTimeout(this.timer));
  }

  read(packet: Buffer): void {
    if (this.socket.bytesRead - this.start > DRAIN_BYTES) return void this.socket.destroy();
    if (this.answered) return;
    const text = this.tail + packet.toString('latin1');
    const ending = text.indexOf('\r\n\r\n');
    // A body may say anything.
    const head = ending < 0 ? text : text.slice(0, ending + 2);
    if (REQUEST_LINE.test(head)) return this.conclude('address');
    this.consented ||= head.includes(`${this.consent};`) || head.includes(`${this.consent}\r\n`);
    if (ending >= 0) return this.conclude(this.consented ? 'repair' : 'cookies');
    this.tail = text.slice(-OVERLAP);
  }

  private conclude(kind: Kind): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.socket.destroy(), DRAIN_MS).unref();
    this.answered = true;
    this.answer(kind);
  }
}

function answersOf(name: string, { label, secure, framedBy }: OversizedOptions): Record<Kind, string> {
  const frames = framedBy ?? "'none'";
  const ask = {
    title: 'Too many cookies',
    text: 'Your browser sends more cookies than Warren accepts. A page of another host of this domain may have set them. Delete all cookies of this domain to continue. This signs you out.',
    links: [],
    button: {
      label: 'Delete cookies',
      script: consentScript(name, secure),
      otherwise: "Scripts are off: delete this domain's cookies in the settings of your browser.",
    },
  };
  const done = {
    title: 'Cookies deleted',
    text: 'Warren has told your browser to delete all cookies of this domain, and you are signed out.',
    links: [{ href: '', label }],
  };
  const address = {
    title: 'Address too long',
    text: 'The address that was asked for is longer than Warren accepts.',
    links: [{ href: '/', label: 'Open the start page' }],
  };
  return {
    address: answer('414 URI Too Long', address, frames),
    cookies: answer('431 Request Header Fields Too Large', ask, frames),
    repair: answer('431 Request Header Fields Too Large', done, frames, ['Clear-Site-Data: "cookies"']),
  };
}

/**
 * A cookie of a frame of another site is kept only with its partition, which links of strangers are not in either.
 * Chromium sets a script's cookies in its own time; reading them waits until they are set, so that the next request has them.
 */
function consentScript(name: string, secure: boolean): string {
  const cookie = `${name}=${CONSENT}; Path=/; Max-Age=60; ${secure ? 'Secure; ' : ''}SameSite=`;
  const site = secure ? "(self === top ? 'Strict' : 'None; Partitioned')" : "'Strict'";
  return `document.querySelector('button').addEventListener('click', () => {
  document.cookie = '${cookie}' + ${site};
  void document.cookie;
  location.replace(location.pathname + location.search);
});`;
}

function answer(status: string, page: Page, frames: string, headers: string[] = []): string {
  const body = renderPage(page);
  const digest = createHash('sha256').update(page.button?.script ?? '');
  const script = page.button ? ` script-src 'sha256-${digest.digest('base64')}';` : '';
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    'Cache-Control: no-store',
    `Content-Security-Policy: default-src 'none';${script} style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors ${frames}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** As Node does without a listener (`http.Server`, event `clientError`). */
function end(socket: Socket, code: string | undefined): void {
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  if (socket.writable && code !== 'ECONNRESET') socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroy();
}

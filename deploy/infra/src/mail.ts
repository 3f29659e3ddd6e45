import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { makeAuthority } from './certificates.ts';

export interface Received {
  from: string;
  to: string[];
  /** The message as it came (RFC 5322). */
  source: string;
  /** Who signed in. */
  user: string;
  encrypted: boolean;
}

const USER = 'hub@mail.test';
const PASSWORD = 'of the mail server: p@ss/word';

interface Credentials {
  ca: string;
  cert: string;
  key: string;
}

/** Credentials of this process, which its mail servers share. */
let credentials: Promise<Credentials> | undefined;

async function makeCredentials(): Promise<Credentials> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-mail-'));
  try {
    const authority = await makeAuthority(folder);
    const { cert, key } = await authority.issue('mail', ['IP:127.0.0.1']);
    const read = (path: string) => readFile(path, 'utf8');
    return { ca: await read(authority.ca), cert: await read(cert), key: await read(key) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A mail server in this process, on a free port. Like those of providers it takes mail by STARTTLS (RFC 3207) from its user alone (AUTH,
 * RFC 4954). It rejects what tests choose, and keeps the rest.
 */
export class MailServer {
  readonly received: Received[] = [];
  /** What recipients are answered; nothing: they are taken. */
  refusal: { code: number; text: string } | undefined;
  refused = 0;
  /** How often somebody tried to sign in. */
  signIns = 0;
  private server: SMTPServer | undefined;
  private port = 0;
  private ca = '';

  /** How its user reaches it. */
  get url(): string {
    return this.urlOf();
  }

  /** The same with another password, or without its authority. */
  urlOf({ password = PASSWORD, ca = this.ca } = {}): string {
    const [name, secret] = [USER, password].map(encodeURIComponent);
    return `smtp://${name}:${secret}@127.0.0.1:${this.port}?requireTLS=true&tls.ca=${encodeURIComponent(ca)}`;
  }

  async start(): Promise<this> {
    const { ca, cert, key } = await (credentials ??= makeCredentials());
    this.ca = ca;
    const server = new SMTPServer({
      cert,
      key,
      onAuth: ({ username, password }, _session, callback) => {
        this.signIns++;
        if (username === USER && password === PASSWORD) callback(null, { user: USER });
        else callback(Object.assign(new Error('Authentication failed'), { responseCode: 535 }));
      },
      onRcptTo: (_address, _session, callback) => {
        if (!this.refusal) return callback();
        this.refused++;
        callback(Object.assign(new Error(this.refusal.text), { responseCode: this.refusal.code }));
      },
      onData: (stream, { envelope, user, secure: encrypted }, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          const source = Buffer.concat(chunks).toString('utf8');
          this.received.push({ from, to, source, user: String(user), encrypted });
          callback();
        });
      },
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    // Of clients that hang up, as they do where they do not trust it.
    server.on('error', () => {});
    this.port = (server.server.address() as AddressInfo).port;
    return this;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
  }

  /** Mails to an address, in the order in which they came. */
  to(email: string): Received[] {
    return this.received.filter(({ to }) => to.includes(email));
  }
}

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { enrol } from '../src/enrol.ts';
import { HubClock } from '../src/link/clock.ts';
import { dialToken } from '../src/link/credential.ts';
import { dial } from '../src/link/dial.ts';
import { serveLink, type Link } from '../src/link/link.ts';
import { agentHandler, type AgentParts } from '../src/link/service.ts';
import { Relays } from '../src/relay/relays.ts';
import { DEFAULT_LIMITS } from '../src/terminals/limits.ts';
import { TerminalRegistry } from '../src/terminals/registry.ts';
import { readKey } from '../src/state/key.ts';
import { journalOf } from '../src/system/journal/journal.ts';
import { loginShells } from '../src/system/login.ts';
import { Updates } from '../src/update/updates.ts';
import { TestHub } from './hub.ts';

const run = promisify(execFile);

/** A certificate for `localhost` that signs itself, and its key (PEM), made in a folder. */
export async function selfSigned(folder: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2', '-nodes'];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', key, '-out', cert];
  await run('openssl', ['req', '-x509', ...made, ...subject]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

/** Leads connections to a port of this machine, and counts what passes, both ways. */
export class CountedWay {
  bytes = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(port: number) {
    this.server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(from);
        from.on('data', (data) => (this.bytes += data.length)).on('error', () => to.destroy());
        from.pipe(to);
        from.once('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  /** @returns the port to connect to */
  async open(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

/** A hub behind TLS, and one link of an agent with it, on a way that counts. */
export class SecureWorld {
  readonly hub: TestHub;
  readonly wire: CountedWay;
  private readonly folder: string;
  private readonly link: Link;
  private readonly registry: TerminalRegistry;

  private constructor(hub: TestHub, wire: CountedWay, folder: string, link: Link, registry: TerminalRegistry) {
    this.hub = hub;
    this.wire = wire;
    this.folder = folder;
    this.link = link;
    this.registry = registry;
  }

  /** @param sampler what the agent knows of its usage */
  static async make(sampler?: AgentParts['sampler']): Promise<SecureWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-agent-'));
    const pair = await selfSigned(folder);
    // Enrolment goes to a plain hub with the same key, since fetch accepts no custom authorities.
    const plain = await new TestHub().start();
    const asked = { state: folder, logLevel: 'silent' as const, account: 'account-1', token: plain.token };
    const { enrolment } = await enrol({ ...asked, hub: plain.url }, '1.2.3');
    const hub = await new TestHub(pair, plain).start();
    await plain.stop();
    const wire = new CountedWay(Number(new URL(hub.url).port));
    const clock = new HubClock();
    const token = await dialToken((await readKey(folder))!, enrolment, clock.now(), 'secure');
    const carrier = await dial({
      hub: `https://localhost:${await wire.open()}`,
      token,
      version: '1.2.3',
      clock,
      ca: pair.cert,
      signal: new AbortController().signal,
    });
    const log = pino({ level: 'silent' });
    const registry = new TerminalRegistry(loginShells(undefined, undefined, folder), DEFAULT_LIMITS, log);
    const parts = { registry, relays: new Relays(log), journal: journalOf(), updates: new Updates(undefined) };
    const handler = agentHandler({
      ...parts,
      sampler,
      version: '1.2.3',
      log,
      reboot: async () => {},
      rotateKey: async () => {},
    });
    return new SecureWorld(hub, wire, folder, serveLink(carrier, handler), registry);
  }

  async end(): Promise<void> {
    this.registry.closeAll();
    this.link.destroy('done');
    await this.link.closed;
    this.wire.close();
    await this.hub.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

import { freePort } from '@warren/infra/ports';
import { requireProgram } from '@warren/infra/programs';
import { until } from '@warren/infra/until';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian's rsyslog with a self-signed certificate, which writes each message to a file as it came. */
export class SyslogServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    /** The certificate, as PEM. */
    readonly ca: string,
  ) {}

  /** Makes a server that is not started yet. */
  static async make(): Promise<SyslogServer> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-syslog-'));
    const key = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await run('openssl', ['req', ...key, ...name, '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'ca.pem')]);
    const port = await freePort();
    await writeFile(join(folder, 'rsyslog.conf'), configuration(folder, port));
    return new SyslogServer(folder, port, await readFile(join(folder, 'ca.pem'), 'utf8'));
  }

  get url(): string {
    return `tls://localhost:${this.port}`;
  }

  async start(): Promise<void> {
    const program = requireProgram('rsyslogd');
    const files = ['-f', join(this.folder, 'rsyslog.conf'), '-i', join(this.folder, 'pid')];
    this.child = spawn(program, ['-n', ...files], { stdio: process.env['TEST_LOG'] ? 'inherit' : 'ignore' });
    await until(async () => {
      const socket = connect(this.port, '127.0.0.1');
      try {
        await once(socket, 'connect');
        return true;
      } catch {
        return false;
      } finally {
        socket.destroy();
      }
    });
  }

  /** The JSON of each message that was written, with its header. */
  async messages(): Promise<{ header: string; event: Record<string, unknown> }[]> {
    const text = await readFile(join(this.folder, 'events.log'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const at = line.indexOf('{');
        return { header: line.slice(0, at), event: JSON.parse(line.slice(at)) as Record<string, unknown> };
      });
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const configuration = (folder: string, port: number) => `
global(
  workDirectory="${folder}"
  maxMessageSize="64k"
  defaultNetstreamDriver="gtls"
  defaultNetstreamDriverCAFile="${folder}/ca.pem"
  defaultNetstreamDriverCertFile="${folder}/ca.pem"
  defaultNetstreamDriverKeyFile="${folder}/key.pem"
)
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
template(name="whole" type="string" string="%rawmsg%\\n")
ruleset(name="events") { action(type="omfile" file="${folder}/events.log" template="whole" asyncWriting="off" flushOnTXEnd="on") }
input(type="imtcp" port="${port}" address="127.0.0.1" ruleset="events")
`;

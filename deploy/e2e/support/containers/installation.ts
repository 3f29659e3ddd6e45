import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeAuthority, type Authority } from '@warren/infra/certificates';
import { until } from '@warren/infra/until';
import { NAMING } from './images.ts';
import { serveProvider } from './provider.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../../..');
const SERVICES = ['gateway', 'tunnels', 'identity', 'tenancy', 'devices'] as const;
const HUB = 'hub.warren.test';
const DEVICES = 'devices.warren.test';
const PROVIDER = 'idp.warren.test';
const UP_MS = 600_000;
export const OPERATOR = 'operator@warren.test';

interface Parts {
  folder: string;
  project: string;
  authority: Authority;
  provider: Awaited<ReturnType<typeof serveProvider>>;
}

/** Warren as Compose runs it, with two of each service, on a network of its own. */
export class Installation {
  readonly hub = `https://${HUB}`;
  readonly #parts: Parts;
  #address = '';

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lays out the folder as an operator does: configure.sh, certificates, the provider's metadata. Starts nothing yet. */
  static async prepare(servers: string): Promise<Installation> {
    const base = await mkdtemp(join(tmpdir(), 'warren-compose-'));
    const folder = join(base, 'deploy/compose');
    await cp(join(root, 'deploy/compose'), folder, { recursive: true, filter: (path) => !path.endsWith('/.env') });
    await cp(join(root, 'helm/warren/files'), join(base, 'helm/warren/files'), { recursive: true });
    await run(join(folder, 'configure.sh'), [HUB, DEVICES, OPERATOR, 'smtp://mail.warren.test:25']);
    const keys = join(base, 'keys');
    await mkdir(keys);
    const authority = await makeAuthority(keys);
    const certificate = await authority.issue('tls', [`DNS:${HUB}`, `DNS:*.${DEVICES}`, `DNS:${PROVIDER}`]);
    await cp(certificate.cert, join(folder, 'certificates/tls.crt'));
    await cp(certificate.key, join(folder, 'certificates/tls.key'));
    const provider = await serveProvider(`https://${PROVIDER}`, `https://${HUB}`, OPERATOR, certificate, keys);
    await writeFile(join(folder, 'saml/default.xml'), provider.metadata);
    const images = ['POSTGRES', 'REDIS', 'NATS', 'CADDY'].map((name) => `${name}_IMAGE=${servers}`);
    const own = ['TLS_MODE=files', `IMAGE_PREFIX=${NAMING.prefix}`, `IMAGE_TAG=${NAMING.tag}`];
    const ports = ['HTTP_PORT=127.0.0.1:0', 'HTTPS_PORT=127.0.0.1:0'];
    await appendFile(join(folder, '.env'), [...images, ...own, ...ports, ''].join('\n'));
    return new Installation({ folder, project: `warren-e2e-${process.pid}`, authority, provider });
  }

  /** Path of the certificate of whoever signed the hub's. */
  get ca(): string {
    return this.#parts.authority.ca;
  }

  /** Where the proxy in front is, which moves when it is made anew. */
  get address(): string {
    return this.#address;
  }

  /** Where the names of the installation are, as seen from this machine. */
  place(host: string): { host: string; port: number } | undefined {
    if (host === PROVIDER) return { host: '127.0.0.1', port: this.#parts.provider.port };
    return host === HUB || host.endsWith(`.${DEVICES}`) ? { host: this.#address, port: 443 } : undefined;
  }

  async up(): Promise<void> {
    // The older compose program does not read how many of a service there are to be.
    const scale = SERVICES.flatMap((name) => ['--scale', `${name}=2`]);
    await this.compose('up', '--detach', ...scale);
    await this.healthy();
    this.#address = await this.#inspect(
      (await this.containers('caddy'))[0] ?? '',
      '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
    );
  }

  async healthy(): Promise<void> {
    const all = await this.containers(...SERVICES);
    const state = (id: string) => this.#inspect(id, '{{.State.Health.Status}}');
    await until(async () => (await Promise.all(all.map(state))).every((one) => one === 'healthy'), UP_MS);
  }

  /** Ids of the containers of some services. */
  async containers(...services: string[]): Promise<string[]> {
    return (await this.compose('ps', '--quiet', ...services)).split('\n').filter(Boolean);
  }

  /** Restarts every container of the services, one after the other, each once the one before serves again. */
  async restartOneByOne(): Promise<void> {
    for (const service of SERVICES) {
      for (const id of await this.containers(service)) {
        await run('docker', ['restart', '--time', '40', id]);
        await until(async () => (await this.#inspect(id, '{{.State.Health.Status}}')) === 'healthy', UP_MS);
      }
    }
  }

  /** Throws a volume's data away. */
  async forgetVolume(name: string): Promise<void> {
    await run('docker', ['volume', 'rm', `${this.#parts.project}_${name}`]);
  }

  compose(...args: string[]): Promise<string> {
    return this.#run('docker-compose', args);
  }

  /** Runs a script of the folder. @returns what it printed */
  script(name: string, ...args: string[]): Promise<string> {
    return this.#run(join(this.#parts.folder, name), args);
  }

  /** The end of what the services have logged, for whoever looks into a failure. */
  logs(): Promise<string> {
    return this.compose('logs', '--no-color', '--tail', '60');
  }

  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '5');
    this.#parts.provider.stop();
    await rm(resolve(this.#parts.folder, '../..'), { recursive: true, force: true });
  }

  async #inspect(id: string, format: string): Promise<string> {
    return (await run('docker', ['inspect', '--format', format, id])).stdout.trim();
  }

  async #run(program: string, args: string[]): Promise<string> {
    const { folder: cwd, project } = this.#parts;
    const env = { ...process.env, COMPOSE_PROJECT_NAME: project, COMPOSE: 'docker-compose' };
    return (await run(program, args, { cwd, env, maxBuffer: 16 << 20 })).stdout;
  }
}

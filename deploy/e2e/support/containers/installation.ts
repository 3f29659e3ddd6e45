import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeAuthority, type Authority } from '@warren/infra/certificates';
import { until } from '@warren/infra/until';
import { FROM, NAMING } from './images.ts';
import { serveProvider } from './provider.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../../..');
const SERVICES = ['gateway', 'tunnels', 'identity', 'tenancy', 'devices', 'fleet', 'audit'] as const;
const HUB = 'hub.warren.test';
export const DEVICES = 'devices.warren.test';
const PROVIDER = 'idp.warren.test';
const UP_MS = 600_000;
/** The profile small, as lines of .env. */
const TOGETHER = 'COMPOSE_PROFILES=small\nREPLICAS=0\n';
/** A header of every answer: of which version the proxy's file is. */
export const FILES_OF = 'Warren-Files-Of';
export const OPERATOR = 'operator@warren.test';

/** What an installation begins with. */
interface Beginning {
  /** The folder of its files, with `deploy/compose` and `helm/warren/files`. */
  files: string;
  /** Of its images. */
  prefix: string;
  tag: string;
}

const formerVersion: Beginning = { files: FROM.checkout ?? root, prefix: NAMING.prefix, tag: FROM.tag };

interface Parts {
  folder: string;
  project: string;
  authority: Authority;
  provider: Awaited<ReturnType<typeof serveProvider>>;
}

/** The files of a version, as its folder has them. */
async function takeFiles(from: string, to: string): Promise<void> {
  const filter = (path: string) => !path.endsWith('/.env');
  await cp(join(from, 'deploy/compose'), join(to, 'deploy/compose'), { recursive: true, filter });
  await cp(join(from, 'helm/warren/files'), join(to, 'helm/warren/files'), { recursive: true });
}

/** Warren as Compose runs it, with two of each service, on a separate network. */
export class Installation {
  readonly hub = `https://${HUB}`;
  private readonly parts: Parts;
  private caddy = '';

  private constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Lays out the folder as an operator does: the files of the version to begin with, configure.sh, certificates, the provider's
   * metadata. Starts nothing yet.
   */
  static async prepare(servers: string, { files, prefix, tag } = formerVersion): Promise<Installation> {
    const base = await mkdtemp(join(tmpdir(), 'warren-compose-'));
    const folder = join(base, 'deploy/compose');
    await takeFiles(files, base);
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
    const own = ['TLS_MODE=files', `IMAGE_PREFIX=${prefix}`, `IMAGE_TAG=${tag}`];
    const authorities = [`HUB_CA_FILE=/etc/warren/certificates/ca.crt`];
    await cp(authority.ca, join(folder, 'certificates/ca.crt'));
    const ports = ['HTTP_PORT=127.0.0.1:0', 'HTTPS_PORT=127.0.0.1:0'];
    await appendFile(join(folder, '.env'), [...images, ...own, ...authorities, ...ports, ''].join('\n'));
    return new Installation({ folder, project: `warren-e2e-${process.pid}`, authority, provider });
  }

  /** Path of the certificate of the authority that signed the hub's. */
  get ca(): string {
    return this.parts.authority.ca;
  }

  /** The address of the front proxy, which changes when its container is recreated. */
  get address(): string {
    return this.caddy;
  }

  /** Where the names of the installation are, as seen from this machine. */
  place(host: string): { host: string; port: number } | undefined {
    if (host === PROVIDER) return { host: '127.0.0.1', port: this.parts.provider.port };
    return host === HUB || host.endsWith(`.${DEVICES}`) ? { host: this.caddy, port: 443 } : undefined;
  }

  async up(): Promise<void> {
    await this.compose('up', '--detach');
    await this.healthy();
    const [caddy = ''] = await this.containers('caddy');
    this.caddy = await this.inspect(caddy, '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}');
  }

  /** Goes to the version of this checkout as an operator does: its files, then upgrade.sh. */
  upgrade(): Promise<void> {
    return this.move(root, NAMING.tag);
  }

  /** Goes back to the version that it began with. */
  goBack(): Promise<void> {
    return this.move(formerVersion.files, formerVersion.tag);
  }

  private async move(checkout: string, tag: string): Promise<void> {
    await takeFiles(checkout, resolve(this.parts.folder, '../..'));
    // By this answers show of which version the proxy's file is.
    const file = join(this.parts.folder, 'caddy/Caddyfile');
    const text = (await readFile(file, 'utf8')).replaceAll(/^https:.*\{$/gm, `$&\n\theader ${FILES_OF} ${tag}`);
    await writeFile(file, text);
    await this.script('upgrade.sh', tag);
  }

  /** Has one process run all services, as an operator does. */
  async goTogether(): Promise<void> {
    await appendFile(this.env, `${TOGETHER}\n`);
    await this.compose('up', '--detach');
    await this.healthy(['hub'], 1);
  }

  /** Runs each service in separate processes again. */
  async goApart(): Promise<void> {
    await writeFile(this.env, (await this.settings()).replace(TOGETHER, ''));
    await this.compose('--profile', 'small', 'rm', '--stop', '--force', 'hub');
    await this.compose('up', '--detach');
    await this.healthy();
  }

  private get env(): string {
    return join(this.parts.folder, '.env');
  }

  /** What the database says to a statement of its administrator. */
  query(statement: string): Promise<string> {
    const psql = ['psql', '--username=postgres', '--dbname=warren', '--no-align', '--tuples-only', '--quiet'];
    return this.compose('exec', '-T', 'postgres', ...psql, '--set=ON_ERROR_STOP=1', `--command=${statement}`);
  }

  /** What the operator's .env says. */
  settings(): Promise<string> {
    return readFile(this.env, 'utf8');
  }

  /** The doctor's findings, from a separate container that resolves the hub's name. */
  async examine(): Promise<{ check: string; status: string; detail: string }[]> {
    const hosts = { services: { doctor: { extra_hosts: [`${HUB}:${this.caddy}`] } } };
    await writeFile(join(this.parts.folder, 'compose.override.yaml'), JSON.stringify(hosts));
    // It ends with 1 when something fails, and says it all the same.
    const said = await this.compose('run', '--rm', '-T', 'doctor', '--json').catch(
      (error: { stdout?: string }) => error.stdout ?? '',
    );
    return JSON.parse(said) as { check: string; status: string; detail: string }[];
  }

  /** The image that each container of the services runs. */
  async images(): Promise<string[]> {
    const all = await this.containers(...SERVICES);
    return Promise.all(all.map((id) => this.inspect(id, '{{.Config.Image}}')));
  }

  async healthy(services: readonly string[] = SERVICES, each = 2): Promise<void> {
    const all = await this.containers(...services);
    if (all.length !== each * services.length)
      throw new Error(`${all.length} containers, expected ${each} of each service`);
    const state = (id: string) => this.inspect(id, '{{.State.Health.Status}}');
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
        await until(async () => (await this.inspect(id, '{{.State.Health.Status}}')) === 'healthy', UP_MS);
      }
    }
  }

  /** Throws a volume's data away. */
  async forgetVolume(name: string): Promise<void> {
    await run('docker', ['volume', 'rm', `${this.parts.project}_${name}`]);
  }

  compose(...args: string[]): Promise<string> {
    return this.run('docker-compose', ['--compatibility', ...args]);
  }

  /** Runs a line as a runbook has it, in the folder, as someone does who sees only what it prints. Throws with that when it fails. */
  async typed(line: string): Promise<string> {
    const known = `docker() {
      if [ "$1" != compose ]; then command docker "$@"; return; fi
      shift
      case $1 in exec | run) asked=$1; shift; set -- "$asked" -T "$@" ;; esac
      docker-compose --compatibility "$@"
    }`;
    return this.run('sh', ['-c', `${known}\n${line}`]);
  }

  /** Runs a script of the folder. @returns what it printed */
  script(name: string, ...args: string[]): Promise<string> {
    return this.run(join(this.parts.folder, name), args);
  }

  /** The end of the services' logs, for looking into a failure. */
  logs(): Promise<string> {
    return this.compose('logs', '--no-color', '--tail', '60');
  }

  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '5');
    this.parts.provider.stop();
    await rm(resolve(this.parts.folder, '../..'), { recursive: true, force: true });
  }

  private async inspect(id: string, format: string): Promise<string> {
    return (await run('docker', ['inspect', '--format', format, id])).stdout.trim();
  }

  private async run(program: string, args: string[]): Promise<string> {
    const { folder: cwd, project } = this.parts;
    const env = { ...process.env, COMPOSE_PROJECT_NAME: project };
    return (await run(program, args, { cwd, env, maxBuffer: 16 << 20 })).stdout;
  }
}

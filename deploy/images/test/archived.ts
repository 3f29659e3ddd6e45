import { serverFolder } from '@warren/infra/folder';
import { freePort } from '@warren/infra/ports';
import { requireProgram } from '@warren/infra/programs';
import { withClient } from '@warren/infra/provision';
import { until } from '@warren/infra/until';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const compose = resolve(import.meta.dirname, '../../compose');

/** Stands for Docker's compose: PostgreSQL and pgBackRest run here, as the user that PostgreSQL runs as, and nothing else does. */
const COMPOSE = `#!/bin/sh
echo "$*" >>"$CALLS"
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups -- "$@"; else "$@"; fi; }
case "$*" in
  'exec -T -u postgres postgres '*) shift 5; as "$@" ;;
  'exec -T postgres '*) shift 3; as "$@" ;;
  'run --rm --no-deps -T -u postgres postgres '*) shift 7; as "$@" ;;
  'stop postgres') [ ! -e "$PGDATA/postmaster.pid" ] || as pg_ctl --silent --mode=fast stop ;;
  'up --detach postgres') as pg_ctl --silent --no-wait --log="$LOG" -o "$OPTIONS" start </dev/null >/dev/null ;;
esac
`;

/** PostgreSQL with the archive that deploy/compose/pitr.yaml describes, and the scripts of Compose over it. */
export class Archived {
  private constructor(
    readonly folder: string,
    readonly url: string,
    private readonly data: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async start(): Promise<Archived> {
    const folder = await serverFolder('pitr');
    const [data, repository, socket] = ['data', 'repository', 'socket'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const port = String(await freePort('127.0.0.1'));
    for (const name of ['compose.sh', 'storage.sh', 'pitr.sh']) await copyFile(join(compose, name), join(folder, name));
    await copyFile(join(compose, 'pitr/pgbackrest.conf'), join(folder, 'pgbackrest.conf'));
    await writeFile(join(folder, '.env'), '');
    await writeFile(join(folder, 'compose'), COMPOSE, { mode: 0o755 });
    await writeFile(join(folder, 'docker'), '#!/bin/sh\necho healthy\n', { mode: 0o755 });
    const server = join(folder, 'server');
    for (const path of [data, repository, socket, server, join(folder, 'lock')]) await mkdir(path, { mode: 0o700 });
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:postgres', folder]);
    const path = [folder, dirname(requireProgram('initdb')), process.env['PATH']].join(delimiter);
    const archived = new Archived(folder, `postgres://postgres@127.0.0.1:${port}/warren`, data, {
      PATH: path,
      COMPOSE: join(folder, 'compose'),
      CALLS: join(folder, 'calls'),
      LOG: join(server, 'log'),
      PGDATA: data,
      PGHOST: socket,
      PGPORT: port,
      LC_ALL: 'C.UTF-8',
      OPTIONS: [...(await settings()), `port=${port}`, `unix_socket_directories=${socket}`, 'fsync=off']
        .map((one) => `-c '${one}'`)
        .join(' '),
      // Only places differ from what the file says.
      PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
      PGBACKREST_CONFIG_INCLUDE_PATH: socket,
      PGBACKREST_PG1_PATH: data,
      PGBACKREST_PG1_PORT: port,
      PGBACKREST_PG1_SOCKET_PATH: socket,
      PGBACKREST_REPO1_PATH: repository,
      PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    });
    await archived.compose('exec -T postgres initdb --username=postgres --auth=trust --no-sync');
    await archived.compose('up --detach postgres');
    await archived.compose('exec -T postgres pg_isready --timeout=30').catch(() => undefined);
    return archived;
  }

  private compose(words: string): Promise<unknown> {
    return run(join(this.folder, 'compose'), words.split(' '), { env: this.environment });
  }

  /** Runs pitr.sh. @returns what it printed @throws what `execFile` throws when it fails, with `code` and `stderr` */
  async pitr(...args: string[]): Promise<string> {
    const env = { ...this.environment, RECOVERY_SECONDS: '60' };
    return (await run('sh', [join(this.folder, 'pitr.sh'), ...args], { env })).stdout.trim();
  }

  sql(text: string, database = 'warren'): Promise<Record<string, unknown>[]> {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    return withClient(url.href, async (client) => (await client.query(text)).rows as Record<string, unknown>[]);
  }

  /** Kills PostgreSQL and deletes all its data, as a lost disk does. */
  async destroy(): Promise<void> {
    const [pid] = (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n');
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    process.kill(Number(pid), 'SIGKILL');
    // They hold its shared memory, without which it does not start again.
    await until(() => ![pid, ...children.trim().split(' ')].some((process) => existsSync(`/proc/${process}`)));
    await rm(this.data, { recursive: true, maxRetries: 20 });
    await mkdir(this.data, { mode: 0o700 });
    await chmod(this.data, 0o700);
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres:postgres', this.data]);
  }

  async stop(): Promise<void> {
    await this.compose('stop postgres');
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What pitr.yaml starts PostgreSQL with when .env is empty: `name=value`. */
async function settings(): Promise<string[]> {
  const text = await readFile(join(compose, 'pitr.yaml'), 'utf8');
  const byDefault = text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  return [...byDefault.matchAll(/^ +- (\w+=.*)$/gm)].map(([, setting = '']) => setting);
}

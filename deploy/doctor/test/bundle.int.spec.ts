import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { SETTINGS } from '../src/bundle/settings.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const MAIN = resolve(import.meta.dirname, '../src/main.ts');
/** In each secret of these tests. */
const PLANTED = 'PlantedSecret';
const UNREACHABLE = {
  HUB_URL: 'http://127.0.0.1:1',
  REDIS_URL: `redis://:${PLANTED}9@127.0.0.1:1`,
  NATS_URL: `nats://doctor:${PLANTED}8@127.0.0.1:1`,
  IDENTITY_DATABASE_URL: `postgres://w:${PLANTED}7@127.0.0.1:1/warren`,
  SMTP_URL: `smtp://w:${PLANTED}6@127.0.0.1:1`,
};

describe('a bundle', () => {
  let folder: string;
  let ops: Server;
  let port: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-bundle-'));
    ops = createServer((request, response) =>
      response.end(`warren_up{path="${request.url}"} 1\nx{token="${PLANTED}0"} 1\n`),
    );
    ops.listen(0, '127.0.0.1');
    await once(ops, 'listening');
    port = (ops.address() as AddressInfo).port;
  });
  afterAll(async () => {
    ops?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the doctor as its image does. */
  async function make(
    flags: string[],
    { environment = {}, input }: { environment?: NodeJS.ProcessEnv; input?: Buffer } = {},
  ) {
    const env = { PATH: process.env['PATH'], ...environment };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'bundle', ...flags], {
      cwd: folder,
      env,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('latin1').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  }

  /** The files of a bundle, read by tar. */
  async function opened(path: string): Promise<Record<string, string>> {
    const to = await mkdtemp(join(folder, 'opened-'));
    await run('tar', ['-xzf', path, '-C', to]);
    const names = await readdir(join(to, 'warren-bundle'), { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    const texts = await Promise.all(
      files.map(async (file) => [file.slice(to.length + 15), await readFile(file, 'utf8')]),
    );
    return Object.fromEntries(texts) as Record<string, string>;
  }

  /** What a script of ours would give: each file's text by its name. */
  async function packed(files: Record<string, string>): Promise<Buffer> {
    const from = await mkdtemp(join(folder, 'input-'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(resolve(from, name, '..'), { recursive: true });
      await writeFile(join(from, name), text);
    }
    const { stdout } = await run('tar', ['-C', from, '-c', '--format=ustar', ...Object.keys(files)], {
      encoding: 'buffer',
      maxBuffer: 1 << 27,
    });
    return stdout;
  }

  it('holds no secret of any service, though logs and errors do', async () => {
    const environments = Object.entries(SETTINGS).map(([service, { shown, secret }]) => {
      const value = (name: string, index: number) =>
        name.endsWith('_URL') ? `proto://user:${PLANTED}_${service}_${index}@host/x` : `${PLANTED}_${service}_${index}`;
      return [
        service,
        [
          ...secret.map((name, index) => `${name}=${value(name, index)}`),
          ...shown.map((name) => `${name}=shown-${name}`),
        ],
      ] as const;
    });
    const lines = environments.flatMap(([, all]) => all.filter((line) => line.includes(PLANTED)));
    const values = lines.map(
      (line) => `the value ${line.slice(line.indexOf('=') + 1)} and ${/Planted\w+/.exec(line)?.[0]} is wrong`,
    );
    const input = await packed({
      'failed.txt': `redis: there is no container, redis://:${PLANTED}_failed@redis\n`,
      ...Object.fromEntries(environments.map(([service, all]) => [`environment/${service}.json`, JSON.stringify(all)])),
      'logs/gateway.log': [...lines, ...values, `Cookie: warren=${PLANTED}1`, `Bearer ${PLANTED}2`, 'kept line'].join(
        '\n',
      ),
      'state/describe.txt': `SMTP_URL: smtp://a:${PLANTED}3@mail\nkept text\n`,
    });
    const flags = ['--input', '-', '--ops', `gateway=127.0.0.1:${port}`, '--out', 'secrets.tar.gz'];
    const { code, stdout, stderr } = await make(flags, { environment: UNREACHABLE, input });
    expect([code, stdout]).toEqual([0, `${join(folder, 'secrets.tar.gz')}\n`]);
    const files = await opened(join(folder, 'secrets.tar.gz'));
    expect(Object.keys(files).sort()).toEqual([
      ...[
        'configuration/audit.txt',
        'configuration/devices.txt',
        'configuration/fleet.txt',
        'configuration/gateway.txt',
        'configuration/identity.txt',
      ],
      ...['configuration/tenancy.txt', 'configuration/tunnels.txt', 'contents.txt', 'findings.txt', 'logs/gateway.log'],
      ...['metrics/gateway.readyz.txt', 'metrics/gateway.txt', 'state/describe.txt', 'versions/doctor.txt'],
    ]);
    for (const [name, text] of Object.entries({ ...files, stderr }))
      expect([name, text]).not.toEqual([name, expect.stringContaining(PLANTED)]);
    expect(files['logs/gateway.log']).toContain('kept line');
    expect(files['state/describe.txt']).toContain('kept text');
    expect(files['metrics/gateway.txt']).toContain('warren_up{path="/metrics"} 1');
    expect(files['configuration/identity.txt']).toMatch(/^SESSION_KEY +set$/m);
    expect(files['configuration/identity.txt']).toMatch(/^LOG_LEVEL +"shown-LOG_LEVEL"$/m);
    expect(files['findings.txt']).toMatch(/^warn {2}bundle +redis: there is no container/m);
    expect(files['findings.txt']).toMatch(/^fail {2}redis .*ECONNREFUSED/m);
    expect(stderr).toMatch(/^ +\d+ {2}logs\/gateway\.log$/m);
  });

  it('is readable by its owner alone, is named by the time in UTC, and does without servers', async () => {
    const { stdout } = await make(['--ops', 'identity=127.0.0.1:1', '--logs', 'nowhere']);
    expect(stdout).toMatch(/\/warren-bundle-\d{8}T\d{6}Z\.tar\.gz\n$/);
    expect((await stat(stdout.trim())).mode & 0o777).toBe(0o600);
    const files = await opened(stdout.trim());
    expect(files['metrics/identity.txt']).toMatch(/ECONNREFUSED/);
    expect(files['findings.txt']).toMatch(/^warn {2}bundle +logs: ENOENT/m);
    expect(files['findings.txt']).toMatch(/^skip {2}doctor +HUB_URL: expected/m);
  });

  it('takes the lines of log files since a moment, and pseudonyms when asked', async () => {
    const logs = join(folder, 'logs');
    await mkdir(logs);
    const line = (ago: number, msg: string) => JSON.stringify({ time: Date.now() - ago, msg });
    const text = [line(7_200_000, 'old'), 'of the old one', line(60_000, 'ann@example.com'), 'of the new one'].join(
      '\n',
    );
    await writeFile(join(logs, 'gateway.log'), text);
    await make(['--logs', logs, '--since', '1h', '--anonymous', '--out', 'since.tar.gz']);
    const found = (await opened(join(folder, 'since.tar.gz')))['logs/gateway.log'];
    expect(found).toMatch(/^\{.*email-[0-9a-f]{10}.*\}\nof the new one$/);
  });

  it('is cut at its size, with a note of what it lacks', async () => {
    const log = 'a line of a log\n'.repeat(400_000);
    const input = await packed({ 'logs/a.log': log, 'logs/b.log': log });
    const { stderr } = await make(['--input', '-', '--max-mb', '5', '--out', 'cut.tar.gz'], { input });
    const files = await opened(join(folder, 'cut.tar.gz'));
    expect(files['contents.txt']).toMatch(/^Cut:\nlogs\/a\.log: \d+ bytes from the beginning.*\nlogs\/b\.log: /m);
    expect(stderr).toMatch(/^cut: logs\/a\.log/m);
    const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
    expect(size).toBeLessThan(5_100_000);
    expect(size).toBeGreaterThan(4_500_000);
  });

  it('keeps what came of an archive that ends too early, and refuses names that lead elsewhere', async () => {
    const input = await packed({ 'logs/a.log': 'first\n', 'logs/..b.log': 'x', 'logs/c.log': 'x'.repeat(5_000) });
    await make(['--input', '-', '--out', 'half.tar.gz'], { input: input.subarray(0, 2_560) });
    const files = await opened(join(folder, 'half.tar.gz'));
    expect(files['logs/a.log']).toBe('first\n');
    expect(files['findings.txt']).toMatch(/logs\/\.\.b\.log: expected a name/);
    expect(files['findings.txt']).toMatch(/input: the archive ends \d+ bytes too early/);
  });

  it.each([
    [['--since', '2 days'], '--since: expected minutes, hours or days, such as 30m, 24h or 7d (came: "2 days")'],
    [['--max-mb', '0'], '--max-mb: expected a whole number from 1 to 9999, such as 50 (came: "0")'],
    [['--ops', 'x'], '--ops: expected NAME=HOST:PORT, such as gateway=gateway:9080 (came: "x")'],
    [['--input', 'x.tar'], '--input: expected - for stdin (came: "x.tar")'],
    [['--what'], "bundle: Unknown option '--what'"],
  ])('refuses %j', async (flags, expected) => {
    const { code, stderr } = await make(flags);
    expect([code, stderr.split('\n', 1)[0]]).toEqual([2, expected]);
  });

  /** A folder with programs that stand for Docker or kubectl, and hand the doctor what it is to be given. */
  async function programs(scripts: Record<string, string>): Promise<NodeJS.ProcessEnv> {
    const bin = await mkdtemp(join(folder, 'bin-'));
    for (const [name, text] of Object.entries(scripts)) {
      await writeFile(join(bin, name), `#!/bin/sh\n${text}`);
      await chmod(join(bin, name), 0o755);
    }
    return { PATH: `${bin}:${process.env['PATH']}`, TMPDIR: folder };
  }
  const doctor = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${MAIN}'`;

  it('is made by bundle.sh of what Docker says of the containers', async () => {
    const here = join(folder, 'compose');
    await mkdir(here);
    for (const name of ['bundle.sh', 'compose.sh']) {
      await writeFile(join(here, name), await readFile(join(root, 'deploy/compose', name)), { mode: 0o755 });
    }
    await writeFile(join(here, '.env'), `NATS_PASSWORD_GATEWAY=${PLANTED}4\n`);
    const env = await programs({
      docker: `case "$*" in
        'compose ps --all --quiet redis') exit 1 ;;
        'compose ps --all --quiet '*) echo "id-$5" ;;
        'compose run --rm -T doctor '*) shift 5; ${doctor} "$@" --ops "gateway=127.0.0.1:${port}" ;;
        *.Name*) echo "/warren_$4_1" ;;
        *Config.Env*) echo '["LOG_LEVEL=debug","CALLER_KEY=${PLANTED}5"]' ;;
        logs*) echo "$*: ${PLANTED}4 ${PLANTED}5" ;;
        *stats*) echo broken >&2; exit 1 ;;
        *) echo "$*" ;;
      esac`,
    });
    const out = join(folder, 'compose.tar.gz');
    const { stdout } = await run(join(here, 'bundle.sh'), ['--since', '2d', '--out', out], { env });
    expect(stdout).toBe(`${out}\n`);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const files = await opened(out);
    expect(JSON.stringify(files)).not.toContain(PLANTED);
    expect(files['logs/warren_id-gateway_1.log']).toMatch(/^logs --timestamps --since 48h --tail 20000 id-gateway: /);
    expect(files['configuration/gateway.txt']).toMatch(/^LOG_LEVEL +"debug"$/m);
    expect(files['findings.txt']).toMatch(/redis: there is no container/);
    expect(files['findings.txt']).toMatch(/state\/resources\.txt: docker stats failed: broken/);
    await expect(run(join(here, 'bundle.sh'), ['--since', 'x'], { env })).rejects.toThrow(
      /--since: expected a duration.*came: "x"/,
    );
    await expect(run(join(here, 'bundle.sh'), ['--what'], { env })).rejects.toThrow(/--what: expected --since/);
  });

  it('is made by support-bundle.sh of what kubectl says of a release', async () => {
    const variable = { name: 'CALLER_KEY', valueFrom: { secretKeyRef: { name: 'warren', key: 'caller' } } };
    const container = { name: 'gateway', env: [{ name: 'LOG_LEVEL', value: 'debug' }, variable] };
    const items = JSON.stringify({ items: [{ spec: { template: { spec: { containers: [container] } } } }] });
    const env = await programs({
      kubectl: `case "$*" in
        *'get deployments --selector'*) echo '${items}' ;;
        *'get pods'*job-name*) echo pod/bundle-x ;;
        *'get pods'*--output=name) echo pod/warren-gateway-1 ;;
        *--previous*) exit 1 ;;
        *'logs pod/'*) echo "$* Bearer ${PLANTED}6" ;;
        *' events '*) echo forbidden >&2; exit 1 ;;
        attach*) ${doctor} bundle --input - --out - ;;
        patch*) cat >/dev/null; echo "$*" >"$TMPDIR/patched" ;;
        'create --namespace'*) cat >/dev/null ;;
        delete*) echo "$*" >"$TMPDIR/deleted" ;;
        *) echo "$*" ;;
      esac`,
    });
    const out = join(folder, 'cluster.tar.gz');
    await run(join(root, 'helm/warren/files/support-bundle.sh'), ['--anonymous', '--out', out], { env });
    const files = await opened(out);
    expect(JSON.stringify(files)).not.toContain(PLANTED);
    expect(files['configuration/gateway.txt']).toMatch(/^CALLER_KEY +set\n[\s\S]*^LOG_LEVEL +"debug"$/m);
    expect(files['logs/warren-gateway-1.log']).toContain('--since=24h');
    expect(files['metrics/warren-gateway-1.txt']).toMatch(
      /exec pod\/warren-gateway-1 --container=gateway -- node --eval fetch\('http:\/\/127\.0\.0\.1:9080\/metrics'\)/,
    );
    expect(files['findings.txt']).toMatch(/cluster\/events\.txt: kubectl get events failed: forbidden/);
    expect(await readFile(join(folder, 'patched'), 'utf8')).toContain(
      '"bundle","--input","-","--out","-","--anonymous"',
    );
    expect(await readFile(join(folder, 'deleted'), 'utf8')).toMatch(/^delete job warren-bundle-\d{6} /);
  });
});

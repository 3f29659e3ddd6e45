import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStatus } from '../src/state/status.ts';
import { PrivateAuthority } from './authority.ts';
import { TestHub } from './hub.ts';
import { TestProxy } from './proxy.ts';
import { until } from '@warren/infra/until';

const main = join(import.meta.dirname, '../src/main.ts');
const STORE = '/etc/ssl/certs/ca-certificates.crt';

/** Processes of the agent, as TLS of a runtime is trusted for all of it. */
describe('a hub whose certificate is of a private authority', () => {
  let folder: string;
  let authority: PrivateAuthority;
  let hub: TestHub;
  let proxy: TestProxy | undefined;
  let running: ChildProcess | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-authorities-'));
    await mkdir(join(folder, 'authority'));
    authority = await PrivateAuthority.make(join(folder, 'authority'));
  });

  afterEach(async () => {
    if (running && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
    running = undefined;
    await proxy?.stop();
    proxy = undefined;
    await hub?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const state = () => join(folder, 'state');
  const secure = async (from?: Date, till?: Date) => {
    hub = await new TestHub(await authority.issue(from, till)).start();
  };
  /** The agent with nothing in its environment but this; `within` starts it, and has it in its place of `"$@"`. */
  const agent = (command: string, env: Record<string, string> = {}, within?: string): ChildProcess => {
    const args = [process.execPath, ...process.execArgv, '--disable-warning=ExperimentalWarning', main, command];
    const known = { PATH: process.env['PATH'] ?? '', HOME: folder, WARREN_STATE: state(), WARREN_HUB: hub.url };
    const enrolment = { WARREN_ACCOUNT: 'account-1', WARREN_TOKEN: hub.token };
    const whole = within === undefined ? args : ['unshare', '--mount', 'sh', '-ec', within, 'sh', ...args];
    const [program = '', ...rest] = whole;
    return spawn(program, rest, { env: { ...known, ...enrolment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const enrol = async (env?: Record<string, string>, within?: string) => {
    const child = agent('enrol', env, within);
    let text = '';
    for (const output of [child.stdout, child.stderr]) output?.on('data', (data) => (text += String(data)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, text };
  };
  const enrolled = { code: 0, text: 'Enrolled as device device-1 of Acme.\n' };
  /** A store of a machine that has no other than these. */
  const store = (...files: string[]) => {
    const path = join(folder, 'store.pem');
    const whole = Promise.all(files.map((file) => readFile(file, 'utf8')));
    return whole.then((texts) => writeFile(path, texts.join('')).then(() => path));
  };
  const linked = async (count: number, env: Record<string, string>) => {
    running = agent('run', env);
    running.stdout?.resume();
    running.stderr?.resume();
    return hub.linked(count);
  };

  it('is refused, and named as what it is, where nothing trusts it', async () => {
    await secure();
    const { code, text } = await enrol();
    expect(text).toMatch(/TLS: the certificate is of an unknown authority; add it to those of this system, or /);
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(69);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot("is trusted when the authority is in the system's store, without a setting", async () => {
    await secure();
    await store(authority.file);
    expect(await enrol({}, `mount --bind ${join(folder, 'store.pem')} ${STORE}; exec "$@"`)).toEqual(enrolled);
  });

  it.each(['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'])('is trusted by %s', async (name) => {
    await secure();
    const path = name === 'SSL_CERT_DIR' ? join(folder, 'authority') : authority.file;
    expect(await enrol({ [name]: path })).toEqual(enrolled);
    const link = await linked(1, { [name]: path });
    expect(link.kind).toBe('upgrade');
  });

  it('is trusted by a WebSocket and through a proxy as well', async () => {
    await secure();
    proxy = await new TestProxy().start();
    const env = { SSL_CERT_FILE: authority.file, HTTPS_PROXY: proxy.url('s3cret') };
    expect(await enrol(env)).toEqual(enrolled);
    hub.refuse = (upgrade) => (upgrade === 'websocket' ? undefined : { status: 400 });
    const link = await linked(1, env);
    expect(link.kind).toBe('websocket');
    expect(proxy.asked.length).toBeGreaterThanOrEqual(3);
  });

  it('is trusted beside a damaged certificate of the store', async () => {
    await secure();
    const damaged = join(folder, 'damaged.pem');
    await writeFile(damaged, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(await enrol({ SSL_CERT_FILE: await store(damaged, authority.file) })).toEqual(enrolled);
  });

  it('is trusted by a running agent once the authority is added', async () => {
    await secure();
    const file = await store(authority.file);
    expect(await enrol({ SSL_CERT_FILE: file })).toEqual(enrolled);
    await writeFile(file, '');
    const link = linked(1, { SSL_CERT_FILE: file });
    await until(async () => (await readStatus(state()))?.problem?.startsWith('TLS: ') ?? false);
    expect(hub.links).toHaveLength(0);
    await store(authority.file);
    await link;
  });

  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);

  it.each([
    ['begins after the clock of this device', 'behind', 3, 9, 5],
    ['ended before the clock of this device', 'ahead of', -9, -3, -5],
  ])('%s: the clock is named, and how far off it is', async (_what, direction, from, till, now) => {
    await secure(hours(from), hours(till));
    hub.clock = () => hours(now);
    const { code, text } = await enrol({ SSL_CERT_FILE: authority.file });
    expect(text).toMatch(
      new RegExp(`: clock: the clock of this device is (4|5) hours ${direction} the hub's \\(.* GMT\\), .*timedatectl`),
    );
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(75);
    expect(hub.enrolled).toHaveLength(0);
  });

  it('has ended by its own clock too: then it is not the clock of this device', async () => {
    await secure(hours(-9), hours(-3));
    const { code, text } = await enrol({ SSL_CERT_FILE: authority.file });
    expect(text).toContain("TLS: the certificate has expired, by the hub's clock too");
    expect(code).toBe(69);
  });

  it('keeps a running agent trying until the clock is right', async () => {
    await secure();
    const env = { SSL_CERT_FILE: authority.file };
    expect(await enrol(env)).toEqual(enrolled);
    const { port } = hub;
    const good = hub;
    await hub.stop();
    const young = await authority.issue(hours(3), hours(9));
    hub = await new TestHub(young, good).start(port);
    hub.clock = () => hours(4);
    void linked(1, env).catch(() => {});
    await until(async () => (await readStatus(state()))?.problem?.startsWith('clock: ') ?? false);
    expect(running?.exitCode).toBeNull();
    // As if the clock had been set: the dates and it fit again.
    await hub.stop();
    hub = await new TestHub(await authority.issue(), good).start(port);
    await hub.linked(1);
  });
});

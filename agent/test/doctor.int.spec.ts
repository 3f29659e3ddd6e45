import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKS } from '../src/doctor/check.ts';
import type { Findings } from '../src/doctor/doctor.ts';
import { makeKey } from '../src/state/key.ts';
import { PrivateAuthority } from './authority.ts';
import { TestHub } from './hub.ts';
import { selfSigned } from './secure-world.ts';
import { until } from '@warren/infra/until';
import { readStatus } from '../src/state/status.ts';
import { World } from './world.ts';

const main = join(import.meta.dirname, '../src/main.ts');
type Env = Record<string, string>;

/** Runs `warren-agent`, as a user if there is one. */
function agent(args: string[], env: Env = {}, uid?: number): Promise<{ code: number; out: string; err: string }> {
  const clean: Env = { PATH: process.env['PATH']!, HOME: tmpdir(), ...env };
  const options = { env: clean, ...(uid !== undefined && { uid, gid: uid }) };
  return new Promise((resolve) =>
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    ),
  );
}

const resultsOf = ({ checks }: Findings) => Object.fromEntries(checks.map(({ step, result }) => [step, result]));
const checkOf = ({ checks }: Findings, step: string) => checks.find((check) => check.step === step)!;

describe('warren-agent doctor', () => {
  let world: World;
  let closing: (() => unknown)[];
  beforeEach(async () => {
    closing = [];
    world = await World.make();
  });
  afterEach(async () => {
    await world.end();
    for (const close of closing) await close();
  });

  const doctor = async (args: string[] = [], env: Env = {}, uid?: number) => {
    const { code, out, err } = await agent(['doctor', '--json', '--state', world.state, ...args], env, uid);
    if (out === '') throw new Error(err);
    return { code, findings: JSON.parse(out) as Findings };
  };

  it('finds nothing wrong, and leaves the link of the running agent and the key as they are', async () => {
    await world.start();
    await until(async () => (await readStatus(world.state))?.state === 'connected');
    const { code, findings } = await doctor();
    expect(resultsOf(findings)).toEqual({
      name: 'ok',
      address: 'ok',
      TCP: 'ok',
      proxy: 'skipped',
      TLS: 'skipped',
      clock: 'ok',
      MTU: 'ok',
      upgrade: 'ok',
      key: 'ok',
    });
    expect([code, findings.ok]).toEqual([0, true]);
    for (const { result, ms, advice } of findings.checks) {
      expect(typeof ms).toBe(result === 'ok' ? 'number' : 'undefined');
      expect(advice).toBeUndefined();
    }
    expect(world.hub.links).toHaveLength(1);
    expect(world.hub.links[0]!.session.destroyed).toBe(false);
    const { code: shown, out } = await agent(['doctor', '--state', world.state]);
    expect(out).toMatch(/^name {5}ok +\d+ ms {2}localhost: /);
    expect(out).toContain('Connected since');
    expect(out).toContain(`The way to ${world.hub.url} is fine.`);
    expect(shown).toBe(0);
  });

  it('walks over TLS, and names the certificate or what is wrong with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
    const hub = await new TestHub(await selfSigned(folder)).start();
    closing.push(
      () => hub.stop(),
      () => rm(folder, { recursive: true }),
    );
    const trusted = await doctor(['--hub', hub.url], { NODE_EXTRA_CA_CERTS: join(folder, 'tls.crt') });
    expect(resultsOf(trusted.findings)).toMatchObject({
      TLS: 'ok',
      clock: 'ok',
      MTU: 'ok',
      upgrade: 'ok',
      key: 'skipped',
    });
    expect(checkOf(trusted.findings, 'TLS').detail).toMatch(/^TLSv1\.3, certificate of localhost, good until /);
    const { code, findings } = await doctor(['--hub', hub.url]);
    expect(resultsOf(findings)).toMatchObject({ TCP: 'ok', TLS: 'failed', clock: 'skipped', upgrade: 'skipped' });
    expect(checkOf(findings, 'TLS')).toMatchObject({ advice: expect.stringContaining('WARREN_CA') });
    expect(code).toBe(1);
  });

  it.each([
    ['name', 'http://hub.invalid', /(getent hosts|resolv\.conf)/],
    ['TCP', 'http://127.0.0.1:9', /127\.0\.0\.1 does not listen at port 9/],
  ])('names a broken %s, skips what needs it, and gives advice', async (step, hub, advice) => {
    const { code, findings } = await doctor(['--hub', hub]);
    expect(checkOf(findings, step)).toMatchObject({ result: 'failed', advice: expect.stringMatching(advice) });
    expect(checkOf(findings, 'upgrade')).toMatchObject({ result: 'skipped', detail: `needs ${step}` });
    expect(findings.checks.filter(({ result }) => result === 'failed')).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('names the proxy that is not there, and the one that refuses', async () => {
    const gone = await doctor(['--hub', world.hub.url], { HTTP_PROXY: 'http://fleet:s3cret@127.0.0.1:9' });
    expect(checkOf(gone.findings, 'TCP')).toMatchObject({
      result: 'failed',
      advice: expect.stringContaining('the proxy'),
    });
    const proxy = createServer((socket) =>
      socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n')),
    );
    closing.push(() => proxy.close());
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const address = `http://fleet:s3cret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { findings } = await doctor(['--hub', world.hub.url], { HTTP_PROXY: address });
    expect(checkOf(findings, 'TCP').result).toBe('ok');
    expect(checkOf(findings, 'proxy')).toMatchObject({
      result: 'failed',
      detail: expect.stringMatching(/answered 407$/),
      advice: expect.stringContaining('user and password'),
    });
    expect(JSON.stringify([gone, findings])).not.toContain('s3cret');
  });

  it('names the clock', async () => {
    world.hub.clock = () => new Date(Date.now() + 3_600_000);
    const { code, findings } = await doctor(['--hub', world.hub.url]);
    expect(checkOf(findings, 'clock')).toMatchObject({ result: 'failed', advice: expect.stringContaining('set-ntp') });
    expect(checkOf(findings, 'clock').detail).toMatch(/^(3599|3600|3601) s behind the hub/);
    expect(code).toBe(1);
  });

  describe('and the certificate of a private authority', () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    let authority: PrivateAuthority;
    beforeEach(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
      closing.push(() => rm(folder, { recursive: true }));
      authority = await PrivateAuthority.make(folder);
    });
    const secure = async (from?: Date, till?: Date) => {
      const hub = await new TestHub(await authority.issue(from, till)).start();
      closing.unshift(() => hub.stop());
      return hub;
    };

    it('trusts the authorities that the dial trusts', async () => {
      const { url } = await secure();
      const { code, findings } = await doctor(['--hub', url], { SSL_CERT_FILE: authority.file });
      expect(resultsOf(findings)).toMatchObject({ TLS: 'ok', MTU: 'ok', upgrade: 'ok' });
      expect(code).toBe(0);
    });

    it('names the clock where the dates of the certificate do not fit it', async () => {
      const hub = await secure(hours(3), hours(9));
      hub.clock = () => hours(5);
      const { code, findings } = await doctor(['--hub', hub.url], { SSL_CERT_FILE: authority.file });
      expect(resultsOf(findings)).toMatchObject({ TCP: 'ok', TLS: 'skipped', clock: 'failed', upgrade: 'skipped' });
      expect(checkOf(findings, 'clock')).toMatchObject({
        detail: expect.stringMatching(/^the clock of this device is (4|5) hours behind the hub's /),
        advice: expect.stringContaining('set-ntp'),
      });
      expect(findings.checks.map(({ step }) => step)).toEqual([...CHECKS]);
      expect(code).toBe(1);
    });

    it('names the certificate where it has ended by the clock of the hub too', async () => {
      const { url } = await secure(hours(-9), hours(-3));
      const { findings } = await doctor(['--hub', url], { SSL_CERT_FILE: authority.file });
      expect(resultsOf(findings)).toMatchObject({ TLS: 'failed', clock: 'skipped' });
      expect(checkOf(findings, 'TLS').advice).toMatch(/^Renew the certificate/);
    });
  });

  it('names what takes the upgrade away, and a hub that is busy', async () => {
    world.hub.refuse = () => ({ status: 400, body: { message: 'no upgrade here' } });
    const stripped = await doctor(['--hub', world.hub.url]);
    expect(checkOf(stripped.findings, 'upgrade')).toMatchObject({
      result: 'failed',
      detail: 'no upgrade here (status 400)',
      advice: expect.stringContaining('Connection, Upgrade and Authorization'),
    });
    world.hub.refuse = () => ({ status: 503, body: { message: 'busy' } });
    const busy = await doctor(['--hub', world.hub.url]);
    expect(checkOf(busy.findings, 'upgrade')).toMatchObject({
      result: 'failed',
      advice: expect.stringContaining('Wait'),
    });
    world.hub.refuse = (upgrade) => (upgrade === 'websocket' ? undefined : { status: 400 });
    const other = await doctor(['--hub', world.hub.url]);
    expect(checkOf(other.findings, 'upgrade')).toMatchObject({
      result: 'ok',
      detail: expect.stringContaining('WebSocket'),
    });
  });

  it('names a key that the hub does not know', async () => {
    await world.enrol();
    await makeKey(world.state);
    const { code, findings } = await doctor();
    expect(checkOf(findings, 'key')).toMatchObject({
      result: 'failed',
      detail: 'Key: the device has another key now.',
      advice: expect.stringContaining('uninstall'),
    });
    expect(code).toBe(1);
    expect(world.hub.rotations).toBe(0);
  });

  it('needs a hub', async () => {
    const { code, err } = await agent(['doctor', '--state', world.state]);
    expect([code, err]).toEqual([
      78,
      `warren-agent: this device is not enrolled (${world.state}); name the hub by --hub\n`,
    ]);
  });

  (process.getuid?.() === 0 ? it : it.skip)('works without root, and says what it may not read', async () => {
    await world.enrol();
    await chmod(world.state, 0o711);
    const network = join(world.state, 'network.env');
    await writeFile(network, "HTTP_PROXY='http://proxy:3128'\n", { mode: 0o600 });
    const { code, findings } = await doctor([], { WARREN_PROGRAM: world.state }, 65534);
    expect(checkOf(findings, 'key')).toMatchObject({
      result: 'skipped',
      detail: expect.stringContaining('run this with sudo'),
    });
    expect(findings.notes).toEqual([expect.stringContaining(`You may not read ${network}`)]);
    expect([code, checkOf(findings, 'upgrade').result]).toEqual([0, 'ok']);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@warren/platform/errors/fault';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMetadata } from '../src/auth/saml/verifier/metadata.ts';
import type { HubFacts, Trusted } from '../src/auth/saml/verifier/tasks.ts';
import { HOST_LIMITS, WorkerHost, type HostLimits } from '../src/auth/saml/verifier/worker.host.ts';
import { HUB } from './gateway.ts';
import { encode, TestIdp } from './saml.idp.ts';

const hub: HubFacts = {
  entityId: `${HUB}/auth/saml/metadata`,
  acsUrl: `${HUB}/auth/saml/acs`,
  sloUrl: `${HUB}/auth/saml/slo`,
  clockToleranceMs: 60_000,
  decryptionKeys: [],
};
let idp: TestIdp;
let providers: Trusted[];
let host: WorkerHost;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-worker-'));
  idp = await TestIdp.make('https://idp.test/metadata', HUB);
  providers = [{ id: 'default', entityId: idp.entityId, certificates: parseMetadata(idp.metadata()).certificates }];
});
afterEach(() => host.stop());
afterAll(() => rm(folder, { recursive: true, force: true }));

const made = (limits: Partial<HostLimits> = {}, file?: string) =>
  (host = new WorkerHost(hub, { ...HOST_LIMITS, ...limits }, file));
const answer = async () => ({ message: await idp.answer({ inResponseTo: '_q' }), providers });
const junk = { message: encode('<a/>'.repeat(50_000)), providers: [] as Trusted[] };

/** A worker that does what a test wants for each message. */
async function workerOf(body: string): Promise<string> {
  const file = join(folder, `${body.length}.mjs`);
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (job) => { ${body} }); parentPort.postMessage('ready');`,
  );
  return file;
}

describe('the reader of messages', () => {
  it('lets a sign-in pass a flood of another client', async () => {
    made({ perClient: 100 });
    let done = 0;
    const flood = Array.from({ length: 60 }, () => host.run('flood', 'response', junk).catch(() => done++));
    const verified = await host.run('person', 'response', await answer());
    expect(verified?.saml.email).toBe('ada@hub.test');
    expect(done).toBeLessThan(30);
    await Promise.all(flood);
    expect(done).toBe(60);
  });

  it('takes no more of a client than it may have waiting', async () => {
    made({ perClient: 3 });
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => host.run('flood', 'response', junk)));
    const codes = all.map((one) => one.status === 'rejected' && one.reason instanceof Fault && one.reason.code);
    expect(codes.filter((code) => code === 'resource_exhausted')).toHaveLength(7);
  });

  it('gives up on a message that takes too long, and continues with the next', async () => {
    made(
      { timeMs: 200 },
      await workerOf("if (job.input.xml === 'spin') for (;;); parentPort.postMessage({ output: job.input.xml })"),
    );
    const [spun, next] = await Promise.allSettled(['spin', 'next'].map((xml) => host.run('a', 'metadata', { xml })));
    expect(spun).toMatchObject({
      reason: { name: 'SignInRefused', message: expect.stringContaining('longer than 200 ms') },
    });
    expect(next).toMatchObject({ value: 'next' });
  });

  it.each([
    [
      'takes all memory',
      'if (job.input.xml === "bad") { const all = []; for (;;) all.push(new Array(100_000).fill(0.5)); } parentPort.postMessage({ output: job.input.xml })',
    ],
    ['ends', 'if (job.input.xml === "bad") process.exit(3); parentPort.postMessage({ output: job.input.xml }); '],
    [
      'throws',
      'if (job.input.xml === "bad") throw new Error("no"); parentPort.postMessage({ output: job.input.xml });  ',
    ],
  ])('outlives a message at which it %s', async (_what, body) => {
    made({}, await workerOf(body));
    const [bad, next] = await Promise.allSettled(['bad', 'next'].map((xml) => host.run('a', 'metadata', { xml })));
    expect(bad).toMatchObject({ reason: { name: 'SignInRefused' } });
    expect(next).toMatchObject({ value: 'next' });
  });

  it('refuses what waits when it does not start', async () => {
    made({}, join(folder, 'none.mjs'));
    const all = await Promise.allSettled([1, 2].map(() => host.run('a', 'metadata', { xml: '' })));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('ends when idle, and starts on demand', async () => {
    made({ idleMs: 1 });
    for (let round = 0; round < 2; round++) {
      expect((await host.run('a', 'response', await answer()))?.assertionId).toMatch(/^_/);
    }
  });
});

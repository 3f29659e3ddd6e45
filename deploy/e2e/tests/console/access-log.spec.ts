import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getJson } from '../../support/api.ts';
import { expect, test } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';

/** What a service says before it is ready, at most. */
const START_LINES = 10;

type Line = Record<string, unknown>;

async function linesOf({ facts }: Warren, process: string): Promise<Line[]> {
  const text = await readFile(join(facts.home, 'logs', `${process}.log`), 'utf8');
  // The last one may not be whole yet.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

test('a request is logged with who made it, and with nothing that was asked for', async ({ signedIn, warren }) => {
  const page = await signedIn('superAdmin');
  const secret = `needle${Date.now()}`;
  const response = await page.request.get(`/api/devices?search=${secret}`);
  const who = await getJson<{ user: string; account: string }>(page.request, '/auth/saml/getsession');
  const id = response.headers()['x-request-id'];
  const service = warren.facts.runs['gateway'];
  await expect(async () => {
    const lines = await linesOf(warren, service ?? '');
    const { time: _time, duration_ms: took, ...line } = lines.find(({ request_id: of }) => of === id) ?? {};
    expect(took).toEqual(expect.any(Number));
    expect(line).toEqual({
      level: 'info',
      service,
      msg: 'request completed',
      request_id: id,
      method: 'GET',
      path: '/api/devices',
      status: 200,
      client: '127.0.0.1',
      user: who.user,
      account: who.account,
      trace_id: expect.any(String),
      span_id: expect.any(String),
    });
    expect(JSON.stringify(lines)).not.toContain(secret);
  }).toPass();
});

test('every line is one flat object, and a start takes a few of them', async ({ warren }) => {
  const services = Map.groupBy(Object.entries(warren.facts.runs), ([, process]) => process);
  for (const [service, run] of services) {
    const lines = await linesOf(warren, service);
    for (const { err: _err, details: _details, ...line } of lines) {
      expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String), service });
      expect(Object.values(line).filter((value) => value !== null && typeof value === 'object')).toEqual([]);
    }
    const ready = lines.findIndex(({ context }) => context === 'OpsServer');
    expect(ready, service).toBeLessThan(START_LINES * run.length);
    const framework = ['InstanceLoader', 'RoutesResolver', 'RouterExplorer'];
    expect(lines.filter(({ context }) => framework.includes(String(context)))).toEqual([]);
  }
});

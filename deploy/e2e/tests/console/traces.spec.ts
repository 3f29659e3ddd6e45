import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpanJson } from '../../stack/spans.ts';
import { DevicesPage } from '../../pages/devices.ts';
import { expect, test } from '../../support/test.ts';
import type { Warren } from '../../support/warren.ts';

const SERVER = 2;
const CLIENT = 3;

/** Waits until a trace is complete: the parent of each span is there, and spans of these services. */
async function whole(warren: Warren, trace: string, root: string, services: string[]): Promise<SpanJson[]> {
  let spans: SpanJson[] = [];
  await expect(async () => {
    spans = await warren.spans(trace);
    const ids = new Set([root, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ''))).toEqual([]);
    expect(spans.map(({ service }) => service)).toEqual(expect.arrayContaining(services));
  }).toPass({ timeout: 30_000 });
  return spans;
}

test('a call of the console is one trace: gateway, calls, SQL without values', async ({ signedIn, warren }) => {
  const page = await signedIn('superAdmin');
  const list = new DevicesPage(page);
  await list.open(warren.facts.device.account);
  const secret = `needle${Date.now()}`;
  const searched = page.waitForRequest((request) => request.url().includes(`search=${secret}`));
  await list.search.fill(secret);
  const header = (await searched).headers()['traceparent'] ?? '';
  const [, trace = '', browser = ''] = header.split('-');
  const { runs, home } = warren.facts;
  const [gateway, devices] = [`warren-${runs['gateway']}`, `warren-${runs['devices']}`];
  const spans = await whole(warren, trace, browser, [gateway, devices]);
  const parentOf = ({ parentSpanId }: SpanJson) => spans.find(({ spanId }) => spanId === parentSpanId);
  const one = (service: string | undefined, kind: number, name: string) =>
    spans.find((span) => span.service === service && span.kind === kind && span.name === name)!;

  const request = one(gateway, SERVER, 'GET /api/devices');
  expect(request.parentSpanId).toBe(browser);
  expect(request.attributes).toMatchObject({ 'http.route': '/api/devices', 'http.response.status_code': '200' });
  const served = one(devices, SERVER, 'warren.devices.v1.DevicesService/ListDevices');
  const called = parentOf(served)!;
  expect(called).toMatchObject({ service: gateway, kind: CLIENT, name: served.name });
  expect(parentOf(called)).toBe(request);

  const sql = spans.filter(({ service, kind }) => service === devices && kind === CLIENT);
  expect(sql.map(parentOf)).toContain(served);
  expect(JSON.stringify(sql)).toMatch(/SELECT/);
  expect(JSON.stringify(spans)).not.toContain(secret);

  await expect(async () => {
    const lines = (await readFile(join(home, 'logs', `${runs['gateway']}.log`), 'utf8')).split('\n');
    const line = lines.find((text) => text.includes(trace));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: trace, span_id: request.spanId });
  }).toPass();
});

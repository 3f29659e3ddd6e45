import { HookServer } from '@warren/infra/hook-server';
import { expect } from '@playwright/test';
import type { Office } from '../office.ts';

interface Stream {
  name: string;
  lastDelivery: string | null;
  failingSince: string | null;
}

/** Adds streams of audit events to an account: one has delivered, the receiver of the other is away. */
export async function openStreams(office: Office, account: string): Promise<void> {
  const hooks = await new HookServer().start();
  try {
    const add = (stream: object) => office.call('POST', '/api/audit/streams', { account, ...stream });
    await add({ name: 'Archive', kind: 'webhook', url: `${hooks.url}/archive`, actions: ['session.*', 'grant.*'] });
    await add({ name: 'SIEM', kind: 'syslog', url: 'tls://127.0.0.1:9' });
    await office.call('PUT', '/api/audit/retention', { account, months: 36 });
    const grant = { subject: { kind: 'everyone' }, permissions: ['view'], filter: 'name~pump', note: 'Audit' };
    await office.call('POST', `/api/accounts/${account}/grants`, grant);
    const states = async () => {
      const { streams } = await office.call<{ streams: Stream[] }>('GET', `/api/audit/streams?account=${account}`);
      return streams.map(({ name, lastDelivery, failingSince }) => [name, !!lastDelivery, !!failingSince]);
    };
    await expect.poll(states, { timeout: 30_000 }).toEqual([
      ['Archive', true, false],
      ['SIEM', false, true],
    ]);
  } finally {
    await hooks.stop();
  }
}

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readEnrolment } from '../src/state/enrolment.ts';
import { readStatus } from '../src/state/status.ts';
import { until } from '@warren/infra/until';
import { World } from './world.ts';

const main = join(import.meta.dirname, '../src/main.ts');

describe('errors that a person sees', () => {
  let world: World;
  beforeEach(async () => (world = await World.make()));
  afterEach(() => world.end());

  /** `warren-agent status`. */
  const status = () =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const args = ['--disable-warning=ExperimentalWarning', main, 'status', '--state', world.state];
      execFile(process.execPath, args, { env: process.env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
      );
    });
  const waiting = () => until(async () => (await readStatus(world.state))?.state === 'waiting');

  it('when it was deleted at the hub', async () => {
    const body = { statusCode: 404, code: 'not_found', message: 'Not found: device device-1.' };
    world.hub.refuse = () => ({ status: 404, body });
    await world.start();
    await waiting();
    const { code, text } = await status();
    expect(code).toBe(77);
    expect(text).toBe(
      'Refused by the hub (key: this device was deleted at the hub (Not found: device device-1.)): ' +
        `device device-1 of Acme, hub ${world.hub.url}. It keeps asking, ever more seldom. ` +
        'To enrol it again: warren-agent uninstall, then a new line from the console.\n',
    );
  });

  it('when the hub knows another key of it', async () => {
    world.hub.refuse = () => ({ status: 401, body: { code: 'unauthenticated', message: 'The token is refused.' } });
    await world.start();
    await waiting();
    expect(await status()).toMatchObject({ code: 77, text: expect.stringContaining('key: The token is refused.') });
  });

  it('when the hub is busy, or something before it answers: that is no refusal', async () => {
    world.hub.refuse = () => ({ status: 503, body: { message: 'busy' } });
    await world.start();
    await waiting();
    expect(await status()).toMatchObject({ code: 1, text: expect.stringContaining('Not connected (busy)') });
  });

  it.each(['warren-h2', 'websocket'])('when it took the place of its old entry, by %s', async (carrier) => {
    world.hub.refuse = (upgrade) => (upgrade === carrier ? undefined : { status: 400 });
    world.hub.becomes = 'device-7';
    await world.start();
    await world.hub.linked(1);
    await until(async () => (await readEnrolment(world.state))?.device_id === 'device-7');
    await until(async () => (await readStatus(world.state))?.state === 'connected');
    expect(await status()).toMatchObject({ code: 0, text: expect.stringContaining(': device device-7 of Acme, hub ') });
    const { dials } = world.hub;
    const said = () => {
      const [, claims = ''] = (dials.at(-1)?.headers.authorization ?? '').split('.');
      return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
    };
    expect(said()).toBe('device-1');
    world.hub.links[0]?.socket.destroy();
    await world.hub.linked(2);
    expect(said()).toBe('device-7');
  });
});

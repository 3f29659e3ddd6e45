import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { frameState } from '@warren/platform/http/device.entry';
import { WebWorld } from './web.world.ts';

describe('the quota of open sockets', () => {
  let web: WebWorld;

  beforeAll(async () => {
    web = await WebWorld.start();
  });
  afterAll(() => web?.stop());

  it('counts pages of devices, and refuses the page that exceeds the quota', async () => {
    const device = await web.device();
    web.neighbours.mostSockets = 1n;
    const enter = () => {
      const secret = 's'.repeat(43);
      return device.post(device.ticket(frameState(secret)), secret, 'Sec-Fetch-Mode: navigate');
    };
    expect((await enter()).status).toBe(200);
    const refused = await enter();
    expect(refused.status).toBe(409);
    expect(refused.body).toContain('Quota reached');
    expect(refused.body).toContain('This account may have 1 open terminals, desktops, logs and web services.');
  });
});

import type { Page, WebSocket } from '@playwright/test';
import { freePort } from '@warren/infra/ports';
import { setWeb } from '../../support/api.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';
import { ViteServer } from '../../support/vite.ts';

let vite: ViteServer;

test.beforeAll(async () => {
  vite = await ViteServer.start(await freePort('127.0.0.1'));
});
test.afterAll(async () => vite?.stop());

/** The socket on which the page receives changes, once the server has opened it. */
function listening(page: Page): Promise<WebSocket> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) => {
      // From the start, as the server says so at once.
      socket.on('framereceived', ({ payload }) => payload.includes('"connected"') && resolve(socket));
    });
  });
}

for (const host of ['local', 'public'] as const) {
  test(
    `Vite, with the ${host} host name: a module that is saved is replaced in the page, which stays`,
    soakBut('public')(host),
    async ({ enter, warren }) => {
      const { hub, device } = warren.facts;
      const operator = await enter('superAdmin');
      const { http_address: address } = await setWeb(operator.request, hub, device.id, vite.port, host);
      const before = `before, ${host}`;
      await vite.write(before);
      const page = await enter('member');
      const [socket] = await Promise.all([listening(page), page.goto(`http://${address}/`)]);
      await expect(page.getByText(before)).toBeVisible();
      expect(new URL(socket.url()).host).toBe(address);
      await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
      await vite.write(`after, ${host}`);
      await expect(page.getByText(`after, ${host}`)).toBeVisible();
      expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true);
      expect(socket.isClosed()).toBe(false);
    },
  );
}

import type { APIRequestContext, Frame, Page } from '@playwright/test';
import { freePort } from '@warren/infra/ports';
import { setWeb } from '../../support/api.ts';
import { whole } from '../../support/browser.ts';
import { withStoringFrames } from '../../support/framing.ts';
import { NodeRed } from '../../support/node-red.ts';
import { person } from '../../support/people.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

test.use({ launchOptions: whole });

const WITHDRAWN_MS = 2_000;

let nodeRed: NodeRed;

test.beforeAll(async () => {
  nodeRed = await NodeRed.start(await freePort('127.0.0.1'));
});
test.afterAll(async () => nodeRed?.stop());

async function change(request: APIRequestContext, hub: string, path: string, data: object = {}): Promise<void> {
  const response = await request.put(path, { headers: { origin: hub }, data });
  expect(response.status(), await response.text()).toBe(200);
}

/** Node-RED's editor is dozens of scripts, one after the other. */
const LOADED = { timeout: 90_000 };
test.setTimeout(300_000);

/** Exposes Node-RED as the web service of the machine's device. */
const expose = (page: Page, hub: string, id: string) => setWeb(page.request, hub, id, nodeRed.port);

/** Two nodes: one that starts by itself, one whose state the editor hears of by its WebSocket. */
function flow(state: string): object[] {
  const at = { x: 200, y: 120 };
  const timing = { repeat: '', crontab: '', once: true, onceDelay: 0.1 };
  const message = { props: [{ p: 'payload' }], topic: '', payload: '', payloadType: 'date' };
  const inject = { id: 'a1', type: 'inject', name: '', ...at, ...message, ...timing, wires: [['a2']] };
  const code = { initialize: '', finalize: '', libs: [], timeout: 0, noerr: 0, outputs: 1 };
  const func = `node.status({ fill: 'green', shape: 'dot', text: '${state}' }); return msg;`;
  return [inject, { id: 'a2', type: 'function', name: 'tell', func, ...code, ...at, x: 400, wires: [[]] }];
}

/** Deploys the flow in Node-RED's editor, and sees its state come back by the editor's WebSocket. */
async function deploy(editor: Page | Frame, state: string): Promise<void> {
  await expect(editor.locator('#red-ui-header-button-deploy')).toBeVisible(LOADED);
  await expect(editor.locator('#red-ui-workspace-chart')).toBeVisible();
  await editor.evaluate((nodes) => {
    type Editor = {
      view: { importNodes: (nodes: object[], how: object) => void };
      nodes: { dirty: (is: boolean) => void };
    };
    const { RED } = globalThis as unknown as { RED: Editor };
    RED.view.importNodes(nodes, { generateIds: true, touchImport: true });
    RED.nodes.dirty(true);
  }, flow(state));
  await editor.locator('#red-ui-workspace-chart').click({ position: { x: 300, y: 300 } });
  await editor.locator('#red-ui-header-button-deploy').click();
  await expect(editor.getByText(state)).toBeVisible();
}

for (const host of ['local', 'public'] as const) {
  test(
    `Node-RED in a tab, with the ${host} host name: a flow is deployed, and its state comes back by the WebSocket`,
    soakBut('local')(host),
    async ({ enter, warren }) => {
      const { hub, device } = warren.facts;
      const { request } = await enter('superAdmin');
      const { http_address: address } = await setWeb(request, hub, device.id, nodeRed.port, host);
      const before = (await nodeRed.nodes()).length;
      const page = await enter('member');
      await page.goto(`http://${address}/`);
      await deploy(page, `alive, ${host}`);
      expect((await nodeRed.nodes()).length).toBeGreaterThan(before);
    },
  );
}

test("Node-RED in the console's frame: the same", async ({ enter, office, warren, launchOptions }) => {
  const { hub, device } = warren.facts;
  const { http_address: address } = await expose(await enter('superAdmin'), hub, device.id);
  const before = (await nodeRed.nodes()).length;
  const cookie = await office.cookie(person('member').email);
  await withStoringFrames(launchOptions, { hub, cookie }, async (context) => {
    const page = await context.newPage();
    await page.goto(`/device/web/${address}`);
    const handle = await page.locator('iframe').elementHandle();
    const frame = await handle?.contentFrame();
    if (!frame) throw new Error('there is no frame');
    await deploy(frame, 'alive in the frame');
    expect(new URL(page.url()).host).toBe(new URL(hub).host);
    expect(new URL(frame.url()).host).toBe(address);
  });
  expect((await nodeRed.nodes()).length).toBeGreaterThan(before);
});

test('the address on its own: through the hub once, and back to the same path', async ({ enter, warren }) => {
  const { http_address: address } = await expose(await enter('superAdmin'), warren.facts.hub, warren.facts.device.id);
  const page = await enter('member');
  await page.goto(`http://${address}/?from=tab`);
  // Node-RED adds the flow that it shows.
  await expect(page).toHaveURL((url) => url.host === address && url.pathname + url.search === '/?from=tab');
  await expect(page.locator('#red-ui-header-button-deploy')).toBeVisible(LOADED);
});

test("a person of another account gets nothing: in the frame, by address, by cookie, by another person's address", async ({
  enter,
  warren,
}) => {
  const operator = await enter('superAdmin');
  const { hub, device } = warren.facts;
  const { http_address: address } = await expose(operator, hub, device.id);
  const page = await enter('otherMember');
  await page.goto(`/device/web/${address}`);
  await expect(page.getByText("UH OH! You're lost.")).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);

  const direct = await page.goto(`http://${address}/`);
  expect(direct?.status()).toBe(404);
  await expect(page).toHaveURL(new RegExp(`^${hub}/tunnel/open`));

  await page.context().addCookies([{ name: 'warren-web', value: 'A'.repeat(43), url: `http://${address}` }]);
  expect((await page.goto(`http://${address}/settings`))?.status()).toBe(404);

  const asking = { headers: { origin: hub }, data: { secret: 's'.repeat(43) } };
  const refused = await page.request.post(`/api/devices/${device.id}/web-address`, asking);
  expect(refused.status()).toBe(404);
});

test('in a frame that may store nothing it loads; turned off, it is gone within two seconds, and says so', async ({
  enter,
  warren,
}) => {
  const operator = await enter('superAdmin');
  const { hub, device } = warren.facts;
  const { id, serial, http_address: address } = await expose(operator, hub, device.id);
  const page = await enter('member');
  await page.goto(`/device/web/${address}`);
  const frame = page.frameLocator('iframe');
  await expect(frame.locator('#red-ui-header').first()).toBeAttached({ timeout: 30_000 });
  const tab = await page.context().newPage();
  const status = async () => (await tab.goto(`http://${address}/settings`))?.status();
  expect(await status()).toBe(200);
  // As the page itself asks: how long a browser takes to show another page is the machine's affair.
  const asking = await tab.evaluateHandle(() => {
    const look = async (): Promise<number> => ((await fetch('/settings')).status === 200 ? look() : Date.now());
    return { gone: look() };
  });
  await change(operator.request, hub, `/tunnel/device/http/disable/${id}/${serial}`);
  const from = Date.now();
  expect((await asking.evaluate(({ gone }) => gone)) - from).toBeLessThan(WITHDRAWN_MS);
  await expect(page.getByText(/web service of .* is switched off/)).toBeVisible();
  expect(await status()).toBe(409);
});

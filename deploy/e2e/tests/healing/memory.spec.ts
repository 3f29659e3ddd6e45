import { setTimeout as sleep } from 'node:timers/promises';
import { TerminalPage } from '../../pages/terminal.ts';
import { setWeb } from '../../support/api.ts';
import { startBulkServer, download, upload, type Visitor } from '../../support/bulk.server.ts';
import type { LocalServer } from '../../support/local.server.ts';
import { expectFlat, MiB } from '../../support/memory.ts';
import { long, SOAK, soakBut } from '../../support/soak.ts';
import { measured, test } from '../../support/test.ts';
import { WireTerminal } from '../../support/wire.ts';

/** A gigabyte where there is time for it. */
const BULK = (long ? 1024 : 200) * MiB;
const PAUSE_MS = 2_000;

test('yes for a while leaves memory flat', async ({ as, warren }) => {
  const terminal = new TerminalPage(await as('superAdmin'));
  await terminal.openReady(warren.facts.device.id);
  await terminal.run('yes');
  await terminal.expectLine('y');
  // Buffers, code and heaps that any output would bring have come after a few seconds.
  await sleep(5_000);
  await expectFlat(warren, 'yes for 15 s', () => sleep(15_000));
  await terminal.press('Control+c');
  await terminal.expectPrompt();
});

test('a reader that stops leaves memory flat, and loses nothing', SOAK, async ({ as, warren }) => {
  const { request } = await as('superAdmin');
  const wire = await WireTerminal.ofDevice(request, warren.facts.hub, warren.facts.device.id, { acks: false });
  wire.type("stty -echo; PS1=; yes 'a line of output that goes on and on'\r");
  await wire.receive(8 * MiB);
  await expectFlat(warren, 'behind a reader that stopped', async () => {
    wire.hold(true);
    const held = wire.received;
    // Bytes in flight fill the buffers of each process and of the kernel in a moment; then nothing may move any more.
    await sleep(5_000);
    wire.hold(false);
    await wire.receive(held - wire.received + 8 * MiB);
  });
  wire.type('\u0003');
  wire.type("echo read'-'on\r");
  await wire.until('read-on');
  wire.close();
});

test.describe(`${BULK / MiB} MB through the web service of a device leave memory flat, and come whole,`, () => {
  let server: LocalServer;
  test.beforeEach(async () => void (server = await startBulkServer(PAUSE_MS)));
  test.afterEach(() => server.stop());

  const ways: Record<string, (visitor: Visitor, bytes: number) => Promise<void>> = {
    down: (visitor, bytes) => download(visitor, bytes, PAUSE_MS),
    up: upload,
  };
  for (const [way, carry] of Object.entries(ways)) {
    test(`${way}, though the reader stops on the way`, soakBut('down')(way), async ({ enter, warren }) => {
      test.setTimeout(240_000);
      const page = await enter('superAdmin');
      const { http_address: host } = await setWeb(page.request, warren.facts.hub, warren.facts.device.id, server.port);
      await page.goto(`http://${host}/?bytes=0`);
      const cookies = await page.context().cookies(`http://${host}/`);
      const visitor = { host, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
      // What any transfer brings has come with the first.
      await carry(visitor, 32 * MiB);
      const since = Date.now();
      await expectFlat(warren, `${BULK / MiB} MB ${way}`, () => carry(visitor, BULK));
      const seconds = (Date.now() - since - PAUSE_MS) / 1_000;
      measured(`${BULK / MiB} MB ${way}, without the stop`, BULK / 1e6 / seconds, 'MB/s');
    });
  }
});

import { DevicesPage } from '../../pages/devices.ts';
import { device } from '../../support/api.ts';
import { Rig } from '../../support/rig.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';

const PROMISE_MS = 15_000;
/** What a busy machine may add to it before the page is drawn. */
const NOISE_MS = 2_000;

interface Way {
  go: (rig: Rig) => void;
  comeBack: (rig: Rig) => void;
}

const ways: Record<string, Way> = {
  'is killed': { go: ({ agent }) => process.kill(agent.pid, 'SIGKILL'), comeBack: ({ agent }) => agent.start() },
  hangs: {
    go: ({ agent }) => process.kill(agent.pid, 'SIGSTOP'),
    comeBack: ({ agent }) => process.kill(agent.pid, 'SIGCONT'),
  },
  'loses its network': {
    go: ({ agentSide }) => agentSide.unplug(),
    comeBack: ({ agentSide }) => agentSide.plug(),
  },
};

/** That it is killed or hangs is noticed as a silent network is. */
const soak = soakBut('loses its network');

test.describe('on the page and by the API a device is Disconnected within 15 s when its agent', () => {
  let rig: Rig;

  test.beforeAll(async ({ browser, warren }) => {
    rig = await Rig.make(browser, warren);
  });
  test.afterAll(() => rig?.remove());

  for (const [name, { go, comeBack }] of Object.entries(ways)) {
    test(`${name}, and Connected when it is back`, soak(name), async ({ enter }) => {
      const page = await enter('superAdmin');
      const { custom_name, name: hostname, account } = await device(page.request, rig.device);
      const list = new DevicesPage(page);
      await list.open(`${account.id}?search=${encodeURIComponent(custom_name || hostname)}`);
      // Other agents of this machine have the same host name; what they are stands there once the list has come.
      const word = list.rows.filter({ has: page.getByText('Disconnected', { exact: true }) });
      await expect(list.rows.getByText('Connected', { exact: true }).first()).toBeVisible();
      const gone = await word.count();
      const connected = async () => (await device(page.request, rig.device)).status === 'Connected';
      expect(await connected()).toBe(true);
      const since = Date.now();
      go(rig);
      try {
        await expect.poll(connected, { timeout: PROMISE_MS + NOISE_MS, intervals: [50] }).toBe(false);
        measured(`agent ${name}, to Disconnected by the API`, Date.now() - since, 'ms');
        const left = PROMISE_MS + NOISE_MS - (Date.now() - since);
        await expect(word).toHaveCount(gone + 1, { timeout: Math.max(left, 1) });
        measured(`agent ${name}, to Disconnected on the page`, Date.now() - since, 'ms');
      } finally {
        comeBack(rig);
      }
      await rig.connected();
    });
  }
});

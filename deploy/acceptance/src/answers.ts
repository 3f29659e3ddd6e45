import type { AcceptanceConfig } from './config.ts';
import { expectStatus, type Hub } from './hub.ts';
import type { Steps } from './steps.ts';

const DIAL = { connection: 'Upgrade', upgrade: 'warren-h2' };
const SOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'aW5zdGFsbGF0aW9uLXRlc3Q=',
};

/** Checks that everything answers: each service with its dependencies, the console, and the routes of agents and web services. */
export async function everythingAnswers(steps: Steps, hub: Hub, config: AcceptanceConfig): Promise<void> {
  for (const url of config.READY_URLS)
    await steps.check(`${new URL(url).host} is ready`, async () => expectStatus(await hub.at(url), 200));
  await steps.check('the console is served', async () => {
    const page = await hub.ask('/', 200);
    if (!/<script/.test(page.text)) throw new Error('the page has no script');
  });
  await steps.check('a request without a session is not signed in', () => hub.ask('/auth/saml/getsession', 401));
  await steps.check('the hub tells identity providers who it is', async () => {
    const { text } = await hub.ask('/auth/saml/metadata', 200);
    if (!text.includes(`${hub.origin}/auth/saml/acs`)) throw new Error('the metadata names another address');
  });
  for (const [who, url] of Object.entries({ gateway: config.GATEWAY_URL, tunnels: config.TUNNELS_URL })) {
    await steps.check(`agents without a key are refused, by ${who}`, async () =>
      expectStatus(await hub.at(`${url}/agent/connect`, { headers: DIAL }), 400, 401, 403),
    );
    await steps.check(`sockets without a token are refused, by ${who}`, async () =>
      expectStatus(await hub.at(`${url}/socketsio/?EIO=4&transport=websocket`, { headers: SOCKET }), 401),
    );
    await steps.check(`pages of devices have their own hosts, by ${who}`, async () => {
      const host = `nobody.${config.DEVICE_DOMAIN}`;
      expectStatus(await hub.at(`${url}/`, { host }), 302, 303, 307, 401, 403, 404);
    });
  }
}

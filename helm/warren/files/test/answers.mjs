// What `helm test` asks of a release, from inside the cluster: every service ready with all it depends on, the console, the way to sign in,
// the hub's metadata, and that agents and pages of devices reach who answers them. Exits 1 with what was wrong.
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const { RELEASE, HUB_HOST, DEVICE_DOMAIN, TIMEOUT_SECONDS } = process.env;
const deadline = Date.now() + Number(TIMEOUT_SECONDS) * 1000;

/** Asks as an ingress does: the public host name, and that the browser came by https. */
function ask(url, host = HUB_HOST, headers = {}) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host, 'x-forwarded-proto': 'https', ...headers }, timeout: 5000 });
    const take = (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += text.length < 65536 ? part : ''));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    };
    asked.on('response', take);
    asked.on('upgrade', (response, socket) => (socket.destroy(), take(response)));
    asked.on('timeout', () => asked.destroy(new Error('no answer in 5 s')));
    asked.on('error', reject);
    asked.end();
  });
}

async function expectStatus(answer, ...wanted) {
  const { status, text } = await answer;
  if (!wanted.includes(status))
    throw new Error(`expected ${wanted.join(' or ')}, got ${status}: ${text.slice(0, 300)}`);
  return text;
}

const gateway = `http://${RELEASE}-gateway`;
const tunnels = `http://${RELEASE}-tunnels`;
const dial = { connection: 'Upgrade', upgrade: 'warren-h2' };

const checks = {
  ...Object.fromEntries(
    ['gateway', 'identity', 'tenancy', 'devices', 'tunnels'].map((name) => [
      `${name} is ready`,
      () => expectStatus(ask(`http://${RELEASE}-${name}:9080/readyz`), 200),
    ]),
  ),
  'the console is served': async () => {
    const page = await expectStatus(ask(`${gateway}/`), 200);
    if (!/<script/.test(page)) throw new Error('the page has no script');
  },
  'nobody is signed in without a session': () => expectStatus(ask(`${gateway}/auth/saml/getsession`), 401),
  'the hub tells identity providers who it is': async () => {
    const metadata = await expectStatus(ask(`${gateway}/auth/saml/metadata`), 200);
    if (!metadata.includes(`https://${HUB_HOST}/auth/saml/acs`)) throw new Error('the metadata names another address');
  },
  'agents without a key are refused, by the gateway': () =>
    expectStatus(ask(`${gateway}/agent/connect`, HUB_HOST, dial), 400, 401, 403),
  'agents without a key are refused, by tunnels': () =>
    expectStatus(ask(`${tunnels}/agent/connect`, HUB_HOST, dial), 400, 401, 403),
  'pages of devices have their own hosts': () =>
    expectStatus(ask(`${gateway}/`, `nobody.${DEVICE_DOMAIN}`), 302, 303, 307, 401, 403, 404),
};

let failed = 0;
for (const [what, check] of Object.entries(checks)) {
  for (;;) {
    try {
      await check();
      console.log(`ok      ${what}`);
      break;
    } catch (error) {
      if (Date.now() < deadline) {
        await wait(1000);
        continue;
      }
      failed++;
      console.log(`not ok  ${what}: ${error.message}`);
      break;
    }
  }
}
process.exitCode = failed ? 1 : 0;

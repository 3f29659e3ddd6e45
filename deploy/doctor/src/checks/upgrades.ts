import { randomBytes } from 'node:crypto';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';
import { devicePage } from '../places.ts';
import { ask, codeOf, type Answer } from '../request.ts';

const { ok, warn, fail, skip } = findings('upgrade');

function headers(protocol: string): Record<string, string> {
  return {
    Connection: 'Upgrade',
    Upgrade: protocol,
    'Warren-Agent-Version': '0.0.0',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
}

/** A refusal by Warren, since the doctor has no token, proves that the ingress passed the request on. */
function judge(answer: Answer): 'arrived' | 'stripped' | 'unavailable' | 'foreign' {
  const code = codeOf(answer);
  if (code === 'upgrade_required') return 'stripped';
  if (code === 'unauthenticated' || code === 'invalid_argument') return 'arrived';
  return code === 'unavailable' ? 'unavailable' : 'foreign';
}

async function checkOne(url: URL, protocol: string, what: string): Promise<Finding & { arrived: boolean }> {
  const answer = await ask(url, headers(protocol)).catch((error: unknown) => reason(error));
  const where = `${what} (Upgrade: ${protocol})`;
  const result = (finding: Finding, arrived = false) => ({ ...finding, arrived });
  if (typeof answer === 'string') return result(fail(`${where}: ${answer}`, 'See whether the ingress leads there.'));
  switch (judge(answer)) {
    case 'arrived':
      return result(ok(`${where} gets through`), true);
    case 'stripped':
      return result(
        fail(
          `${where}: the ingress takes the Upgrade away`,
          'Pass the headers Connection and Upgrade on, as for any WebSocket.',
        ),
      );
    case 'unavailable':
      return result(
        fail(`${where}: no replica of tunnels takes it`, 'See whether tunnels runs, and its ADVERTISED_URL.'),
      );
    default:
      return result(fail(`${where}: ${answer.status} from something else`, 'See where the ingress leads this path.'));
  }
}

/** Checks sockets, links over both transports, and web services, through the ingress. */
export async function checkUpgrades(options: Options): Promise<Finding[]> {
  const agent = new URL('/agent/connect', options.HUB_URL);
  const [sockets, direct, fallback] = await Promise.all([
    checkOne(new URL('/socketsio/?EIO=4&transport=websocket', options.HUB_URL), 'websocket', 'browsers’ sockets'),
    checkOne(agent, 'warren-h2', 'agents’ links'),
    checkOne(agent, 'websocket', 'agents’ links'),
  ]);
  // Agents fall back to the other transport, so one is enough.
  const slower =
    !direct.arrived && fallback.arrived
      ? warn(direct.detail, 'Agents take a WebSocket instead, which costs more: pass Upgrade: warren-h2 on.')
      : direct;
  const page = devicePage(options);
  const pages = page ? await checkPage(page) : skip('pages of devices', 'Set DEVICE_DOMAIN.');
  return [sockets, slower, fallback, pages].map(({ check, status, detail, advice }) =>
    advice === undefined ? { check, status, detail } : { check, status, detail, advice },
  );
}

async function checkPage(page: URL): Promise<Finding> {
  const answer = await ask(page).catch((error: unknown) => reason(error));
  if (typeof answer === 'string')
    return fail(`pages of devices: ${answer}`, 'Lead the wildcard host to tunnels, or to the gateway.');
  if (codeOf(answer) === 'unauthenticated') return ok('pages of devices are asked for their cookie');
  return fail(
    `pages of devices: ${answer.status}, not as Warren answers`,
    'Lead the wildcard host to tunnels, or to the gateway, with its Host header, and give all services one DEVICE_DOMAIN.',
  );
}

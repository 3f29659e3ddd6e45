import pino from 'pino';
import { SignJWT } from 'jose';
import { loadConfig } from '../src/config.ts';
import { enrol } from '../src/enrol.ts';
import { HubClock } from '../src/link/clock.ts';
import { dial } from '../src/link/dial.ts';
import { LinkKeeper } from '../src/link/keeper.ts';
import { serveLink, type RequestHandler } from '../src/link/link.ts';
import { agentHandler } from '../src/link/service.ts';
import { Relays } from '../src/relay/relays.ts';
import { DEFAULT_LIMITS } from '../src/terminals/limits.ts';
import { TerminalRegistry } from '../src/terminals/registry.ts';
import { readEnrolment, type Enrolment } from '../src/state/enrolment.ts';
import { readKey, type DeviceKey } from '../src/state/key.ts';
import { journalOf } from '../src/system/journal/journal.ts';
import { loginShells } from '../src/system/login.ts';
import { rebootBy } from '../src/system/reboot.ts';
import { Updates } from '../src/update/updates.ts';

/** An agent with faults, each of which the conformance test has to find. Runs as a program. */
const log = pino({ level: 'silent' });

/** Lives too long, and its id is always the same. */
async function badToken(key: DeviceKey, device: Enrolment): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ instance: '0f6b3c1e-7f2c-4b53-9d0f-0a1b2c3d4e5f' })
    .setProtectedHeader({ alg: 'EdDSA', kid: device.device_id })
    .setSubject(device.device_id)
    .setAudience(device.audience)
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .setJti('always-the-same-one')
    .sign(key.private);
}

/** No terminal of the test has so much output. */
const FAR = 100_000_000;

/** Shows a terminal from its beginning, whatever the screen has drawn already. */
class Forgetful extends TerminalRegistry {
  override attach(...[id, as]: Parameters<TerminalRegistry['attach']>) {
    return super.attach(id, { ...as, offset: as.offset > FAR ? as.offset : 0 });
  }
}

/** Says yes to a connection to anywhere. */
function openHanded(handler: RequestHandler): RequestHandler {
  return (request, response) => {
    const away = request.method === 'CONNECT' && !/^(127\.|localhost)/.test(request.authority);
    if (away) response.stream.respond({ ':status': 200 }, { endStream: true });
    else handler(request, response);
  };
}

async function run(): Promise<void> {
  const config = loadConfig('run', {}, process.env);
  const [enrolment, key] = [await readEnrolment(config.state), await readKey(config.state)];
  if (!enrolment || !key) throw new Error('not enrolled');
  // More in flight than the window allows.
  const registry = new Forgetful(
    loginShells(undefined, undefined, config.home),
    { ...DEFAULT_LIMITS, window: 512 * 1024 },
    log,
  );
  const reboot = rebootBy(config.rebootCommand);
  const handler = agentHandler({
    registry,
    relays: new Relays(log),
    journal: journalOf(undefined),
    version: '1.2.3',
    log,
    // Hides the reason of the failure.
    reboot: () => reboot().catch(() => {}),
    rotateKey: async () => {},
    updates: new Updates(undefined),
  });
  const clock = new HubClock();
  const keeper = new LinkKeeper({
    dial: async (signal) => {
      const token = await badToken(key, enrolment);
      return dial({ hub: enrolment.hub, token, version: '1.2.3', clock, signal });
    },
    serve: (carrier) => serveLink(carrier, openHanded(handler)),
    onState: () => {},
    log,
  });
  // Leaves without a word.
  process.once('SIGTERM', () => process.exit(0));
  await keeper.run();
}

if (process.argv[2] === 'enrol') await enrol(loadConfig('enrol', {}, process.env), '1.2.3');
else await run();
process.exit(0);

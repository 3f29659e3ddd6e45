import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { randomBytes } from 'node:crypto';
import { findings, reason, type Finding } from '../finding.ts';
import type { Options } from '../options.ts';

const { ok, warn, fail, skip } = findings('nats');
const STREAM = 'WARREN_EVENTS';
const SERVICES = ['identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'];
const WAIT_MS = 4_000;
const INBOX = '_INBOX_doctor';

async function stream(connection: NatsConnection): Promise<Finding[]> {
  try {
    const manager = await jetstreamManager(connection, { timeout: WAIT_MS });
    const { config, cluster } = await manager.streams.info(STREAM);
    const copies = config.num_replicas;
    const kept = `${STREAM} is kept ${config.storage === 'file' ? 'on disk' : 'in memory'}, ${copies} ${copies === 1 ? 'copy' : 'copies'}`;
    if (config.storage !== 'file')
      return [fail(kept, 'Give JetStream a store on disk: events would be lost with the server.')];
    if (cluster?.replicas?.some(({ current }) => !current))
      return [warn(`${kept}, not all up to date`, 'See the servers of the cluster.')];
    return [ok(kept)];
  } catch (error) {
    const text = reason(error);
    if (/not found/i.test(text))
      return [fail(`there is no stream ${STREAM}`, 'Start the services: the first that publishes makes it.')];
    if (/permission/i.test(text))
      return [warn(`${STREAM}: ${text}`, 'Ask as a user that may look at streams, such as the devices service’s.')];
    return [fail(`JetStream: ${text}`, 'Start NATS with --jetstream and a --store_dir.')];
  }
}

/** Services answer on `$SRV.PING` (NATS micro protocol). */
async function services(connection: NatsConnection): Promise<Finding[]> {
  const answered = new Map<string, string>();
  const inbox = `${INBOX}.${randomBytes(8).toString('hex')}`;
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error) return;
      const { name, callers } = saidIn(message.string());
      if (name !== undefined) answered.set(name, callers);
    },
  });
  connection.publish('$SRV.PING', undefined, { reply: inbox });
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline && !SERVICES.every((name) => answered.has(name))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  subscription.unsubscribe();
  return SERVICES.map((name) => answer(name, answered.get(name)));
}

function answer(name: string, callers: string | undefined): Finding {
  if (callers === undefined)
    return fail(
      `${name} does not answer`,
      `See the log and /readyz of ${name}, and that its user may subscribe to $SRV.>.`,
    );
  if (callers === 'verified') return ok(`${name} answers, and verifies its callers`);
  return warn(
    `${name} answers calls without a signature`,
    'Give all services CALLER_KEY and CALLER_KEYS, then take UNSIGNED_CALLS away (docs/operations/upgrade-and-back-up.md).',
  );
}

/** The name in an answer: undefined for the server's own, empty without a responder; and how the service authenticates callers. */
function saidIn(text: string): { name?: string; callers: string } {
  try {
    const { name, metadata } = JSON.parse(text) as { name?: unknown; metadata?: { callers?: unknown } };
    const callers = typeof metadata?.callers === 'string' ? metadata.callers : '';
    return typeof name === 'string' ? { name, callers } : { callers };
  } catch {
    return { callers: '' };
  }
}

/** Checks that the doctor's user may not listen to calls. Otherwise the bus has no permissions by user. */
async function rights(connection: NatsConnection): Promise<Finding> {
  let refused = false;
  const subscription = connection.subscribe('warren.identity.v1.doctor', {
    callback: (error) => void (refused ||= !!error),
  });
  // The refusal arrives before the answer to a later PING.
  await connection.flush();
  await new Promise((resolve) => setImmediate(resolve));
  subscription.unsubscribe();
  return refused
    ? ok('users have their own rights')
    : warn(
        'a user may listen to calls that are not its own',
        'Include nats-accounts.conf and give each service its own user (docs/operations/credentials.md).',
      );
}

async function inspect(connection: NatsConnection): Promise<Finding[]> {
  const refused: string[] = [];
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && /permission/i.test(status.error.message)) refused.push(status.error.message);
    }
  })();
  const found = [...(await stream(connection)), ...(await services(connection))];
  const [first] = refused;
  if (first === undefined) return [...found, await rights(connection)];
  const asked = warn(
    first,
    'Ask as a user that may publish to $SRV.PING, $JS.API.INFO and $JS.API.STREAM.INFO.*, and subscribe to _INBOX_doctor.>.',
  );
  return [...found.filter(({ status }) => status !== 'fail'), asked];
}

function tlsOf(url: string, { NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile }: Options) {
  const files = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  return url.includes('tls://') || Object.keys(files).length > 0 ? { tls: files } : {};
}

/** Checks NATS: the connection, JetStream with the stream of events on disk, and every service. */
export async function checkBus(options: Options): Promise<Finding[]> {
  const { NATS_URL, NATS_USER: user, NATS_PASSWORD: pass } = options;
  if (!NATS_URL) return [skip('NATS', 'Set NATS_URL.')];
  let connection: NatsConnection;
  try {
    connection = await connect({
      // `tls` below enables TLS; the library accepts hosts only.
      servers: NATS_URL.split(',').map((server) => server.trim().replace(/^tls:/, 'nats:')),
      name: 'warren-doctor',
      inboxPrefix: INBOX,
      timeout: 5_000,
      maxReconnectAttempts: 0,
      ...(user ? { user } : {}),
      ...(pass ? { pass } : {}),
      ...tlsOf(NATS_URL, options),
    });
  } catch (error) {
    return [fail(reason(error), 'See whether NATS runs, and the address and credentials.')];
  }
  try {
    return await inspect(connection);
  } finally {
    await connection.close();
  }
}

import { Code, ConnectError, createConnectRouter } from '@connectrpc/connect';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { AgentService, type MetricsBatchSchema } from '@warren/proto/agent/v1/agent';
import { constants, type Http2ServerRequest } from 'node:http2';
import type { Logger } from 'pino';
import { logsService } from '../logs/service.ts';
import type { Sampler } from '../metrics/sampler.ts';
import type { DiskReader } from '../system/disks.ts';
import type { Relays } from '../relay/relays.ts';
import type { TerminalRegistry } from '../terminals/registry.ts';
import { changeTerminal } from '../terminals/change.ts';
import { listTerminals, pinOwners } from '../terminals/list.ts';
import { serveTerminal } from '../terminals/service.ts';
import type { Journal } from '../system/journal/journal.ts';
import type { Reboot } from '../system/reboot.ts';
import type { Updates } from '../update/updates.ts';
import { watchFacts, type FactsOf } from './facts.ts';
import type { RequestHandler } from './link.ts';

const INPUT_MAX = 1024 * 1024;
const END_INPUT_MS = 2_000;

/** The handlers of the hub's calls. */
export interface AgentParts {
  registry: TerminalRegistry;
  relays: Relays;
  reboot: Reboot;
  /** Makes a new key and registers it with the hub. Rejects with the reason of a failure. */
  rotateKey: () => Promise<void>;
  journal: Journal;
  updates: Updates;
  /** Undefined where metrics are off: the hub is given none. */
  sampler?: Pick<Sampler, 'take'> | undefined;
  version: string;
  name?: FactsOf['name'];
  disks?: DiskReader | undefined;
  log: Logger;
}

/** Serves the hub's requests inside the link: calls (Connect protocol) and connections (CONNECT). */
export function agentHandler({
  registry,
  relays,
  journal,
  reboot,
  rotateKey,
  updates,
  sampler,
  version,
  name,
  disks,
  log,
}: AgentParts): RequestHandler {
  const router = createConnectRouter({
    // Compression would delay a keystroke more than it saves, and cost the device CPU.
    acceptCompression: [],
    readMaxBytes: INPUT_MAX,
    grpc: false,
    grpcWeb: false,
  }).service(AgentService, {
    listTerminals: (request) => listTerminals(registry, request),
    changeTerminal: (request) => changeTerminal(registry, request),
    listPinOwners: () => ({ owners: pinOwners(registry) }),
    endTerminals: ({ userId, session, exceptUserIds, why }) => ({
      ended: registry.end({ ...(userId && { userId }), ...(session && { id: session }), exceptUserIds }, why),
    }),
    watchFacts: (_request, context) => watchFacts({ version, name, disks }, context.signal),
    offerUpdate: (request) => updates.offer(request),
    takeMetrics: (request) => oneBatch(sampler?.take(request)),
    reboot: ({ userEmail: user }) => perform('reboot the device', reboot, user, log),
    rotateKey: ({ userEmail: user }) => perform('change the key', rotateKey, user, log),
    ...logsService(journal, log),
  });
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request, response) => {
    if (request.method === 'CONNECT') {
      const { 'warren-user': user } = request.headers;
      return relays.serve(response.stream, request.authority, typeof user === 'string' ? user : '');
    }
    if (serveTerminal(registry, log, request, response)) return;
    const handler = handlers.get(request.url);
    if (!handler) return void response.writeHead(404).end();
    response.stream.once('finish', () => endInput(request));
    void handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
      .then((answer) => universalResponseToNodeResponse(answer, response))
      // Browsers and hubs leave by breaking a stream during a write.
      .catch((error: unknown) =>
        log.debug({ call: handler.method.name, code: Code[ConnectError.from(error).code] }, 'call broke off'),
      );
  };
}

/** @throws ConnectError without samples to give, now and later */
async function* oneBatch(batch: MessageInitShape<typeof MetricsBatchSchema> | undefined) {
  if (!batch) throw new ConnectError('metrics are off on this device', Code.Unimplemented);
  yield batch;
}

/** Runs a person's request and logs it; the person gets the reason of a failure. */
async function perform(
  what: string,
  work: () => Promise<void>,
  user: string,
  log: Logger,
): Promise<Record<string, never>> {
  log.warn({ user }, `asked to ${what}`);
  try {
    await work();
    return {};
  } catch (error) {
    log.error({ err: error }, `could not ${what}`);
    throw new ConnectError(error instanceof Error ? error.message : String(error), Code.FailedPrecondition);
  }
}

/**
 * Stops the input of a finished call. If the hub does not end its side in time, it is reset (RFC 9113, section 8.1);
 * otherwise the stream would stay open as long as the link.
 */
function endInput({ stream }: Http2ServerRequest): void {
  const late = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), END_INPUT_MS);
  late.unref();
  stream.once('close', () => clearTimeout(late));
}

import { Code, ConnectError, createConnectRouter } from '@connectrpc/connect';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import { AgentService } from '@warren/proto/agent/v1/agent';
import { constants, type Http2ServerRequest } from 'node:http2';
import type { Logger } from 'pino';
import { logsService } from '../logs/service.ts';
import type { Relays } from '../relay/relays.ts';
import type { SessionRegistry } from '../sessions/registry.ts';
import { listTerminals } from '../sessions/list.ts';
import { serveTerminal } from '../sessions/terminal.ts';
import type { Journal } from '../system/journal/journal.ts';
import type { Reboot } from '../system/reboot.ts';
import type { Updates } from '../update/updates.ts';
import { watchFacts, type FactsOf } from './facts.ts';
import type { RequestHandler } from './link.ts';

const INPUT_MAX = 1024 * 1024;
const END_INPUT_MS = 2_000;

/** What answers the hub's calls. */
export interface AgentParts {
  registry: SessionRegistry;
  relays: Relays;
  reboot: Reboot;
  /** Makes a new key and has the hub take it. Rejects with the reason when it does not. */
  rotateKey: () => Promise<void>;
  journal: Journal;
  updates: Updates;
  version: string;
  name?: FactsOf['name'];
  log: Logger;
}

/** Answers what the hub asks of this device inside the link: calls (Connect protocol) and connections (CONNECT). */
export function agentHandler({
  registry,
  relays,
  journal,
  reboot,
  rotateKey,
  updates,
  version,
  name,
  log,
}: AgentParts): RequestHandler {
  const router = createConnectRouter({
    // Compression would cost a keystroke more than it saves, and a device its processor.
    acceptCompression: [],
    readMaxBytes: INPUT_MAX,
    grpc: false,
    grpcWeb: false,
  }).service(AgentService, {
    listTerminals: ({ userId }) => listTerminals(registry, userId),
    endTerminals: ({ userId, session, exceptUserIds, why }) => ({
      ended: registry.end({ ...(userId && { userId }), ...(session && { id: session }), exceptUserIds }, why),
    }),
    watchFacts: (_request, context) => watchFacts({ version, name }, context.signal),
    offerUpdate: (request) => updates.offer(request),
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
      // A stream that breaks while it is written to is how browsers and hubs leave.
      .catch((error: unknown) =>
        log.debug({ call: handler.method.name, code: Code[ConnectError.from(error).code] }, 'call broke off'),
      );
  };
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
 * A call that is over takes no more input. A hub that does not end its own side in time has it ended (RFC 9113, section 8.1);
 * otherwise the stream would stay open as long as the link.
 */
function endInput({ stream }: Http2ServerRequest): void {
  const late = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), END_INPUT_MS);
  late.unref();
  stream.once('close', () => clearTimeout(late));
}

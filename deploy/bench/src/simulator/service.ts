import { create, toBinary } from '@bufbuild/protobuf';
import type { RequestHandler } from '@warren/agent/link/link';
import { DEFAULT_LIMITS } from '@warren/agent/terminals/limits';
import { TerminalRegistry } from '@warren/agent/terminals/registry';
import { serveTerminal } from '@warren/agent/terminals/service';
import { AgentService, FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { envelope } from '@warren/proto/envelope';
import type { ServerHttp2Stream } from 'node:http2';
import pino from 'pino';
import { SimulatedShell } from './shell.ts';
import { serveUsage } from './usage.ts';

const GIGABYTE = 1n << 30n;
/** Five times as often as a real agent whose figures hardly change: some of a fleet are busy. */
const FACTS_MS = 60_000;

/** What a device says of itself; `turn` makes the figures move a little. */
export function factsOf(name: string, turn: number): Facts {
  return create(FactsSchema, {
    hostname: name,
    privateIp: '10.0.0.2',
    os: 'Debian GNU/Linux 12',
    kernel: '6.6.31',
    arch: 'arm64',
    model: 'Simulated device',
    agentVersion: '0.1.0',
    cpuCores: 4,
    cpuUsage: (turn * 7) % 100,
    totalRam: 4n * GIGABYTE,
    usedRam: GIGABYTE,
    totalDisk: 32n * GIGABYTE,
    usedDisk: 8n * GIGABYTE,
    uptimeSeconds: BigInt(turn * (FACTS_MS / 1_000)),
  });
}

const WATCH_FACTS = `/${AgentService.typeName}/${AgentService.method.watchFacts.name}`;
const TAKE_METRICS = `/${AgentService.typeName}/${AgentService.method.takeMetrics.name}`;

/** The call by hand (Connect protocol, streaming RPCs): Connect's own server takes several times as long, and all agents share one processor. */
function serveFacts(stream: ServerHttp2Stream): void {
  let turn = 0;
  const tell = () => void stream.write(envelope(0, toBinary(FactsSchema, factsOf('simulated', turn++))));
  const timer = setInterval(tell, FACTS_MS).unref();
  stream.on('error', () => {});
  stream.once('close', () => clearInterval(timer));
  stream.respond({ ':status': 200, 'content-type': 'application/connect+proto' });
  stream.resume();
  tell();
}

/**
 * Answers the hub for all agents of the fleet: facts, and terminals without a shell.
 * @param usage whether they have samples of their usage, which benches that measure something else leave out
 */
export function simulatedService(usage = false): RequestHandler {
  const log = pino({ level: 'silent' });
  const limits = { ...DEFAULT_LIMITS, terminals: Number.MAX_SAFE_INTEGER };
  const registry = new TerminalRegistry(() => new SimulatedShell(), limits, log);
  return (request, response) => {
    if (request.url === WATCH_FACTS) return serveFacts(response.stream);
    if (usage && request.url === TAKE_METRICS) return void serveUsage(response.stream);
    if (!serveTerminal(registry, log, request, response)) response.writeHead(404).end();
  };
}

import { create } from '@bufbuild/protobuf';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { RequestHandler } from '@warren/agent/link/link';
import { DEFAULT_LIMITS } from '@warren/agent/sessions/limits';
import { SessionRegistry } from '@warren/agent/sessions/registry';
import { serveTerminal } from '@warren/agent/sessions/terminal';
import { AgentService, FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { SimulatedShell } from './shell.ts';

const GIGABYTE = 1n << 30n;
/** As often as a real agent whose figures hardly change. */
const FACTS_MS = 60_000;

/** What a device says of itself; `turn` makes the figures move a little. */
function factsOf(name: string, turn: number): Facts {
  return create(FactsSchema, {
    ...{ hostname: name, privateIp: '10.0.0.2', os: 'Debian GNU/Linux 12', kernel: '6.6.31', arch: 'arm64' },
    ...{ model: 'Simulated device', agentVersion: '0.1.0', cpuCores: 4, cpuUsage: (turn * 7) % 100 },
    ...{ totalRam: 4n * GIGABYTE, usedRam: GIGABYTE, totalDisk: 32n * GIGABYTE, usedDisk: 8n * GIGABYTE },
    uptimeSeconds: BigInt(turn * (FACTS_MS / 1_000)),
  });
}

async function* watchFacts(signal: AbortSignal): AsyncGenerator<Facts> {
  for (let turn = 0; !signal.aborted; turn++) {
    yield factsOf('simulated', turn);
    await sleep(FACTS_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Answers the hub for all agents of the fleet: facts, and terminals with shells that are none. */
export function simulatedService(): RequestHandler {
  const log = pino({ level: 'silent' });
  const limits = { ...DEFAULT_LIMITS, sessions: Number.MAX_SAFE_INTEGER };
  const registry = new SessionRegistry(() => new SimulatedShell(), limits, log);
  const others = connectNodeAdapter({
    acceptCompression: [],
    grpc: false,
    grpcWeb: false,
    routes: (router) => router.service(AgentService, { watchFacts: (_request, context) => watchFacts(context.signal) }),
  });
  return (request, response) => serveTerminal(registry, log, request, response) || others(request, response);
}

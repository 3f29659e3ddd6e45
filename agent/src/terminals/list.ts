import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListTerminalsRequest,
  PinOwnerSchema,
  TerminalCapacitySchema,
  TerminalInfoSchema,
} from '@warren/proto/agent/v1/agent';
import { foregroundOf } from '../system/processes.ts';
import type { TerminalLimits } from './limits.ts';
import type { TerminalRegistry } from './registry.ts';
import type { Terminal } from './terminal.ts';
import { unpinnable } from './unpinnable.ts';

type Info = MessageInitShape<typeof TerminalInfoSchema>;

/** One person's terminals, and what the device allows. */
interface Listed {
  terminals: Info[];
  capacity: MessageInitShape<typeof TerminalCapacitySchema>;
}

/**
 * Lists one person's terminals on this device. A program that has ended is listed until its last output has been seen. Pins that are longer
 * than asked for are shortened first.
 */
export async function listTerminals(
  registry: TerminalRegistry,
  { userId, pinLimitS }: Pick<ListTerminalsRequest, 'userId' | 'pinLimitS'>,
): Promise<Listed> {
  if (pinLimitS !== undefined) registry.boundPins(userId, pinLimitS * 1000);
  const { limits, keeps } = registry;
  const capacity = {
    terminals: limits.terminals,
    pinned: limits.pinned,
    pinS: Math.floor(limits.longestPin / 1000),
    memory: BigInt(limits.terminals * memoryOf(limits.replay, keeps)),
  };
  return { terminals: await Promise.all(registry.list({ userId }).map((one) => infoOf(one, limits))), capacity };
}

export async function infoOf(terminal: Terminal, { replay }: TerminalLimits): Promise<Info> {
  const { id, startedAt, usedAt, attached, size, exit, pid, counts, name, timeout, ring, keeper } = terminal;
  const command = exit ? '' : await foregroundOf(pid);
  const { pin, left } = timeout;
  return {
    session: id,
    startedAt: BigInt(startedAt),
    usedAt: BigInt(usedAt),
    attached,
    size,
    command,
    ...counts,
    name,
    pinS: Math.ceil(pin / 1000),
    unpinnable: unpinnable(terminal),
    ...(left !== undefined && { leftS: Math.ceil(left / 1000) }),
    memory: BigInt(memoryOf(ring.allocated, keeper !== undefined)),
    memoryLimit: BigInt(memoryOf(replay, keeper !== undefined)),
  };
}

/** Lists the people who have pinned terminals. */
export function pinOwners(registry: TerminalRegistry): MessageInitShape<typeof PinOwnerSchema>[] {
  const pinned = registry.list({}).filter(({ timeout }) => timeout.pin > 0);
  return [...new Map(pinned.map(({ userId, userEmail }) => [userId, { userId, userEmail }])).values()];
}

/** A keeper has the same output once more. */
const memoryOf = (bytes: number, isKept: boolean) => (isKept ? 2 * bytes : bytes);

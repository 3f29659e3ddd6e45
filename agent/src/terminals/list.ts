import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TerminalInfoSchema } from '@warren/proto/agent/v1/agent';
import { foregroundOf } from '../system/processes.ts';
import type { TerminalRegistry } from './registry.ts';
import type { Terminal } from './terminal.ts';

type Info = MessageInitShape<typeof TerminalInfoSchema>;

/** Lists one person's terminals on this device. A program that has ended is listed until its last output has been seen. */
export async function listTerminals(registry: TerminalRegistry, userId: string): Promise<{ terminals: Info[] }> {
  return { terminals: await Promise.all(registry.list({ userId }).map(infoOf)) };
}

async function infoOf(terminal: Terminal): Promise<Info> {
  const { id, startedAt, usedAt, attached, size, exit, pid, counts } = terminal;
  const command = exit ? '' : await foregroundOf(pid);
  return { session: id, startedAt: BigInt(startedAt), usedAt: BigInt(usedAt), attached, size, command, ...counts };
}

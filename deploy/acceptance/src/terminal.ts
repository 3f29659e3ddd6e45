import { randomUUID } from 'node:crypto';
import type { SocketToken } from '@warren/bench/hub';
import { openTerminal } from '@warren/bench/targets/warren';
import { untilOutput } from '@warren/bench/terminal';
import type { Hub } from './hub.ts';

const LINES = 1_000;

/**
 * Opens a terminal like the console, and checks the echo of input and the complete output of a command.
 * @param at address that an ingress routes its socket to
 */
export async function useTerminal(hub: Hub, at: string, device: string): Promise<void> {
  const token = await hub.json<SocketToken>(`/api/get-socket-token/${device}?purpose=terminal`);
  const terminal = await openTerminal({ url: at, device, headers: { ...hub.forwarded, origin: hub.origin } }, token);
  try {
    const marker = randomUUID();
    await untilOutput(terminal, marker, () => terminal.write(marker));
    let text = '';
    const undo = terminal.onOutput((bytes) => (text += Buffer.from(bytes).toString('latin1')));
    const last = String(LINES).padStart(8, '0');
    await untilOutput(terminal, last, () => terminal.write(`\rcount ${LINES}\r`));
    undo();
    const lines = text.match(/^\d{8}\r?$/gm) ?? [];
    if (lines.length !== LINES || lines.some((line, at) => Number(line) !== at + 1))
      throw new Error(`expected ${LINES} numbered lines, got ${lines.length}`);
  } finally {
    await terminal.close();
  }
}

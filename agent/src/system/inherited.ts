import { closeSync, readdirSync, readFileSync } from 'node:fs';

const STDERR = 2;
/** Of open(2), as Linux has it on each processor that the agent runs on. */
const O_CLOEXEC = 0o2000000;

/**
 * Closes open file descriptors inherited from the parent process, except the standard streams. Nothing here uses them, each terminal
 * would have to be kept from them, and a high number among them slows the start of each terminal (see pty.ts). Descriptors that Node
 * opens itself, and those below the first free number from 16 on, are close-on-exec already and stay open. Call it before anything else.
 */
export function closeInherited(): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) if (fd > STDERR && passesOn(fd)) closeSync(fd);
}

function passesOn(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // That of the listing itself, which is closed by now.
    return false;
  }
}

import { closeSync, readdirSync, readFileSync } from 'node:fs';

const STDERR = 2;
/** Of open(2), as Linux has it on each processor that the agent runs on. */
const O_CLOEXEC = 0o2000000;

/**
 * Closes what whoever started this process had left open and its programs would inherit, but for the standard streams. Nothing here uses it, each
 * terminal would have to be kept from it, and one high number among them makes the start of each terminal slow (see pty.ts). What Node opens
 * itself, and what it finds below the first free number from 16 on, it keeps from programs; that stays open. To be called before anything else is.
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

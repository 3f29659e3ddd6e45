import { TerminalRefusal } from '@warren/proto/agent/v1/agent';

/** A terminal that can't be opened; the message is for the person, the code for the program in between. */
export class TerminalRefused extends Error {
  override name = 'TerminalRefused';
  readonly code: TerminalRefusal;

  constructor(message: string, code = TerminalRefusal.UNSPECIFIED) {
    super(message);
    this.code = code;
  }
}

/** Exit codes after sysexits(3), so that scripts and systemd can react to them. */
export const EXIT = {
  /** A failure for any other reason. */
  failed: 1,
  /** The command line is wrong. */
  usage: 64,
  /** A file of the agent is damaged, or a download differs from what was signed. */
  damaged: 65,
  /** The hub is unreachable. */
  unavailable: 69,
  /** The device lacks something that the agent needs. */
  unfit: 71,
  /** A file can't be written. */
  cannotWrite: 73,
  /** The clock of this device is wrong; a later attempt may succeed. */
  clock: 75,
  /** No permission, or a refusal of the hub: an invalid token, an unknown device. */
  refused: 77,
  /** The device is not enrolled, or enrolled elsewhere. */
  config: 78,
} as const;

/** An error that the person at the command line can fix; shown as one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
  /** The exit code. */
  readonly exit: number;

  constructor(message: string, exit: number = EXIT.failed) {
    super(message);
    this.exit = exit;
  }
}

const CANNOT_WRITE: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  EROFS: 'the file system is read-only',
};

/** A message for a file system error, with its exit code. Undefined for any other error. */
export function fileError(error: unknown): UserError | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = CANNOT_WRITE[code];
  if (reason !== undefined) return new UserError(`can't write ${path ?? 'to the disk'}: ${reason}`, EXIT.cannotWrite);
  if (path === undefined || !['EACCES', 'EPERM'].includes(code)) return undefined;
  return new UserError(`no permission for ${path}: run it with sudo`, EXIT.refused);
}

import { TerminalRefusal } from '@warren/proto/agent/v1/agent';

/** A terminal that can't be had; the message is shown to the person who asked, the code is for the program in between. */
export class SessionRefused extends Error {
  override name = 'SessionRefused';
  readonly code: TerminalRefusal;

  constructor(message: string, code = TerminalRefusal.UNSPECIFIED) {
    super(message);
    this.code = code;
  }
}

/** How a command ends, after sysexits(3), so that scripts and systemd can tell what to do about it. */
export const EXIT = {
  /** It did not work, for no reason of this list. */
  failed: 1,
  /** The command itself is wrong. */
  usage: 64,
  /** A file of the agent is damaged, or something downloaded is not what was signed. */
  damaged: 65,
  /** The hub can't be reached. */
  unavailable: 69,
  /** The device lacks something that the agent needs. */
  unfit: 71,
  /** What is to be stored can't be written. */
  cannotWrite: 73,
  /** The clock of this device is wrong; it may be right later. */
  clock: 75,
  /** No permission; or the hub refuses: a token that is not good, a device that it does not know. */
  refused: 77,
  /** The device is not enrolled, or enrolled elsewhere. */
  config: 78,
} as const;

/** Something that the person at the command line can put right; shown as one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
  /** What the command ends with. */
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

/** An error of the file system in words, with its exit code. Undefined for an error that is none, or of another kind. */
export function fileError(error: unknown): UserError | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = CANNOT_WRITE[code];
  if (reason !== undefined) return new UserError(`can't write ${path ?? 'to the disk'}: ${reason}`, EXIT.cannotWrite);
  if (path === undefined || !['EACCES', 'EPERM'].includes(code)) return undefined;
  return new UserError(`no permission for ${path}: run it with sudo`, EXIT.refused);
}

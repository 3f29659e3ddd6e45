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

/** Something that the person at the command line can put right; shown as one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

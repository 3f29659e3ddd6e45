/** A terminal that can't be had; the message is shown to the person who asked. */
export class SessionRefused extends Error {
  override name = 'SessionRefused';
}

/** Something that the person at the command line can put right; shown as one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

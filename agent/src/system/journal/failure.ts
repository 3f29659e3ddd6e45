/** The journal can't be read; the message is one line for the person. */
export class JournalFailed extends Error {
  override name = 'JournalFailed';
}

/** No file of the journal exists (yet). */
export class NoJournal extends JournalFailed {
  override name = 'NoJournal';
}

const REASON_MAX = 200;
const NO_RIGHT = "the agent may not read the journal: its user is not in the group 'systemd-journal'";

/** The program's exit. */
export interface Ended {
  /** Undefined when it did not start. */
  code: number | null | undefined;
  error?: NodeJS.ErrnoException;
  stderr: string;
}

/** The reason for a failed read, from the output of `journalctl`. */
export function failureOf({ code, error, stderr }: Ended): JournalFailed {
  if (error?.code === 'ENOENT') return new JournalFailed('this device has no journalctl, and so no journal of systemd');
  if (error) return new JournalFailed(`journalctl could not be started: ${error.message}`);
  if (/insufficient permissions|Permission denied/i.test(stderr)) return new JournalFailed(NO_RIGHT);
  if (stderr.includes('No journal files were found')) return new NoJournal('this device keeps no journal');
  const line = stderr.trim().split('\n').at(-1)?.trim().slice(0, REASON_MAX);
  return new JournalFailed(line || `journalctl ended (${code ?? 'killed'})`);
}

/** The reason for an incomplete journal, in words for people; empty if it is complete. */
export function noticeOf(stderr: string): string {
  if (!stderr.includes('not seeing messages from other users')) return '';
  return "Only messages of the agent's own user are shown: it is not in the group 'systemd-journal'.";
}

import type { TerminalRecording } from '../../sockets/terminal/types.ts';

/** The mark of a recorded terminal. */
export const recorded = {
  states: {
    recording: 'Recorded',
    waiting: 'Recording interrupted: output waits',
    interrupted: 'Recording interrupted',
    unsupported: 'Not recorded',
  } satisfies Record<TerminalRecording['state'], string>,
  about: {
    best_effort: 'The account of this device records terminals.',
    required: 'The account of this device requires that terminals are recorded.',
  },
  kept: 'What the screen shows is kept, with who was in the terminal. What you type is kept only where it is shown. Owners and admins of the account can play it; each view is in the audit trail.',
  waits: 'The program waits, and nothing is lost. Output continues as soon as it can be stored.',
  missing: 'What is shown now may be missing in the recording.',
  own: 'Recordings of your sessions',
};

import type { SessionRecording } from '../../sockets/recording.ts';

/** The mark of a recorded session. */
export const recorded = {
  states: {
    recording: 'Recorded',
    waiting: 'Recording interrupted: output waits',
    interrupted: 'Recording interrupted',
    unsupported: 'Not recorded',
    stopped: 'Recording ended',
  } satisfies Record<SessionRecording['state'], string>,
  about: {
    terminal: {
      best_effort: 'The account of this device records terminals.',
      required: 'The account of this device requires that terminals are recorded.',
    },
    desktop: {
      best_effort: 'The account of this device records desktops.',
      required: 'The account of this device requires that desktops are recorded.',
    },
  },
  kept: {
    terminal:
      'What the screen shows is kept, with who was in the terminal. What you type is kept only where it is shown. Owners and admins of the account can play it; each view is in the audit trail.',
    desktop:
      'What the VNC server sends is kept: the screen, and texts that are copied on the device. Your keys and clicks are not. Owners and admins of the account can play it; each view is in the audit trail.',
  },
  waits: {
    terminal: 'The program waits, and nothing is lost. Output continues as soon as it can be stored.',
    desktop: 'The picture stands still, and nothing is lost. It continues as soon as it can be stored.',
  },
  stopped: 'What is shown from now on is not recorded.',
  missing: 'What is shown now may be missing in the recording.',
  own: 'Recordings of your sessions',
};

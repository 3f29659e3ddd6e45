/** Texts of the sessions on a device page. */
export const deviceSessions = {
  title: 'Recent sessions',
  failed: 'The sessions could not be loaded.',
  none: 'No recent sessions',
  kinds: { terminal: 'Terminal', desktop: 'Desktop', web_service: 'Web service' },
  open: 'open now',
  guest: (name: string) => `${name} (guest)`,
  recording: 'Recording',
  trail: 'All events of this device',
} as const;

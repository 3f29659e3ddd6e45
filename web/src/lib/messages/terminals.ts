/** The texts of terminals that outlive their connections; a part of the one catalogue. */
export const terminals = {
  away: (tries: number, seconds: number) =>
    `Reconnecting${tries > 1 ? `, try ${tries}` : ''}${seconds > 0 ? `, ${seconds} s` : ''}`,
  back: 'Back, nothing lost',
  unsure: (bytes: string) =>
    `It is not known whether the last ${bytes} that you typed arrived. They were not sent again.`,
  full: 'The program does not read what is typed. Nothing more is taken until it does.',
  takenOver: 'This terminal was opened in another window.',
  limitHint: 'To make room, end one under “Your terminals” in the bar above.',
  localEcho: 'Local echo',
  localEchoModes: { auto: 'Automatic', always: 'Always', never: 'Never' },
  localEchoHelp:
    'Shows typed characters before the device confirms them. Automatic: when a round trip takes longer than 60 ms.',
  localEchoActive: 'Local echo: underlined characters wait for the device.',
  title: 'Your terminals',
  lead: 'Detached terminals keep running for ten minutes.',
  failed: 'The terminals could not be listed.',
  none: 'You have no terminal open on this device.',
  here: 'In this window',
  elsewhere: 'Open in another window',
  waiting: 'Detached',
  unknown: 'Shell',
  about: (started: string, used: string, cols: number, rows: number) =>
    `Started ${started} · last used ${used} · ${cols}×${rows}`,
  open: 'Return',
  takeOver: 'Take over',
  end: 'End',
  endQuestion: 'End it, and what runs in it?',
  endConfirm: 'End terminal',
  keep: 'Keep',
  endFailed: 'The terminal could not be ended',
  another: 'New terminal',
};

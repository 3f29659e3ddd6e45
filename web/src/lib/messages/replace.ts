/** The texts of a device that gets the place of an older entry; a part of the one catalogue. */
export const replace = {
  notice: (old: string) => `${old} has the same serial and is not connected. Was it reinstalled?`,
  action: (old: string) => `Replace ${old}`,
  title: 'Replace device',
  lead: (old: string) => `This device takes the place of ${old}, which keeps its name, address, account and settings.`,
  losses: [
    'the new entry is gone',
    'the previous key of the device stops working',
    'open terminals of the new entry end',
  ],
  note: 'The device dials again at once. There is no way back.',
  confirm: 'Replace',
  done: 'Your request successfully done',
  detail: (old: string) => `This device is ${old} again.`,
  hardware: {
    action: 'Replace hardware',
    title: 'Replace hardware',
    lead: (name: string) => `${name} moves to new hardware and keeps its name, address, account, settings and history.`,
    losses: (serial: string) => [
      `the key of the old hardware (serial ${serial}) is void`,
      'the separate entry of the new hardware is removed',
      'terminals open on the new hardware end',
    ],
    label: 'New hardware',
    none: 'No device enrolled later than this one matches. Enrol the new hardware first.',
    detail: (name: string, serial: string) => `${name} runs on the hardware with serial ${serial} now.`,
  },
};

/** The texts of a device that was set up anew; a part of the one catalogue. */
export const replace = {
  notice: (old: string) => `${old} has the same serial and is not connected. Was it set up anew?`,
  action: (old: string) => `Replace ${old}`,
  title: 'Replace device',
  lead: (old: string) => `This device takes the place of ${old}, which keeps its name, address, account and settings.`,
  losses: [
    'the new entry is gone',
    'the key that the device had before opens nothing any more',
    'open terminals of the new entry end',
  ],
  note: 'The device dials again at once. There is no way back.',
  confirm: 'Replace',
  done: 'Your request successfully done',
  detail: (old: string) => `This device is ${old} again.`,
};

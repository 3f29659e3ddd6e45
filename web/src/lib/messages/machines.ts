/** The texts of machines that use the identity of a device; a part of the one catalogue. */
export const machines = {
  short: 'Decide',
  shortHelp: 'Another machine uses the identity of this device and waits for a decision. Open the device to decide.',
  noticeTwo: "Two machines use this device's identity.",
  noticeOne: "Other hardware uses this device's identity.",
  decide: 'Decide',
  titleTwo: "Two machines use this device's identity",
  titleOne: "Other hardware uses this device's identity",
  askTwo: (name: string) => `Which one is ${name}? The other becomes a separate device.`,
  askOne: (name: string) => `Did ${name} move to this hardware, or is it a copy?`,
  others: 'SuperAdmins and the owner of the account decide. Until then it is not let in.',
  registered: 'Registered',
  waiting: 'Waiting',
  serial: 'Serial',
  model: 'Model',
  address: 'Address',
  seen: 'Last seen',
  connected: 'Connected now',
  separates: (serial: string) => `The machine with serial ${serial} becomes a separate device when it dials next.`,
  replace: {
    action: 'Replace the hardware',
    lead: (name: string, serial: string) =>
      `${name} is the machine with serial ${serial} from now on. It keeps its name, address, account, settings and history.`,
    lossesTwo: [
      'the machine that is connected now is cut off',
      'terminals open on it end',
      'it becomes a separate device',
    ],
    lossesOne: (serial: string) => [`the machine with serial ${serial} is refused from then on`],
    note: 'The waiting machine connects within five minutes.',
    confirm: 'Replace',
    detail: (name: string, serial: string) => `${name} is the machine with serial ${serial} now.`,
  },
  separate: {
    action: 'Make it a separate device',
    title: 'Make a separate device',
    lead: (serial: string, account: string) =>
      `The machine with serial ${serial} becomes a separate device of ${account}, with a new key.`,
    note: (name: string) =>
      `It enrols when it dials next, within five minutes; the decision is good for 24 hours. ${name} stays as it is and then changes its key.`,
    confirm: 'Separate',
    detail: (serial: string) => `The machine with serial ${serial} becomes a separate device.`,
  },
} as const;

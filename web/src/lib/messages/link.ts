/** The texts of a device's link; a part of the one catalogue. */
export const link = {
  cloned: 'Two machines use this identity',
  clonedHelp:
    'A second machine dials with the key of this device and is refused. Remove its state folder and enrol it again.',
  clonedShort: 'Copied',
  roundTrip: 'Round trip',
  milliseconds: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`,
};

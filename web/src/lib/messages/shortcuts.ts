/** The texts of the list of keys; a part of the one catalogue. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  palette: 'Search everything',
  search: 'Search on this page',
  help: 'Show these shortcuts',
  go: (page: string) => `Go to ${page}`,
  leaveTerminal: 'Leave the terminal',
  singleKeys: 'Single-key shortcuts',
  singleKeysNote: 'Switches /, ? and g with a letter on or off in this browser. Keys with Ctrl always work.',
  findInTerminal: 'Find in the terminal',
  newTerminal: 'New terminal on a device’s page',
  splitRight: 'Split the terminal to the right',
  splitBelow: 'Split the terminal below',
  otherPane: 'Go to the other pane',
  nextView: 'Next view of the device',
  previousView: 'Previous view of the device',
} as const;

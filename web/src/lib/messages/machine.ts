/** The texts of what a device measures of itself; a part of the one catalogue. */
export const machine = {
  fullestDisk: 'Fullest disk',
  onMount: (mount: string, usage: string) => `${mount}, ${usage}`,
  load: 'Load',
  clock: 'Clock',
  inSync: 'In sync',
  ahead: (span: string) => `${span} ahead`,
  behind: (span: string) => `${span} behind`,
} as const;

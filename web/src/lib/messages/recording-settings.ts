import { number } from '../numbers.ts';

/** Texts of the settings of session recording. */
export const recordingSettings = {
  title: 'Session recording',
  heading: (account: string) => `Session recording of ${account}`,
  failed: 'The settings could not be loaded.',
  privacy:
    'A recording keeps all that a session shows, which may include secrets and personal data. What people type is kept only where it is shown. Everybody sees that their session is recorded. Owners and admins of the account can play recordings, and each view is an event of the audit trail.',
  readOnly: 'Owners of the account change these settings.',
  policy: 'Recording',
  policies: {
    off: { label: 'Off', hint: 'Nothing is recorded.' },
    best_effort: {
      label: 'Best effort',
      hint: 'Sessions never wait for the recorder. Output that it missed is marked as a gap.',
    },
    required: {
      label: 'Required',
      hint: 'Without a recorder no new session opens, and output waits until it is stored.',
    },
  },
  sessions:
    'A change applies to new sessions. An open one follows a stricter choice once somebody joins or reconnects.',
  desktops: 'Record desktops too',
  desktopsHint:
    'A recording has what the VNC server sends, with texts that are copied on the device, and no keys. It takes far more space than that of a terminal.',
  devices: 'Devices',
  devicesHint: 'Sessions on these devices are recorded. Empty: on all.',
  keeping: 'Retention',
  days: 'Retention in days',
  daysHint: (usual: number) => `Empty: the default of the hub, ${number(usual)}.`,
  shorter: (days: number) => `Recordings older than ${number(days)} ${days === 1 ? 'day' : 'days'} are deleted.`,
  quota: 'Quota in GiB',
  quotaHint: (usual: string) => `Empty: the default of the hub, ${usual}.`,
  quotaWrong: 'Enter a number from 0.0625 to 1,048,576.',
  used: (used: string, quota: string, count: number) =>
    `${number(count)} ${count === 1 ? 'recording takes' : 'recordings take'} ${used} of ${quota}.`,
  full: 'When the quota is used up',
  fulls: {
    drop_oldest: 'Delete the oldest recordings that are not on legal hold',
    refuse: 'Record nothing more; where recording is required, no session opens',
  },
  text: 'Text',
  search: 'Keep the text for searches',
  searchHint: 'Without it, recordings can be played but not searched.',
  redactions: 'Redaction rules',
  redactionsHint:
    'One regular expression (RE2) per line. What they match is masked in searches and exports. The player shows the screen as it was.',
  redactionsPlaceholder: String.raw`(?i)password\s*[:=]\s*\S+`,
  tooMany: (most: number) => `Enter at most ${number(most)} rules.`,
  tooLong: (line: number, most: number) => `Line ${number(line)} is longer than ${number(most)} characters.`,
  wrongRule: (rule: number, why: string) => `Rule ${number(rule)} is no regular expression of RE2: ${why}`,
  sample: 'Try the rules',
  samplePlaceholder: 'Paste a line of output',
  result: 'Result',
  noMatch: 'The rules match nothing in it.',
  save: 'Save settings',
  saved: 'Settings saved',
  savedDetail: {
    off: 'New sessions are not recorded.',
    best_effort: 'New sessions are recorded.',
    required: 'New sessions are recorded. Without a recorder none opens.',
  },
  saveFailed: 'The settings could not be saved.',
  problem: (why: string) => `Nothing can be recorded now: ${why}`,
} as const;

/** The single source of `warren-agent help`, the man page and the reference in the handbook. */

/** A command of the agent. */
export interface ManualCommand {
  name: string;
  /** The arguments after the name. */
  arguments?: string;
  options: string[];
  text: string;
  /** The program that handles it, if not the agent itself. */
  by?: 'launcher' | 'units';
}

export const COMMANDS = [
  {
    name: 'status',
    options: ['wait', 'state'],
    text: 'Says whether the agent is connected, since when and to what; if not, which step fails or is waited for.',
  },
  {
    name: 'doctor',
    options: ['hub', 'json', 'state'],
    text: 'Tells which step of the way to the hub fails, and what to do about it. The steps are name, address, TCP, proxy, TLS, clock, MTU, upgrade and key, each with its time. The link of the running agent stays. Without root it skips what only root may read.',
  },
  {
    name: 'set',
    arguments: 'proxy|shell-user|name <value>',
    options: [],
    text: 'Changes one setting of an installed agent. proxy: http://[user:password@]host[:port], - to read it from standard input, where other users do not see it, or none; restarts the agent. shell-user: a user of this device, whose login shells open; restarts the agent. name: what the console shows instead of the host name, or none.',
  },
  {
    name: 'rotate-key',
    options: ['state'],
    text: 'Makes a new key and has the hub take it; the old one counts no more.',
  },
  {
    name: 'uninstall',
    options: ['yes'],
    text: 'Removes the agent and its key from this device. Asks first.',
    by: 'launcher',
  },
  {
    name: 'enrol',
    options: ['hub', 'account', 'token', 'labels', 'shell-user', 'state'],
    text: 'Enrols this device. The installer does it.',
  },
  {
    name: 'run',
    options: ['shell-user', 'state'],
    text: 'Keeps the link with the hub until it is stopped. The service runs it.',
  },
  { name: 'version', options: [], text: 'Prints the version.' },
  { name: 'help', options: [], text: 'Prints the commands.' },
  { name: 'apply-update', options: ['state'], text: 'Puts a downloaded version in place.', by: 'units' },
  { name: 'place-units', options: ['state'], text: 'Writes the units of systemd.', by: 'units' },
] as const satisfies ManualCommand[];

type Named = (typeof COMMANDS)[number];
/** Commands that the agent itself handles. */
export type CommandName = Exclude<Named, { by: 'launcher' }>['name'];

/** An option of the command line; `value` names its argument. */
export interface ManualOption {
  value?: string;
  /** The equivalent environment variable. */
  variable?: string;
  text: string;
}

export const OPTIONS = {
  account: { value: 'id', variable: 'WARREN_ACCOUNT', text: 'The account to enrol with.' },
  hub: { value: 'address', variable: 'WARREN_HUB', text: 'The hub, such as https://hub.example.com.' },
  json: { text: 'Prints JSON.' },
  labels: {
    value: 'labels',
    variable: 'WARREN_LABELS',
    text: 'Labels of this device, such as site=north,ring=canary. Those of the token win.',
  },
  'shell-user': {
    value: 'name',
    variable: 'WARREN_SHELL_USER',
    text: 'Whose login shell opens where the agent runs without a service; by default the user that it runs as.',
  },
  state: {
    value: 'folder',
    variable: 'WARREN_STATE',
    text: 'The folder with the key and the enrolment of this device. An installed agent knows it; else /var/lib/warren-agent for root, and ~/.local/state/warren-agent.',
  },
  token: {
    value: 'token',
    variable: 'WARREN_TOKEN',
    text: 'The enrolment token. Other users see arguments: prefer the variable.',
  },
  wait: { value: 'seconds', text: 'Waits up to this long for the link.' },
  yes: { text: 'Does not ask.' },
} as const satisfies Record<string, ManualOption>;

export type OptionName = keyof typeof OPTIONS;

/** Environment variables besides those of options. */
export const VARIABLES: Record<string, string> = {
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY':
    'The way out, as curl takes it. The launcher reads them from network.env; set proxy changes that.',
  NODE_EXTRA_CA_CERTS:
    'File with certificate authorities besides the built-in ones and those of the system (PEM). The installer sets it from WARREN_CA.',
  'SSL_CERT_FILE, SSL_CERT_DIR':
    'File (PEM) and folders, separated by colons, that replace the usual place of the authorities of the system. The installer keeps them in network.env.',
  WARREN_METRICS: 'off: keeps no history of usage, for lines where each byte costs; on (the default).',
  WARREN_LOG_LEVEL: 'trace, debug, info (the default), warn, error, fatal or silent.',
  WARREN_PROGRAM: 'The folder of the program. The launcher sets it.',
  WARREN_DEVICE_TREE: 'Folder of the device tree, in which serial and model stand; by default that of the system.',
  WARREN_JOURNAL_DIR: 'Folder of the journal that the console shows; by default that of the system.',
  WARREN_REBOOT_COMMAND: 'How to reboot the device: a program and its arguments. The service sets it.',
  WARREN_SHELL_SOCKET: 'Socket that opens shells of another user. The service sets it.',
  WARREN_KEEPERS: 'Folder of the sockets of terminals that outlive the agent. The service sets it.',
  WARREN_HELPER: 'Program that keeps terminals without the service; by default that of the package.',
  WARREN_UPDATE_TRIGGER: 'File that asks for an update. The service sets it.',
  WARREN_UPDATE_TRIAL: 'Seconds that a new version has to reach the hub; 120 unless given.',
  WARREN_UPDATE_STAY: 'Seconds that a new version must stay linked; 600 unless given.',
  WARREN_SERVICE_NAME: 'The unit that set and updates restart; warren-agent.service unless given.',
  RUNTIME_DIRECTORY: 'Folder in memory for the status. systemd sets it.',
  'NOTIFY_SOCKET, WATCHDOG_USEC': 'How systemd hears from the agent. systemd sets them.',
  'LANG, HOME': 'The language of shells, and the home of the user that the agent runs as.',
};

export const FILES: Record<string, string> = {
  '/opt/warren-agent/network.env': 'Proxy and places of authorities. Read by root and the agent alone.',
  '/opt/warren-agent/shell-user': 'Whose shells open.',
  '/opt/warren-agent/name': 'The name that set name gave this device.',
  '/opt/warren-agent/ca.pem': 'The private authority of the hub.',
  '/var/lib/warren-agent/key.pem': 'The key of this device.',
  '/var/lib/warren-agent/device.json': 'The hub, the account and the id of this device; no secret.',
  '/run/warren-agent': 'The status, in memory.',
};

/** Exit codes, after sysexits(3). */
export const EXITS: Record<number, string> = {
  0: 'Done. status: connected. doctor: nothing failed.',
  1: 'It did not work. status: not connected. doctor: a step failed.',
  64: 'The command or a value is wrong.',
  65: 'A file of the agent is damaged, or a download is not what was signed.',
  69: 'The hub can not be reached.',
  71: 'This device lacks something that the agent needs.',
  73: 'A file can not be written: the disk is full or read-only.',
  75: 'The clock of this device is wrong; it may be right later.',
  77: 'The hub refuses, or this user has not the right.',
  78: 'The device is not enrolled, or enrolled elsewhere.',
};

/** The synopsis of a command. */
export function synopsisOf({ name, arguments: rest, options }: ManualCommand): string {
  const typed = options.map((option) => {
    const { value }: ManualOption = OPTIONS[option as OptionName];
    return value ? `[--${option} <${value}>]` : `[--${option}]`;
  });
  return ['warren-agent', name, ...(rest ? [rest] : []), ...typed].join(' ');
}

/** The short form for a terminal. */
export function usage(): string {
  const commands: readonly ManualCommand[] = COMMANDS;
  const shown = commands.filter(({ by }) => by !== 'units');
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(
    ({ name, text, ...rest }) =>
      `  ${name.padEnd(width)}  ${text.split(/(?<=\.) /)[0]}\n  ${' '.repeat(width)}    ${synopsisOf({ name, text, ...rest })}`,
  );
  return `Usage: warren-agent <command> [options]\n\n${lines.join('\n')}\n\nmore: man warren-agent`;
}

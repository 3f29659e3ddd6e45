import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import * as z from 'zod';
import { EXIT, UserError } from './errors.ts';
import { ownRuntimeFolder } from './state/status.ts';
import { packagedHelper } from './system/keepers.ts';

const hub = z
  .url({ protocol: /^https?$/, error: 'expected an address such as https://hub.example.com' })
  .transform((value) => value.replace(/\/+$/, ''));
/** The name of a user, as useradd(8) takes it. */
export const userName = z.string().regex(/^[A-Za-z_][\w.-]{0,31}$/, 'expected the name of a user of this device');

/** A program and its arguments, separated by spaces. */
const command = z
  .string()
  .trim()
  .min(1, 'expected a command')
  .transform((text) => text.split(/\s+/));

const common = z.object({
  state: z
    .string()
    .min(1)
    .transform((value) => resolve(value)),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
});

const folder = z.string().startsWith('/', 'expected the absolute path of a folder');

const unit = z.string().regex(/^[\w.@-]+\.service$/, 'expected the name of a service');

const schemas = {
  run: common.extend({
    runtime: z.string().startsWith('/', 'expected the absolute path of a folder').optional(),
    shellUser: userName.optional(),
    lang: z.string().optional(),
    home: z.string().optional(),
    rebootCommand: command.optional(),
    supervision: z.object({ watchdog: z.coerce.number().min(0).catch(0) }).optional(),
    journalDir: z.string().startsWith('/', 'expected the absolute path of a folder').optional(),
    deviceTree: folder.optional(),
    keepers: folder.optional(),
    helper: z.string().startsWith('/', 'expected the absolute path of a program').optional(),
    shellSocket: z.string().startsWith('/', 'expected the absolute path of a socket').optional(),
    program: folder.optional(),
    updateTrigger: z.string().startsWith('/', 'expected the absolute path of a file').optional(),
    metrics: z.enum(['on', 'off'], 'expected on or off').optional(),
  }),
  'apply-update': common.extend({
    program: folder,
    service: unit,
    trial: z.coerce.number('expected seconds').min(1).max(3600),
    stay: z.coerce.number('expected seconds').min(1).max(86_400),
  }),
  'place-units': common.extend({ program: folder }),
  enrol: common.extend({
    hub,
    account: z.string().min(1, 'expected the id of the account'),
    token: z.string().min(1, 'expected an enrolment token').max(512),
    labels: z.string().max(4_096, 'expected at most 4096 characters').optional(),
    shellUser: userName.optional(),
    deviceTree: folder.optional(),
  }),
  rotate: common,
  set: common.extend({ program: folder, service: unit }),
  doctor: common.extend({ hub: hub.optional(), program: folder.optional() }),
  status: common.extend({ wait: z.coerce.number('expected seconds').min(0).max(3600) }),
};

export type RunConfig = z.infer<(typeof schemas)['run']>;
export type DoctorConfig = z.infer<(typeof schemas)['doctor']>;
export type EnrolConfig = z.infer<(typeof schemas)['enrol']>;

/** Options of the command line, unparsed. */
export type Flags = Partial<
  Record<'state' | 'hub' | 'account' | 'token' | 'labels' | 'shell-user' | 'wait', string>
> & {
  json?: boolean;
};
type Env = Record<string, string | undefined>;

/**
 * Reads the configuration of one command: an option of the command line, else the environment, else the default.
 * @throws UserError that names each wrong value, and what was expected
 */
export function loadConfig<C extends keyof typeof schemas>(
  command: C,
  flags: Flags,
  env: Env,
): z.infer<(typeof schemas)[C]> {
  const given = {
    ...updateSettings(env),
    // systemd.exec(5), RuntimeDirectory=
    runtime: set(env, 'RUNTIME_DIRECTORY') ?? ownRuntimeFolder(),
    state: flags.state ?? set(env, 'WARREN_STATE') ?? defaultState(),
    logLevel: set(env, 'WARREN_LOG_LEVEL') ?? 'info',
    hub: flags.hub ?? env['WARREN_HUB'],
    account: flags.account ?? env['WARREN_ACCOUNT'],
    token: flags.token ?? env['WARREN_TOKEN'],
    labels: flags.labels ?? set(env, 'WARREN_LABELS'),
    shellUser: flags['shell-user'] ?? set(env, 'WARREN_SHELL_USER'),
    wait: flags.wait ?? '0',
    lang: set(env, 'LANG'),
    home: set(env, 'HOME'),
    rebootCommand: set(env, 'WARREN_REBOOT_COMMAND'),
    // sd_notify(3), sd_watchdog_enabled(3)
    supervision: set(env, 'NOTIFY_SOCKET') && { watchdog: env['WATCHDOG_USEC'] ?? 0 },
    journalDir: set(env, 'WARREN_JOURNAL_DIR'),
    deviceTree: set(env, 'WARREN_DEVICE_TREE'),
    shellSocket: set(env, 'WARREN_SHELL_SOCKET'),
    keepers: set(env, 'WARREN_KEEPERS'),
    helper: set(env, 'WARREN_HELPER') ?? packagedHelper(),
    program: set(env, 'WARREN_PROGRAM'),
    metrics: set(env, 'WARREN_METRICS'),
  };
  const parsed = schemas[command].safeParse(given);
  if (parsed.success) return parsed.data as z.infer<(typeof schemas)[C]>;
  const problems = parsed.error.issues.map((issue) => problem(issue, given));
  throw new UserError(problems.join('; '), EXIT.usage);
}

const updateSettings = (env: Env) => ({
  updateTrigger: set(env, 'WARREN_UPDATE_TRIGGER'),
  service: set(env, 'WARREN_SERVICE_NAME') ?? 'warren-agent.service',
  trial: set(env, 'WARREN_UPDATE_TRIAL') ?? '120',
  stay: set(env, 'WARREN_UPDATE_STAY') ?? '600',
});

/** Files and folders of authorities that replace the system's, by the names that OpenSSL and curl know. */
export function authorityPaths(env: Env = process.env): string[] {
  const folders = set(env, 'SSL_CERT_DIR')?.split(delimiter) ?? [];
  return [set(env, 'SSL_CERT_FILE'), ...folders].filter((path) => path !== undefined && path !== '') as string[];
}

/** An empty variable counts as unset. */
const set = (env: Env, name: string): string | undefined => env[name] || undefined;

/** The source of each value, for messages. */
const NAMES: Record<string, string> = {
  state: '--state (WARREN_STATE)',
  logLevel: 'WARREN_LOG_LEVEL',
  hub: '--hub (WARREN_HUB)',
  account: '--account (WARREN_ACCOUNT)',
  token: '--token (WARREN_TOKEN)',
  shellUser: '--shell-user (WARREN_SHELL_USER)',
  wait: '--wait',
  rebootCommand: 'WARREN_REBOOT_COMMAND',
  journalDir: 'WARREN_JOURNAL_DIR',
  deviceTree: 'WARREN_DEVICE_TREE',
  shellSocket: 'WARREN_SHELL_SOCKET',
  keepers: 'WARREN_KEEPERS',
  helper: 'WARREN_HELPER',
  program: 'WARREN_PROGRAM',
  updateTrigger: 'WARREN_UPDATE_TRIGGER',
  service: 'WARREN_SERVICE_NAME',
  trial: 'WARREN_UPDATE_TRIAL',
  stay: 'WARREN_UPDATE_STAY',
};

function problem(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const key = String(issue.path[0]);
  const value = given[key];
  const name = NAMES[key] ?? key;
  if (value === undefined) return `${name} is missing`;
  // A token is a secret, even an invalid one.
  const shown = key === 'token' ? '' : ` is ${JSON.stringify(value)}`;
  return `${name}${shown}: ${issue.message}`;
}

function defaultState(): string {
  return process.getuid?.() === 0 ? '/var/lib/warren-agent' : join(homedir(), '.local/state/warren-agent');
}

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { startAgent } from './agent.ts';
import { parseChange } from './change.ts';
import { loadConfig, type Flags } from './config.ts';
import type { Check } from './doctor/check.ts';
import { checkInWords, examine } from './doctor/doctor.ts';
import { enrol } from './enrol.ts';
import { EXIT, fileError, UserError } from './errors.ts';
import { COMMANDS, OPTIONS, usage } from './manual.ts';
import type { CommandName, ManualCommand, ManualOption, OptionName } from './manual.ts';
import { rotateKey } from './rotate.ts';
import { changeSetting } from './set.ts';
import { readEnrolment } from './state/enrolment.ts';
import { readStatus } from './state/status.ts';
import { statusInWords } from './status.ts';
import { readInput } from './system/files.ts';
import { closeInherited } from './system/inherited.ts';
import { applyUpdate } from './update/apply.ts';
import { Places } from './update/places.ts';
import { serviceOf, systemdService } from './update/systemd.ts';
import { proveByStatus, trialTimes } from './update/trial.ts';
import { Units } from './update/units.ts';
import { readVersion } from './version.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = Object.fromEntries(
  Object.entries<ManualOption>(OPTIONS).map(([name, { value }]) => [name, value ? text : flag]),
) as Record<Exclude<OptionName, 'json' | 'yes'>, typeof text> & Record<'json' | 'yes', typeof flag>;

const commands: Record<CommandName, (flags: Flags, args: string[]) => Promise<number>> = {
  enrol: runEnrol,
  'rotate-key': runRotate,
  run: runAgent,
  status: runStatus,
  doctor: runDoctor,
  set: runSet,
  'apply-update': runApplyUpdate,
  'place-units': runPlaceUnits,
  version: async () => say(readVersion()),
  help: async () => say(usage()),
};

function say(line: string, code = 0): number {
  process.stdout.write(`${line}\n`);
  return code;
}

async function runEnrol(flags: Flags): Promise<number> {
  const { enrolment, fresh } = await enrol(loadConfig('enrol', flags, process.env), readVersion());
  const { device_id: id, account_name: account } = enrolment;
  return say(fresh ? `Enrolled as device ${id} of ${account}.` : `Already enrolled as device ${id} of ${account}.`);
}

async function runRotate(flags: Flags): Promise<number> {
  await rotateKey(loadConfig('rotate', flags, process.env).state);
  return say('The hub has taken the new key; the old one is gone.');
}

async function runAgent(flags: Flags): Promise<number> {
  closeInherited();
  const config = loadConfig('run', flags, process.env);
  const log = logger(config.logLevel);
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the agent failed');
    process.exit(1);
  });
  const agent = await startAgent(config, readVersion(), log);
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await agent.stop();
  return 0;
}

/** Commands for the update service, which runs them as root; they are not for people. */
async function runApplyUpdate(flags: Flags): Promise<number> {
  const config = loadConfig('apply-update', flags, process.env);
  const places = new Places(config.program, config.state);
  await applyUpdate({
    places,
    service: systemdService(config.service, new Units(places, config.state)),
    prove: (trial, hooks) => proveByStatus(config.state, trial, trialTimes(trial, config.trial, config.stay), hooks),
    stay: config.stay,
    log: logger(config.logLevel),
  });
  return 0;
}

/** Commands for the installer, which runs them as root once the program and its state are in place. */
async function runPlaceUnits(flags: Flags): Promise<number> {
  const { program, state } = loadConfig('place-units', flags, process.env);
  const places = new Places(program, state);
  const current = await places.folderOf('current');
  if (current === undefined) throw new UserError(`${program} has no current version`);
  const { withoutGroups } = await new Units(places, state).write(current).catch((error: Error) => {
    throw new UserError(`the units of systemd can't be written: ${error.message}`, EXIT.cannotWrite);
  });
  for (const group of withoutGroups)
    say(`This device has no group ${group}: the console shows the part of its logs that the agent's user may read.`);
  return 0;
}

function logger(level: string): pino.Logger {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}

async function runStatus(flags: Flags): Promise<number> {
  const config = loadConfig('status', flags, process.env);
  const enrolment = await readEnrolment(config.state);
  if (!enrolment) return say(`Not enrolled (${config.state}).`, 1);
  const until = Date.now() + config.wait * 1000;
  let status = await readStatus(config.state);
  while (status?.state !== 'connected' && Date.now() < until) {
    await sleep(200);
    status = await readStatus(config.state);
  }
  const { text, exit } = statusInWords(status, enrolment, Date.now());
  return say(text, exit);
}

async function runDoctor(flags: Flags): Promise<number> {
  const config = loadConfig('doctor', flags, process.env);
  const lines = flags.json ? () => {} : (check: Check) => void say(checkInWords(check));
  const findings = await examine(config, readVersion(), lines);
  if (flags.json) return say(JSON.stringify(findings, null, 2), findings.ok ? 0 : EXIT.failed);
  for (const line of [findings.status, ...findings.notes]) if (line !== undefined) say(line);
  const broken = findings.checks.filter(({ result }) => result === 'failed').map(({ step }) => step);
  if (findings.ok) return say(`The way to ${findings.hub} is fine.`);
  return say(`The way to ${findings.hub} is broken: ${broken.join(', ')}.`, EXIT.failed);
}

async function runSet(flags: Flags, args: string[]): Promise<number> {
  const change = parseChange(args, readInput);
  const { program, service } = loadConfig('set', flags, process.env);
  await changeSetting(program, change, await serviceOf(program, service), (line) => void say(line));
  return 0;
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [name = 'help', ...rest] = positionals;
  const known: ManualCommand | undefined = COMMANDS.find((command) => command.name === name);
  const command = commands[name as CommandName];
  if (!known || !command || (rest.length > 0 && !known.arguments)) {
    throw new UserError(`"${positionals.join(' ')}" is not a command\n\n${usage()}`, EXIT.usage);
  }
  const foreign = Object.keys(values).find((option) => !known.options.includes(option));
  if (foreign !== undefined) throw new UserError(`${name} has no option --${foreign}\n\n${usage()}`, EXIT.usage);
  return command(values, rest);
}

function parse(args: string[]): { values: Flags; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n\n${usage()}`, EXIT.usage);
  }
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (cause) {
  const error = cause instanceof UserError ? cause : (fileError(cause) ?? cause);
  const line =
    error instanceof UserError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error;
  process.stderr.write(`warren-agent: ${String(line)}\n`);
  process.exit(error instanceof UserError ? error.exit : EXIT.failed);
}

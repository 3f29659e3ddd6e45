import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { startAgent } from './agent.ts';
import { loadConfig, type Flags } from './config.ts';
import { enrol } from './enrol.ts';
import { EXIT, UserError } from './errors.ts';
import { rotateKey } from './rotate.ts';
import { readEnrolment } from './state/enrolment.ts';
import { readStatus } from './state/status.ts';
import { closeInherited } from './system/inherited.ts';
import { applyUpdate } from './update/apply.ts';
import { Places } from './update/places.ts';
import { systemdService } from './update/systemd.ts';
import { proveByStatus, TRIAL } from './update/trial.ts';
import { Units } from './update/units.ts';
import { readVersion } from './version.ts';

const USAGE = `Usage: warren-agent <command> [options]

  enrol       enrol this device (--hub, --account, --token or WARREN_TOKEN, --shell-user)
  rotate-key  make a new key and have the hub take it
  run         keep the link with the hub until stopped (--shell-user)
  status      tell whether the agent is connected (--wait <seconds>); exit code 1 if not, 77 if the hub
              refuses this device's key
  version     print the version

  --state <folder>  where the device's key and enrolment are (WARREN_STATE)`;

const REFUSED_NEXT =
  'It keeps asking, ever more seldom. To enrol it anew: warren-agent uninstall, then a new line from the console.';

const text = { type: 'string' } as const;
const options = { state: text, hub: text, account: text, token: text, 'shell-user': text, wait: text };

const commands: Record<string, (flags: Flags) => Promise<number>> = {
  enrol: runEnrol,
  'rotate-key': runRotate,
  run: runAgent,
  status: runStatus,
  'apply-update': runApplyUpdate,
  'place-units': runPlaceUnits,
  version: async () => say(readVersion()),
  help: async () => say(USAGE),
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

/** What the service that updates the agent runs, as root; people have no use for it. */
async function runApplyUpdate(flags: Flags): Promise<number> {
  const config = loadConfig('apply-update', flags, process.env);
  const times = { ...TRIAL, most: config.trial * 1000 };
  const places = new Places(config.program, config.state);
  await applyUpdate({
    places,
    service: systemdService(config.service, new Units(places, config.state)),
    prove: () => proveByStatus(config.state, times),
    log: logger(config.logLevel),
  });
  return 0;
}

/** What the installer runs, as root, once the program and its state are in place. */
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
  const device = `device ${enrolment.device_id} of ${enrolment.account_name}, hub ${enrolment.hub}`;
  if (!status) return say(`Not running: ${device}.`, 1);
  if (status.state === 'connected') return say(`Connected since ${status.since}: ${device}.`);
  if (status.refused) return say(`Refused by the hub (${status.problem}): ${device}. ${REFUSED_NEXT}`, EXIT.refused);
  return say(`Not connected (${status.problem ?? status.state}): ${device}.`, 1);
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [name = 'help', ...rest] = positionals;
  const command = commands[name];
  if (!command || rest.length > 0) {
    throw new UserError(`"${positionals.join(' ')}" is not a command\n\n${USAGE}`, EXIT.usage);
  }
  return command(values);
}

function parse(args: string[]): { values: Flags; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n\n${USAGE}`, EXIT.usage);
  }
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const line =
    error instanceof UserError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error;
  process.stderr.write(`warren-agent: ${String(line)}\n`);
  process.exit(error instanceof UserError ? error.exit : EXIT.failed);
}

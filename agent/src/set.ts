import { withoutPassword, type Change } from './change.ts';
import { EXIT, UserError } from './errors.ts';
import { writeName, writeProxy, writeShellUser } from './state/settings.ts';
import { runProgram } from './system/program.ts';

/** The agent's service, if it has one. */
export interface RestartableService {
  restart(): Promise<void>;
}

const ASK_MS = 10_000;
const RESTARTS = 'The agent restarts: terminals in the console close, and can be opened again.';
const BY_HAND = 'Restart the agent for it to count.';

/**
 * Changes one setting of an installed agent.
 * @param service undefined for an agent that runs without one
 * @param say called with each line for the person
 * @throws UserError for a value that this device can't have, or a file that can't be written
 */
export async function changeSetting(
  program: string,
  { setting, value }: Change,
  service: RestartableService | undefined,
  say: (line: string) => void,
): Promise<void> {
  if (setting === 'shell-user') await requireUser(String(value), service);
  const former = await store(program, setting, value).catch((error: unknown) => {
    throw notStored(error, program);
  });
  const shown = (text = 'none') => (setting === 'proxy' ? withoutPassword(text) : text);
  say(`${setting}: was ${shown(former)}, is now ${shown(value)}.`);
  if (setting === 'name') return say('The console shows it within a minute while the device is connected.');
  if (!service) return say(BY_HAND);
  say(RESTARTS);
  await service.restart();
}

function store(program: string, setting: Change['setting'], next: string | undefined): Promise<string | undefined> {
  if (setting === 'proxy') return writeProxy(program, next);
  if (setting === 'name') return writeName(program, next);
  return writeShellUser(program, String(next));
}

/** The next start creates the default user if it is missing. */
async function requireUser(user: string, service: RestartableService | undefined): Promise<void> {
  if (!service) {
    throw new UserError('shell-user: without a service, shells are those of the user that runs the agent', EXIT.usage);
  }
  if (user === 'warren') return;
  await runProgram('id', ['-u', user], ASK_MS).catch(() => {
    throw new UserError(`shell-user is "${user}": this device has no such user`, EXIT.usage);
  });
}

function notStored(error: unknown, program: string): UserError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM')
    return new UserError(`changing ${program} needs the right to write there: run it with sudo`, EXIT.refused);
  return new UserError(`the setting can't be stored: ${message}`, EXIT.cannotWrite);
}

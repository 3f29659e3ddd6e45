import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorEmail } from '@warren/local/people';
import type { Progress } from '@warren/local/progress';
import { places } from '@warren/local/settings';
import { startWarren, type Warren } from '@warren/local/warren';
import { serveControl } from './control.ts';
import { freeBase } from './ports.ts';

/** What a test may know of the copy that it runs against. */
export interface Facts {
  hub: string;
  mail: string;
  idp: string;
  home: string;
  /** This machine, enrolled into the first customer's account. */
  device: { id: string; account: string };
  accounts: { id: string; name: string }[];
  operator: string;
  /** The database administrator's address. */
  database: string;
}

async function factsOf(warren: Warren): Promise<Facts> {
  const { settings, urls, device, accounts } = warren;
  if (!device) throw new Error('the copy has no device');
  const password = (await readFile(join(places(settings.home).server('postgres'), 'password'), 'utf8')).trim();
  const database = `postgres://postgres:${password}@127.0.0.1:${settings.ports.postgres}/warren`;
  return { ...urls, home: settings.home, device, accounts: [...accounts], operator: operatorEmail, database };
}

/** A running copy of the product with a home and ports of its own, and the address at which tests steer it. */
export interface Stack {
  control: string;
  facts: Facts;
  /** Stops all and keeps nothing but the logs. */
  stop(): Promise<void>;
}

/**
 * Starts a copy beside whatever else runs on this machine.
 * @param logs the folder in which the logs are left when the copy has stopped, or did not start
 */
export async function startStack(progress: Progress, logs: string): Promise<Stack> {
  const home = await mkdtemp(join(tmpdir(), 'warren-e2e-'));
  await mkdir(join(home, 'user'));
  const environment = {
    ...process.env,
    WARREN_HOME: home,
    WARREN_PORT: String(await freeBase()),
    // Shells of the tests read no profile of the person who runs them.
    HOME: join(home, 'user'),
    // Tests press the button too.
    WARREN_REBOOT_COMMAND: 'true',
  };
  const clear = async () => {
    await rm(logs, { recursive: true, force: true });
    await cp(places(home).logs, logs, { recursive: true });
    await rm(home, { recursive: true, force: true });
  };
  try {
    const warren = await startWarren({ environment, progress });
    const facts = await factsOf(warren);
    const control = await serveControl(warren, facts);
    const stop = async () => {
      await control.close();
      await warren.stop();
      await clear();
    };
    return { control: control.url, facts, stop };
  } catch (error) {
    await clear();
    throw new Error(`the copy did not start; its logs are in ${logs}`, { cause: error });
  }
}

import { rm } from 'node:fs/promises';
import { readText, readSmall } from '../system/files.ts';
import { linkedSeconds, statusSchema } from '../state/status.ts';
import { addCrash, crashWords, flaps } from './confidence.ts';
import type { Places } from './places.ts';
import { firstDaySchema, readRecord, writeRecord, type Trial } from './records.ts';

const DAY_MS = 24 * 3_600_000;
/** Exit codes after which systemd does not restart the agent (RestartPreventExitStatus in warren-agent.service). */
const FINAL = ['64', '65', '78'];
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** A crash as recorded by `crashed.sh`. */
interface Crash {
  boot: string;
  /** The version's folder. */
  folder: string;
  exit: string;
  /** The seconds that the process was linked. */
  linked: number;
}

/**
 * Weighs the crashes recorded on the first day of a version.
 * @param stay the seconds that a version on trial must stay linked
 * @returns the trial to roll back, and why; undefined while the version may stay
 */
export async function weighCrashes(places: Places, stay: number): Promise<Trial | undefined> {
  const noted = await readSmall(places.crashes).catch(() => '');
  const day = await readRecord(places.firstDay, firstDaySchema);
  if (!day || Date.now() - Date.parse(day.since) > DAY_MS) {
    await rm(places.firstDay, { force: true });
    return undefined;
  }
  // A device that went down in the same moment is no crash of the agent.
  const boot = (await readText(BOOT_ID)).trim();
  const counted = noted
    .split('\n')
    .map(parse)
    .filter((crash) => crash?.boot === boot && crash.folder === day.to) as Crash[];
  const last = counted.at(-1);
  if (!last) return undefined;
  const crashes = counted.reduce((sum, { linked }) => addCrash(sum, linked, stay), day.crashes);
  const { since, ...trial } = day;
  if (flaps(crashes)) return { ...trial, crashes, why: crashWords(crashes, last.linked) };
  if (FINAL.includes(last.exit))
    return {
      ...trial,
      crashes,
      why: `it ended with exit status ${last.exit} on its first day, and does not start again`,
    };
  await writeRecord(places.firstDay, { ...trial, since, crashes }, 0o644);
  return undefined;
}

/** `<boot id> <seconds since boot> <folder> <exit status> <status.json of the agent>` */
function parse(line: string): Crash | undefined {
  const [boot, up, folder, exit, ...rest] = line.split(' ');
  if (boot === undefined || up === undefined || folder === undefined || exit === undefined) return undefined;
  const status = statusSchema.safeParse(parseJson(rest.join(' ')));
  return { boot, folder, exit, linked: status.success ? linkedSeconds(status.data, Number(up)) : 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './files.ts';
import { parseTemperature, parseThrottled } from './parse.ts';

/** More than any board has; a folder with more of them costs no more. */
const MOST_ZONES = 32;
/** Thermal zones of the CPU by type: `cpu-thermal` of a Raspberry Pi, `x86_pkg_temp` of a PC, `soc-thermal` and so on. */
const PROCESSOR = /cpu|soc|pkg|core/i;

/**
 * Whole degrees Celsius of the CPU's hottest zone, or of the hottest zone at all if none belongs to the CPU.
 * @param sys where sysfs is
 * @returns undefined on a device that has no such sensor
 */
export async function readTemperature(sys = '/sys'): Promise<number | undefined> {
  const folder = join(sys, 'class/thermal');
  const names = await readdir(folder).catch(() => []);
  const zones = names.filter((name) => /^thermal_zone\d+$/.test(name)).slice(0, MOST_ZONES);
  const read = await Promise.all(
    zones.map(async (zone) => ({
      kind: (await readText(join(folder, zone, 'type'))).trim(),
      degrees: parseTemperature(await readText(join(folder, zone, 'temp'))),
    })),
  );
  const known = read.flatMap(({ kind, degrees }) => (degrees === undefined ? [] : [{ kind, degrees }]));
  const ofProcessor = known.filter(({ kind }) => PROCESSOR.test(kind));
  const degrees = (ofProcessor.length > 0 ? ofProcessor : known).map((zone) => zone.degrees);
  return degrees.length > 0 ? Math.max(...degrees) : undefined;
}

/**
 * The power and heat flags of a Raspberry Pi's firmware (see `Facts.throttled`).
 * @param sys where sysfs is
 * @returns undefined on other devices
 */
export async function readThrottled(sys = '/sys'): Promise<number | undefined> {
  return parseThrottled(await readText(join(sys, 'devices/platform/soc/soc:firmware/get_throttled')));
}

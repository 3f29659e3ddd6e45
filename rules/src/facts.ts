import { z } from 'zod';

/** Control, invisible formatting and line separating characters, and lone surrogates: nothing that a device calls itself. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** Mounts have paths of any length: agents cut them. */
const MAX_MOUNT = 64;
const MAX_LOAD = 1_000_000;
/** A thousand years. */
const MAX_UPTIME_S = 31_557_600_000;
/** Those that `Facts.throttled` names. */
const KNOWN_FLAGS = 0xf_000f;

/** Text that a device sends: on one line, printable, bounded. */
export function deviceText(max: number) {
  return z
    .string()
    .max(max, { error: ({ input }) => `expected at most ${max} characters, came ${String(input).length}` })
    .refine((text) => !UNPRINTABLE.test(text), 'expected no control or invisible characters');
}

const EXPECTED_BYTES = `expected at most ${Number.MAX_SAFE_INTEGER} bytes`;
const EXPECTED_PERCENT = 'expected 0 to 100 percent';
const EXPECTED_CELSIUS = 'expected -60 to 200 degrees Celsius';
const EXPECTED_LOAD = `expected 0 to ${MAX_LOAD}`;
const EXPECTED_UPTIME = `expected at most ${MAX_UPTIME_S} seconds`;

const bytes = z.int(EXPECTED_BYTES).min(0, EXPECTED_BYTES).describe('Bytes.');
const percent = z.number(EXPECTED_PERCENT).min(0, EXPECTED_PERCENT).max(100, EXPECTED_PERCENT);

/**
 * The facts of a device that no list sorts or searches by. This is their only definition: the devices service checks reports by it and
 * keeps the result as JSONB, and the API describes and shows it. Each has the name of its field in `warren.agent.v1.Facts`. A fact that
 * older agents don't report is optional; the API shows it as null then.
 */
export const factsSchema = z
  .object({
    cpu_cores: z.int().min(0).max(65_536, 'expected at most 65536 cores'),
    cpu_usage: percent.describe('Percent of all cores, 0 to 100.'),
    total_ram: bytes,
    used_ram: bytes,
    total_disk: bytes,
    used_disk: bytes,
    os: deviceText(128),
    kernel: deviceText(128),
    arch: deviceText(32),
    model: deviceText(128),
    uptime_seconds: z
      .int({ error: EXPECTED_UPTIME, abort: true })
      .min(0, EXPECTED_UPTIME)
      .max(MAX_UPTIME_S, EXPECTED_UPTIME),
    temperature: z
      .int(EXPECTED_CELSIUS)
      .min(-60, EXPECTED_CELSIUS)
      .max(200, EXPECTED_CELSIUS)
      .describe('Degrees Celsius of the processor; null: the device does not tell.')
      .optional(),
    // A newer firmware may know more flags: nobody can read them, so they are left out.
    throttled: z
      .int()
      .transform((flags) => flags & KNOWN_FLAGS)
      .optional(),
    fullest_disk: deviceText(MAX_MOUNT)
      .describe('Where the fullest of the disks that can be written is mounted; null: the device does not tell.')
      .optional(),
    fullest_disk_usage: percent.describe('Percent of that disk in use; null: the device does not tell.').optional(),
    load: z
      .number(EXPECTED_LOAD)
      .min(0, EXPECTED_LOAD)
      .max(MAX_LOAD, EXPECTED_LOAD)
      .describe('Load average of the last minute; null: the device does not tell.')
      .optional(),
    clock_offset: z
      .int()
      .describe("Seconds that the device's clock is ahead of the hub's; null: not known.")
      .optional(),
  })
  .refine(({ used_ram, total_ram }) => used_ram <= total_ram, {
    path: ['used_ram'],
    error: 'expected at most totalRam',
  })
  .refine(({ used_disk, total_disk }) => used_disk <= total_disk, {
    path: ['used_disk'],
    error: 'expected at most totalDisk',
  });

export type DeviceFacts = z.output<typeof factsSchema>;

/** Facts that change with every report: a change of these is announced to nobody. */
export const USAGE = [
  'cpu_usage',
  'used_ram',
  'used_disk',
  'uptime_seconds',
  'temperature',
  'throttled',
  'fullest_disk',
  'fullest_disk_usage',
  'load',
  'clock_offset',
] as const satisfies (keyof DeviceFacts)[];

/** The example of the API's documentation, and what tests begin with. */
export const EXAMPLE_FACTS: Required<DeviceFacts> = {
  cpu_cores: 4,
  cpu_usage: 12.5,
  total_ram: 4_000_000_000,
  used_ram: 1_200_000_000,
  total_disk: 31_000_000_000,
  used_disk: 9_000_000_000,
  os: 'Debian GNU/Linux 13 (trixie)',
  kernel: '6.12.34+rpt-rpi-v8',
  arch: 'aarch64',
  model: 'Raspberry Pi 4 Model B Rev 1.4',
  uptime_seconds: 86_400,
  temperature: 52,
  throttled: 0x1_0000,
  fullest_disk: '/data',
  fullest_disk_usage: 41.5,
  load: 0.42,
  clock_offset: 0,
};

/** Pure parsers of Linux's text files, tolerant of missing parts. */

/** PRETTY_NAME of os-release(5), or '' when it is missing. */
export function parseOsName(osRelease: string): string {
  const value = /^PRETTY_NAME=(.*)$/m.exec(osRelease)?.[1]?.trim() ?? '';
  return value.replace(/^(["'])(.*)\1$/, '$2');
}

/** Total and used bytes of memory (used: not available to new programs), from proc_meminfo(5). */
export function parseMemory(meminfo: string): { total: number; used: number } {
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1] ?? 0) * 1024;
  const total = bytes('MemTotal');
  // Kernels before 3.14 have no MemAvailable.
  const available = bytes('MemAvailable') || bytes('MemFree') + bytes('Buffers') + bytes('Cached');
  return { total, used: Math.max(0, total - available) };
}

/** Clock ticks since boot, over all cores. */
export interface CpuTimes {
  busy: number;
  total: number;
}

/** The first line of proc_stat(5). */
export function parseCpuTimes(stat: string): CpuTimes {
  // user nice system idle iowait irq softirq steal; guest time is already part of user.
  const ticks = (/^cpu\s+(.*)$/m.exec(stat)?.[1] ?? '').split(/\s+/).slice(0, 8).map(Number);
  const total = ticks.reduce((sum, value) => sum + value, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { busy: total - idle, total };
}

/** The percentage of all cores that was busy between two moments, 0 to 100 with one decimal. */
export function cpuUsage(before: CpuTimes, after: CpuTimes): number {
  const total = after.total - before.total;
  if (total <= 0) return 0;
  const percent = ((after.busy - before.busy) / total) * 100;
  return Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10;
}

/** Name of the interface of the default IPv4 route with the least metric, from /proc/net/route. */
export function parseDefaultRoute(routes: string): string | undefined {
  const found = routes
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
    .sort((a, b) => Number(a[6]) - Number(b[6]));
  return found[0]?.[0];
}

const PLACEHOLDER =
  /^(none|n\/?a|0+|1234567890?|123456789|unknown|default string|not (specified|applicable|available|settable)|to be filled.*|system (serial number|product name|manufacturer)|o\.?e\.?m\.?|chassis serial number|invalid|x+|\.+)$/i;

/** A value of a firmware table, or '' for a vendor's placeholder. */
export function firmwareText(raw: string): string {
  // Device tree strings end in NUL. An inventory has no control characters.
  const text = raw
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, 128);
  return PLACEHOLDER.test(text) || /^(0{4,}-?)+$/.test(text) ? '' : text;
}

/**
 * Whole degrees Celsius of a thermal zone, whose file contains thousandths.
 * @returns undefined for an implausible value
 */
export function parseTemperature(temp: string): number | undefined {
  const text = temp.trim();
  if (!/^-?\d{1,6}$/.test(text)) return undefined;
  // Unconnected zones report 0 or far below.
  if (Number(text) === 0) return undefined;
  const degrees = Math.round(Number(text) / 1000) + 0;
  return degrees > -40 && degrees <= 150 ? degrees : undefined;
}

/** Parses the firmware's hexadecimal flags; undefined without any. */
export function parseThrottled(flags: string): number | undefined {
  const digits = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(flags.trim())?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** The first `model name` of /proc/cpuinfo, or ''. */
export function parseCpuModel(cpuinfo: string): string {
  return /^model name\s*:\s*(.+)$/m.exec(cpuinfo)?.[1]?.trim() ?? '';
}

/** The load average of the last minute, from proc_loadavg(5); undefined without any. */
export function parseLoad(text: string): number | undefined {
  const load = Number(/^[\d.]+/.exec(text)?.[0]);
  return Number.isFinite(load) ? load : undefined;
}

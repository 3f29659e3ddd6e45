import { describe, expect, it } from '@jest/globals';
import {
  cpuUsage,
  firmwareText,
  parseCpuModel,
  parseCpuTimes,
  parseDefaultRoute,
  parseLoad,
  parseMemory,
  parseOsName,
  parseTemperature,
  parseThrottled,
} from './parse.ts';

describe('files of Linux', () => {
  it('os-release', () => {
    expect(parseOsName('NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')).toBe(
      'Debian GNU/Linux 13 (trixie)',
    );
    expect(parseOsName("PRETTY_NAME='X'\n")).toBe('X');
    expect(parseOsName('')).toBe('');
  });

  it('loadavg', () => {
    expect(parseLoad('0.42 0.30 0.10 1/123 4567')).toBe(0.42);
    expect(parseLoad('')).toBeUndefined();
  });

  it('meminfo', () => {
    expect(parseMemory('MemTotal:  1000 kB\nMemFree: 100 kB\nMemAvailable:   600 kB\n')).toEqual({
      total: 1_024_000,
      used: 409_600,
    });
    const old = 'MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 150 kB\n';
    expect(parseMemory(old)).toEqual({ total: 1_024_000, used: 716_800 });
    expect(parseMemory('')).toEqual({ total: 0, used: 0 });
  });

  it('processor time', () => {
    const before = parseCpuTimes('cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 1 1 1 1\n');
    expect(before).toEqual({ busy: 200, total: 1000 });
    const after = parseCpuTimes('cpu  150 0 150 1000 100 0 0 0 90 0\n');
    expect(cpuUsage(before, after)).toBe(25);
    expect(cpuUsage(after, after)).toBe(0);
    expect(cpuUsage(after, before)).toBe(0);
  });

  it('the default route with the least metric', () => {
    const routes = [
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
      'wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0',
      'eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0',
      'eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0',
    ];
    expect(parseDefaultRoute(routes.join('\n'))).toBe('eth0');
    expect(parseDefaultRoute('')).toBeUndefined();
  });

  it('firmware texts, without placeholders of vendors', () => {
    expect(firmwareText('Raspberry Pi 5 Model B Rev 1.0\0')).toBe('Raspberry Pi 5 Model B Rev 1.0');
    const empty = [
      'To Be Filled By O.E.M.',
      'Default string',
      'None',
      '0',
      '00000000',
      'Not Specified',
      ' \n',
      'System Serial Number',
    ];
    for (const text of empty) expect(firmwareText(text)).toBe('');
    expect(firmwareText('<script>\u001b[31m')).toBe('<script> [31m');
    expect(firmwareText('x'.repeat(500))).toHaveLength(0);
    expect(firmwareText('ab'.repeat(500))).toHaveLength(128);
  });

  it('temperatures, without implausible ones', () => {
    expect(['48312\n', '-12499', '99500\n', '-300'].map(parseTemperature)).toEqual([48, -12, 100, 0]);
    const none = ['', '0\n', '-274000\n', '127000000', '200000', 'N/A', '48.3'];
    expect(none.map(parseTemperature)).toEqual(none.map(() => undefined));
  });

  it('flags of the firmware', () => {
    expect(['0\n', '50005\n', '0x80000\n'].map(parseThrottled)).toEqual([0, 0x5_0005, 0x8_0000]);
    const none = ['', 'throttled', '100000000', '-1'];
    expect(none.map(parseThrottled)).toEqual(none.map(() => undefined));
  });

  it('cpuinfo', () => {
    expect(parseCpuModel('processor\t: 0\nmodel name\t: Fast CPU @ 3GHz\n')).toBe('Fast CPU @ 3GHz');
    expect(parseCpuModel('')).toBe('');
  });
});

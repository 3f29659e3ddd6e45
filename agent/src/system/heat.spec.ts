import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readTemperature, readThrottled } from './heat.ts';

describe('heat, from a sysfs', () => {
  let sys: string;
  beforeEach(async () => {
    sys = await mkdtemp(join(tmpdir(), 'sys-'));
  });
  afterEach(() => rm(sys, { recursive: true }));

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(sys, path)), { recursive: true });
    await writeFile(join(sys, path), text);
  }
  async function zone(number: number, kind: string, temp: string): Promise<void> {
    await put(`class/thermal/thermal_zone${number}/type`, `${kind}\n`);
    await put(`class/thermal/thermal_zone${number}/temp`, `${temp}\n`);
  }

  it('is undefined without sensors', async () => {
    expect(await readTemperature(sys)).toBeUndefined();
    expect(await readThrottled(sys)).toBeUndefined();
    await put('class/thermal/cooling_device0/type', 'Processor\n');
    await put('class/thermal/cooling_device0/temp', '50000\n');
    await zone(0, 'cpu-thermal', '');
    expect(await readTemperature(sys)).toBeUndefined();
  });

  it('of a Raspberry Pi', async () => {
    await zone(0, 'cpu-thermal', '48312');
    await put('devices/platform/soc/soc:firmware/get_throttled', '50005\n');
    expect(await readTemperature(sys)).toBe(48);
    expect(await readThrottled(sys)).toBe(0x5_0005);
  });

  it("is the processor's even if other parts are hotter, and the highest of several", async () => {
    await zone(0, 'acpitz', '97000');
    expect(await readTemperature(sys)).toBe(97);
    await zone(1, 'cpu0-thermal', '51000');
    await zone(10, 'cpu1-thermal', '61400');
    expect(await readTemperature(sys)).toBe(61);
  });
});

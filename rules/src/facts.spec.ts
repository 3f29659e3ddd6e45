import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_FACTS, factsSchema, USAGE } from './facts.ts';

const messages = (change: object) =>
  factsSchema
    .safeParse({ ...EXAMPLE_FACTS, ...change })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('the facts of a device', () => {
  it('are those of the example, with nothing else', () => {
    expect(factsSchema.parse({ ...EXAMPLE_FACTS, owner: 'me' })).toEqual(EXAMPLE_FACTS);
    expect(Object.keys(EXAMPLE_FACTS)).toEqual(Object.keys(factsSchema.shape));
  });

  it('may lack what older agents do not report', () => {
    const { temperature: _temperature, throttled: _throttled, ...others } = EXAMPLE_FACTS;
    expect(factsSchema.parse(others)).toEqual(others);
    expect(messages({ os: undefined })).toHaveLength(1);
  });

  it('keep known flags only', () => {
    expect(factsSchema.parse({ ...EXAMPLE_FACTS, throttled: 0xffff_ffff }).throttled).toBe(0xf_000f);
  });

  it.each<[object, string]>([
    [{ cpu_cores: 65_537 }, 'cpu_cores: expected at most 65536 cores'],
    [{ cpu_usage: Number.NaN }, 'cpu_usage: expected 0 to 100 percent'],
    [{ total_disk: 2 ** 64 }, 'total_disk: expected at most 9007199254740991 bytes'],
    [{ used_ram: 4_000_000_001 }, 'used_ram: expected at most totalRam'],
    [{ used_disk: 31_000_000_001 }, 'used_disk: expected at most totalDisk'],
    [{ kernel: 'x\n' }, 'kernel: expected no control or invisible characters'],
    [{ arch: 'x'.repeat(33) }, 'arch: expected at most 32 characters, came 33'],
    [{ temperature: 201 }, 'temperature: expected -60 to 200 degrees Celsius'],
  ])('are refused for %j', (change, problem) => {
    expect(messages(change)).toEqual([problem]);
  });

  it('name the use among them', () => {
    for (const name of USAGE) expect(factsSchema.shape).toHaveProperty(name);
  });
});

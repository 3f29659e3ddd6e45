import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { DeviceAccountSchema } from '@warren/proto/devices/v1/devices';
import { DeviceNames } from './device.names.ts';

const namesOf = (name: string, accountName: string) => {
  const asked: number[] = [];
  const directory = {
    describe: async (ids: readonly string[]) => {
      asked.push(ids.length);
      return new Map(
        ids.map((id) => [id, create(DeviceAccountSchema, { deviceId: id, accountId: 'a1', name, accountName })]),
      );
    },
  };
  return { asked, names: new DeviceNames(directory, 'hub.test') };
};

describe('DeviceNames', () => {
  it('keeps names', async () => {
    const { asked, names } = namesOf('pump', 'Acme');
    const labels = { hub: 'hub.test', account: 'Acme', account_id: 'a1', device: 'pump', device_id: 'd1' };
    expect((await names.labelsOf(['d1'])).get('d1')).toEqual(labels);
    expect((await names.labelsOf(['d1', 'd2'])).size).toBe(2);
    expect(asked).toEqual([1, 1]);
  });

  it('has the labels of all devices of a request, also when it evicts names', async () => {
    const { names } = namesOf('pump', 'Acme');
    await names.labelsOf(['old']);
    const ids = Array.from({ length: 50_000 }, (_, at) => `d${at}`);
    expect((await names.labelsOf(['old', ...ids])).size).toBe(50_001);
  });

  it('takes no answer without names, as a devices service of before gives it', async () => {
    const { names } = namesOf('', '');
    await expect(names.labelsOf(['d1'])).rejects.toMatchObject({ code: 'unavailable' });
  });
});

import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { FactsSchema } from '@warren/proto/agent/v1/agent';
import { DeviceSchema, DeviceSort } from '@warren/proto/devices/v1/devices';
import { deviceJson, deviceSort } from './device.mapper.ts';
import { deviceSchema, listDevicesQuery } from './device.schemas.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const AT = timestampFromDate(new Date('2026-01-31T08:15:30.250Z'));

const device = create(DeviceSchema, {
  id: ID,
  serial: '1000',
  name: 'raspberrypi',
  accountId: ID,
  accountName: 'Acme',
  connected: true,
  statusSince: AT,
  sshEnabled: true,
  httpPort: 1880,
  httpAddress: 'x.devices.test',
  publicIp: '203.0.113.7',
  facts: { privateIp: '10.0.0.2', cpuCores: 4, cpuUsage: 12.5, totalDisk: 31_000_000_000n, uptimeSeconds: 60n },
  factsAt: AT,
  created: AT,
});

describe('a device as JSON', () => {
  it('has the fields of the specification, as its schema says', () => {
    const json = deviceJson(device);
    expect(deviceSchema.parse(json)).toEqual(json);
    expect(json).toMatchObject({
      _id: ID,
      id: ID,
      account: { id: ID, name: 'Acme' },
      status: 'Connected',
      status_since: '2026-01-31T08:15:30.250Z',
      ssh_enable: 'Yes',
      http_enable: 'No',
      total_disk: 31_000_000_000,
      uptime: 60,
    });
  });

  it('goes by its own name until people give it one', () => {
    expect(deviceJson(device).custom_name).toBe('raspberrypi');
    expect(deviceJson({ ...device, customName: 'Greenhouse' })).toMatchObject({
      name: 'raspberrypi',
      custom_name: 'Greenhouse',
    });
  });

  it('names what its firmware slows it down for', () => {
    expect(deviceJson(device)).toMatchObject({ temperature: null, throttling: null });
    const told = (throttled: number) => {
      const json = deviceJson(
        create(DeviceSchema, { ...device, facts: create(FactsSchema, { temperature: -7, throttled }) }),
      );
      expect(deviceSchema.parse(json)).toEqual(json);
      expect(json.temperature).toBe(-7);
      return json.throttling;
    };
    expect(told(0)).toEqual({ now: [], since_start: [] });
    expect(told(0x5_0005)).toEqual({
      now: ['under_voltage', 'throttled'],
      since_start: ['under_voltage', 'throttled'],
    });
    expect(told(0xa_0000)).toEqual({ now: [], since_start: ['frequency_capped', 'temperature_limit'] });
  });

  it('is whole without facts', () => {
    const json = deviceJson(create(DeviceSchema, { id: ID, serial: '1', accountId: ID, statusSince: AT, created: AT }));
    expect(deviceSchema.parse(json)).toMatchObject({ status: 'Disconnected', facts_at: null, cpu_usage: 0, os: '' });
  });

  it('sorts by what the query names', () => {
    expect(['status', 'name', 'account', 'label:example.com/site'].map(deviceSort)).toEqual([
      { sort: DeviceSort.STATUS },
      { sort: DeviceSort.NAME },
      { sort: DeviceSort.ACCOUNT },
      { sort: DeviceSort.LABEL, sortLabel: 'example.com/site' },
    ]);
  });

  it.each(['label:', 'label:a b', 'label:-x', 'site', `label:${'x'.repeat(64)}`])('refuses to sort by %s', (sort) => {
    expect(listDevicesQuery.safeParse({ sort }).error?.issues[0]).toMatchObject({
      path: ['sort'],
      message: expect.stringContaining('such as label:site'),
    });
  });
});

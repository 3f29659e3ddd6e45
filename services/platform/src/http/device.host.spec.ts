import { describe, expect, it } from '@jest/globals';
import { DeviceHosts } from './device.host.ts';

describe("a device's host", () => {
  const hosts = new DeviceHosts('https://hub.example', 'devices.hub.example');
  const local = new DeviceHosts('http://localhost:8080', 'devices.localhost:8080');

  it('is distinct from the hub and from others', () => {
    expect(hosts.slugOf('Pi-x7k2.devices.hub.example')).toBe('pi-x7k2');
    expect(hosts.slugOf('pi.devices.hub.example:443')).toBe('pi');
    expect(local.slugOf('pi.devices.localhost:8080')).toBe('pi');
    const others = [
      'hub.example',
      'devices.hub.example',
      '.devices.hub.example',
      'a.b.devices.hub.example',
      '-a.devices.hub.example',
    ];
    for (const other of [...others, 'pi.devices.hub.example.evil', 'pi.devices.hub.example:8443', undefined, ''])
      expect(hosts.slugOf(other)).toBeUndefined();
    expect(local.slugOf('pi.devices.localhost')).toBeUndefined();
  });

  it('has the scheme of the hub', () => {
    expect(hosts.originOf('pi')).toBe('https://pi.devices.hub.example');
    expect(local.originOf('pi')).toBe('http://pi.devices.localhost:8080');
    expect([hosts.trustworthy, local.trustworthy]).toEqual([true, true]);
    expect(new DeviceHosts('http://hub.lan', 'devices.hub.lan').trustworthy).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { defaultPorts, readSettings, root } from './settings.ts';

describe('readSettings', () => {
  it('keeps everything on loopback, in the checkout, at the usual ports', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({ host: '127.0.0.1', hubUrl: 'http://localhost:8080', home: `${root}/.warren` });
    expect(settings.ports).toEqual(defaultPorts);
  });

  it('moves all ports with the first, so that two can run side by side', () => {
    const { ports, idpUrl } = readSettings({ WARREN_PORT: '28080' });
    expect(ports).toMatchObject({ gateway: 28080, idp: 28081, postgres: 35432, nats: 34222 });
    expect(idpUrl).toBe('http://localhost:28081');
    const twice = Object.values(ports).filter((port) => Object.values<number>(defaultPorts).includes(port));
    expect(twice).toEqual([]);
  });

  it('lets one port be set alone', () => {
    expect(readSettings({ WARREN_PORT_TUNNELS_OPS: '1234' }).ports).toEqual({ ...defaultPorts, tunnelsOps: 1234 });
  });

  it('names a wrong value', () => {
    expect(() => readSettings({ WARREN_PORT: 'http' })).toThrow(/^WARREN_PORT: .*number.*'http' came$/);
    expect(() => readSettings({ WARREN_REDIS_URL: 'http://x' })).toThrow(/^WARREN_REDIS_URL: /);
  });

  it('says which port a move puts out of range', () => {
    expect(() => readSettings({ WARREN_PORT: '60000' })).toThrow(/WARREN_PORT_POSTGRES: .*65535/);
  });

  it('has device pages below the hub, or at a separate domain', () => {
    expect(readSettings({ WARREN_PORT: '28080' }).deviceDomain).toBe('devices.localhost:28080');
    const own = { WARREN_URL: 'https://hub.example.com', WARREN_DEVICE_DOMAIN: 'devices.example.net' };
    expect(readSettings(own).deviceDomain).toBe('devices.example.net');
  });

  it('asks for the public address when it listens for others', () => {
    expect(() => readSettings({ WARREN_HOST: '0.0.0.0' })).toThrow(/^WARREN_URL: /);
    const open = readSettings({ WARREN_HOST: '0.0.0.0', WARREN_URL: 'http://192.168.1.5:8080' });
    expect(open.idpUrl).toBe('http://192.168.1.5:8081');
  });
});

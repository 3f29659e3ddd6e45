import { describe, expect, it } from '@jest/globals';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { deviceCookie, WebCookies, withoutOurs } from './web.cookies.ts';

const SECRET = 'a'.repeat(43);

describe("Warren's cookies on a device's host", () => {
  it('are of that host alone, over https', () => {
    const cookies = new WebCookies(new DeviceHosts('https://hub.example', 'devices.hub.example'));
    const set = cookies.grant(SECRET, 60);
    expect(set).toMatch(/^__Host-warren-web=a+; Max-Age=60; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/);
    expect(cookies.secrets(`a=b; __Host-warren-web=${SECRET}; warren-web=${SECRET}`)).toEqual([SECRET]);
    expect(cookies.secrets('__Host-warren-web=short')).toEqual([]);
  });

  it('are read even after one that a page has added', () => {
    const cookies = new WebCookies(new DeviceHosts('http://hub.lan', 'devices.hub.lan'));
    expect(cookies.secrets(`warren-web=${'b'.repeat(43)}; warren-web=${SECRET}`)).toContain(SECRET);
    expect(cookies.grant(SECRET, 60)).toMatch(/SameSite=Lax$/);
  });

  it('never reach the device', () => {
    expect(withoutOurs('a=1; __Host-warren-web=x; warren=y; b=2')).toBe('a=1; b=2');
    expect(withoutOurs('warren-web=x')).toBeUndefined();
    expect(withoutOurs('a=warren; b=2')).toBe('a=warren; b=2');
  });

  it("are not the device's to set, and its own are of its host alone", () => {
    for (const evil of ['warren-web=x', ' __Host-Warren-web=x; Path=/', 'warren=x', '=warren-web=x', 'warren-web', 'x'])
      expect(deviceCookie(evil)).toBeUndefined();
    expect(deviceCookie('a=b; Domain=hub.example; Path=/; HttpOnly')).toBe('a=b; Path=/; HttpOnly');
  });
});

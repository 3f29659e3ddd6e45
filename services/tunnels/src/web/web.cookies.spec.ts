import { describe, expect, it } from '@jest/globals';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { WebCookies } from './web.cookies.ts';

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
});

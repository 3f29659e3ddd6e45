import { describe, expect, it } from '@jest/globals';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { WebCookies, DeviceCookies } from './web.cookies.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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

const SECURE = new DeviceHosts('https://hub.example', 'devices.example.net');
const PLAIN = new DeviceHosts('http://hub.lan', 'devices.hub.lan');
const TAB = { slug: 'pi', thirdParty: false };
const cookies = () => new DeviceCookies(SECURE);
/** What a browser sends back of what it was given. */
const sent = (set: string[]): string => set.map((line) => line.split(';', 1)[0]).join('; ');

describe("a device's cookies", () => {
  it('are of its host alone, and never have a name of ours', () => {
    for (const evil of ['warren-web=x', ' __Host-Warren-web=x; Path=/', 'warren=x', '=warren-web=x', 'warren-web', 'x'])
      expect(cookies().set(evil, TAB)).toEqual([]);
    expect(new DeviceCookies(PLAIN).set('a=b; Domain=hub.lan; Path=/; HttpOnly', TAB)).toEqual([
      'a=b; Path=/; HttpOnly',
    ]);
  });

  it('come without ours', () => {
    expect(cookies().passed('a=1; __Host-warren-web=x; warren=y; b=2', 'pi')).toBe('a=1; b=2');
    expect(cookies().passed('warren-web=x', 'pi')).toBeUndefined();
    expect(cookies().passed('a=warren; b=2', 'pi')).toBe('a=warren; b=2');
  });

  it('have a proof beside them that only their own host can set, of the same lifetime', () => {
    const [cookie, proof] = cookies().set('sid=1; Path=/app; HttpOnly; Max-Age=60', TAB);
    expect(cookie).toBe('sid=1; Path=/app; HttpOnly; Max-Age=60');
    expect(proof).toMatch(
      /^__Host-warren-set-[\w-]{22}-[\w-]{22}=h[\w-]{22}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=60$/,
    );
  });

  it('that scripts can not have set are passed with their proof alone', () => {
    const device = cookies();
    const set = device.set('sid=mine; HttpOnly', TAB);
    expect(device.passed(`sid=planted; ${sent(set)}`, 'pi')).toBe('sid=mine');
    expect(device.passed(`sid=planted; ${sent(set).replace('sid=mine; ', '')}`, 'pi')).toBeUndefined();
    expect(device.passed('sid=planted; other=1', 'pi')).toBe('other=1');
    expect(device.passed('sid=1', 'another')).toBe('sid=1');
    expect(cookies().passed(`sid=planted; ${sent(set)}`, 'pi')).toBe('sid=mine');
  });

  it('that scripts may set are passed as they are, unless one of the name has a proof', () => {
    const device = cookies();
    const set = device.set('xsrf=mine; Path=/', TAB);
    expect(device.passed(`xsrf=planted; ${sent(set)}`, 'pi')).toBe('xsrf=mine');
    expect(device.passed(`xsrf=changed; ${sent(set).replace('xsrf=mine; ', '')}`, 'pi')).toBe('xsrf=changed');
    expect(device.passed('by=script', 'pi')).toBe('by=script');
  });

  it('take little memory, however long the names are that devices make up', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => (collect(), process.memoryUsage().heapUsed);
    const before = used();
    const device = cookies();
    const long = (slug: number, at: number) => `${slug}-${at}`.padEnd(15_000, 'x');
    for (let slug = 0; slug < 100; slug++)
      for (let at = 0; at < 64; at++) device.set(`${long(slug, at)}=1; HttpOnly`, { ...TAB, slug: String(slug) });
    // 96 MB of names.
    expect(used() - before).toBeLessThan(10_000_000);
    expect(device.passed(`${long(99, 63)}=planted; a=1`, '99')).toBe('a=1');
  });

  it('of one name and different paths stand beside each other', () => {
    const device = cookies();
    const set = [...device.set('sid=1; HttpOnly; Path=/', TAB), ...device.set('sid=2; HttpOnly; Path=/app', TAB)];
    expect(device.passed(`sid=0; ${sent(set)}`, 'pi')).toBe('sid=1; sid=2');
  });

  it('are kept in a frame of another site', () => {
    const framed = { slug: 'pi', thirdParty: true };
    const [cookie, proof] = cookies().set('sid=1; SameSite=Lax; Path=/', framed);
    expect(cookie).toBe('sid=1; Path=/; SameSite=None; Secure; Partitioned');
    expect(proof).toMatch(/; SameSite=None; Secure; Partitioned$/);
    expect(new DeviceCookies(PLAIN).set('sid=1; SameSite=Lax', framed)).toEqual(['sid=1; SameSite=Lax']);
  });
});

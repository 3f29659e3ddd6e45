import { describe, expect, it } from '@jest/globals';
import { HubCookies } from './session.cookie.ts';

const SECRET = 'a'.repeat(43);
const at = (cookie: string) => ({ headers: { cookie } });

describe('HubCookies', () => {
  it('are named by the scheme of the hub', () => {
    const [plain, secure] = [new HubCookies('http://hub.test'), new HubCookies('https://hub.test')];
    expect(plain.readSession(at(`warren=${SECRET}`))).toBe(SECRET);
    expect(plain.readSession(at(`__Host-warren=${SECRET}`))).toBeUndefined();
    expect(secure.readSession(at(`warren=${SECRET}`))).toBeUndefined();
    expect(secure.readSession(at(`a=b; __Host-warren=${SECRET}`))).toBe(SECRET);
  });

  it('are found behind others of the same name, which a parent domain may have set', () => {
    const plain = new HubCookies('http://hub.test');
    const header = `warren=junk; warren=${'b'.repeat(43)}; a=1; warren=${SECRET}`;
    expect(plain.readSessions(at(header))).toEqual(['b'.repeat(43), SECRET]);
  });

  it.each(['', 'warren=', 'warren=short', `warren=${SECRET}x`, `warren=${'%'.repeat(43)}`, 'warren'])(
    'count as absent when they can not be ours: %j',
    (cookie) => expect(new HubCookies('http://hub.test').readSession(at(cookie))).toBeUndefined(),
  );

  it('do not tie a sign-in to a browser over plain http, where the browser would not return the cookie', () => {
    const cookies = new HubCookies('http://hub.test');
    expect(cookies.bindsSignIn).toBe(false);
    expect(cookies.readSignIn(at(`__Host-warren-sign-in=${SECRET}`))).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { wantsPage } from './console.files.ts';

const asks = (path: string, method = 'GET', accept = 'text/html,*/*') =>
  wantsPage({ path, method, headers: { accept } });

describe('a page of the console', () => {
  it.each([
    '/',
    '/devices',
    '/installations',
    '/apis',
    '/x.y',
    '/scim/v2x',
    '/api/webssh/ssh/host',
    '/api/webssh/ssh/host/',
  ])('is asked for by %s', (path) => {
    expect(asks(path)).toBe(true);
  });

  it.each([
    '/api',
    '/api/x',
    '/Api/x',
    '/auth/saml/login',
    '/scim/v2/x',
    '/tunnel/x',
    '/install/x',
    '/server/x',
    '/api/webssh',
    '/api/webssh/ssh/host/x',
  ])('is not %s', (path) => {
    expect(asks(path)).toBe(false);
  });

  it('is not for other types than HTML, nor for other methods than GET', () => {
    expect(asks('/devices', 'GET', 'application/json')).toBe(false);
    expect(asks('/devices', 'GET', '*/*')).toBe(false);
    expect(asks('/devices', 'POST')).toBe(false);
    expect(asks('/', 'GET', 'application/json')).toBe(false);
  });

  it('is served at / to clients that accept any type', () => {
    expect(asks('/', 'GET', '*/*')).toBe(true);
    expect(wantsPage({ path: '/', method: 'HEAD', headers: {} })).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { contentSecurityPolicy, permissionsPolicy } from './security.headers.ts';

describe('the content security policy', () => {
  const plain = contentSecurityPolicy({ HUB_URL: 'http://localhost:8080', DEVICE_DOMAIN: 'devices.localhost:8080' });
  const secure = contentSecurityPolicy({ HUB_URL: 'https://hub.example.com', DEVICE_DOMAIN: 'devices.example.com' });

  it('lets scripts come from our files only, never from the page itself', () => {
    expect(secure['script-src']).toEqual(["'self'"]);
    expect(secure['default-src']).toEqual(["'self'"]);
    expect(secure['object-src']).toEqual(["'none'"]);
  });

  it('lets sockets go to the hub, and frames show devices', () => {
    expect(secure['connect-src']).toEqual(["'self'", 'wss://hub.example.com']);
    expect(secure['frame-src']).toEqual(['https://*.devices.example.com']);
    expect(plain['connect-src']).toEqual(["'self'", 'ws://localhost:8080']);
    expect(plain['frame-src']).toEqual(['http://*.devices.localhost:8080']);
  });

  it('sends browsers to https only where there is one', () => {
    expect(secure['upgrade-insecure-requests']).toEqual([]);
    expect(plain['upgrade-insecure-requests']).toBeNull();
  });

  it('lets forms post to the hub and to device pages alone', () => {
    expect(secure['form-action']).toEqual(["'self'", 'https://*.devices.example.com']);
  });

  it('lends device pages what may be switched on for them', () => {
    const origins = { HUB_URL: 'https://hub.example.com', DEVICE_DOMAIN: 'devices.example.net' };
    const policy = permissionsPolicy(origins);
    expect(policy).toContain('camera=(self "https://*.devices.example.net")');
    expect(policy).toContain('usb=()');
  });

  it('forbids framing the hub', () => {
    expect(secure['frame-ancestors']).toEqual(["'none'"]);
  });
});

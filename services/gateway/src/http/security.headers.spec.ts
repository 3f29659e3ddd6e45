import { describe, expect, it } from '@jest/globals';
import { contentSecurityPolicy, permissionsPolicy } from './security.headers.ts';

describe('the content security policy', () => {
  const plain = contentSecurityPolicy({ HUB_URL: 'http://localhost:8080', DEVICE_DOMAIN: 'devices.localhost:8080' });
  const secure = contentSecurityPolicy({ HUB_URL: 'https://hub.example.com', DEVICE_DOMAIN: 'devices.example.com' });

  it('allows scripts from files of the hub only, never inline', () => {
    expect(secure['script-src']).toEqual(["'self'"]);
    expect(secure['default-src']).toEqual(["'self'"]);
    expect(secure['object-src']).toEqual(["'none'"]);
  });

  it('allows sockets to the hub, and frames of web services', () => {
    expect(secure['connect-src']).toEqual(["'self'", 'wss://hub.example.com']);
    expect(secure['frame-src']).toEqual(['https://*.devices.example.com']);
    expect(plain['connect-src']).toEqual(["'self'", 'ws://localhost:8080']);
    expect(plain['frame-src']).toEqual(['http://*.devices.localhost:8080']);
  });

  it('upgrades to https only if the hub has it', () => {
    expect(secure['upgrade-insecure-requests']).toEqual([]);
    expect(plain['upgrade-insecure-requests']).toBeNull();
  });

  it('allows forms to post to the hub and to web services only', () => {
    expect(secure['form-action']).toEqual(["'self'", 'https://*.devices.example.com']);
  });

  it('allows web services the features that a device can turn on', () => {
    const origins = { HUB_URL: 'https://hub.example.com', DEVICE_DOMAIN: 'devices.example.net' };
    const policy = permissionsPolicy(origins);
    expect(policy).toContain('camera=(self "https://*.devices.example.net")');
    expect(policy).toContain('usb=()');
  });

  it('forbids framing the hub', () => {
    expect(secure['frame-ancestors']).toEqual(["'none'"]);
  });
});

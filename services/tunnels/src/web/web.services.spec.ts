import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { FindWebPageResponseSchema } from '@warren/proto/devices/v1/devices';
import { publicUrl, webService } from './web.services.ts';

const hosts = new DeviceHosts('https://hub.example', 'devices.hub.example');
const found = create(FindWebPageResponseSchema, {
  ip: '127.0.0.1',
  port: 1880,
  hostname: 'Greenhouse',
  privateIp: '10.1.2.3',
});
const page = webService('pi', found, hosts);
const PUBLIC = 'https://pi.devices.hub.example';

describe('an address in an answer', () => {
  it.each([
    ['http://127.0.0.1:1880/red?a#b', `${PUBLIC}/red?a#b`],
    ['http://localhost:1880', PUBLIC],
    ['//10.1.2.3:1880/x', `${PUBLIC}/x`],
    ['http://greenhouse.local:1880/', `${PUBLIC}/`],
    ['http://pi.devices.hub.example/login', `${PUBLIC}/login`],
    ['http://pi.devices.hub.example:1880/login', `${PUBLIC}/login`],
  ])('that is the device itself is made public: %s', (value, expected) =>
    expect(publicUrl(value, page)).toBe(expected),
  );

  it.each([
    '/red',
    'red',
    'http://127.0.0.1:9090/',
    'https://example.org/',
    'http://user@127.0.0.1:1880/',
    'http://pi.devices.hub.example.evil/',
    'mailto:a@b.c',
    'http://[',
  ])('that is anything else stays: %s', (value) => expect(publicUrl(value, page)).toBe(value));
});

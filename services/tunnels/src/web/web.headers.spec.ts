import { describe, expect, it } from '@jest/globals';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { answerLines } from './web.headers.ts';
import { DeviceCookies } from './web.cookies.ts';
import type { WebService } from './web.services.ts';

const HUB = 'https://hub.example';
const cookies = new DeviceCookies(new DeviceHosts(HUB, 'devices.example.net'));

/** The policies of permissions that reach the browser when the device sends this one. */
function policies(sent: string, denied = 'camera=()'): string[] {
  const page = { slug: 'pi', denied } as WebService;
  const lines = answerLines(['Permissions-Policy', sent], page, { hubUrl: HUB, cookies, thirdParty: false });
  return lines.filter((_line, at) => lines[at - 1] === 'Permissions-Policy');
}

describe('the Permissions-Policy of a device', () => {
  it.each([
    'camera=*',
    'usb=()',
    'fullscreen=(self), usb=( ), midi=self',
    'geolocation=(self "https://a.example"  src)\t,\tusb=();report-to=ends',
    'interest-cohort',
    'usb="a \\" b"',
  ])('stands before that of the hub: %j', (sent) => {
    expect(policies(sent)).toEqual([sent, 'camera=()']);
  });

  // Each has Chromium ignore all lines of the field.
  it.each([
    'x="',
    'Camera=*',
    'camera=*,',
    '',
    ' ',
    'a=(',
    'a=(b',
    'a=("b"c)',
    'a=b c',
    '=',
    'a=\u00e9',
    'a="\\x"',
    ',a',
  ])('that is not well-formed does not undo it: %j', (sent) => {
    expect(policies(sent)).toEqual(['camera=()']);
  });

  it("is the device's alone where the hub denies nothing", () => {
    expect(policies('x="', '')).toEqual(['x="']);
  });

  // Milliseconds; a pattern that goes back over what it has read takes hours.
  it('is checked in a time that grows with its length alone', () => {
    for (const part of [' ', 'a', 'a ', '"a" ', '\\"', '*', ','])
      expect(policies(`a=(${part.repeat(4_000 / part.length)}`)).toEqual(['camera=()']);
    expect(policies(`a=()${'\t'.repeat(1_000_000)}`)).toEqual(['camera=()']);
  });
});

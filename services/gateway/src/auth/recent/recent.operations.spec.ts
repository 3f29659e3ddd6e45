import { describe, expect, it } from '@jest/globals';
import { recentMinutesFor } from './recent.operations.ts';

const OFF = { minutes: 30, terminals: false, manage: false, grants: false };

describe('recentMinutesFor', () => {
  it.each(['approveAccessRequest', 'denyAccessRequest'])('always needs one for %s', (operation) => {
    expect(recentMinutesFor(operation, undefined, OFF)).toBe(30);
    // What an older tenancy answers.
    expect(recentMinutesFor(operation, undefined)).toBe(15);
  });

  it.each([
    ['terminals', 'getSocketToken', 'terminal'],
    ['terminals', 'getSocketToken', undefined],
    ['terminals', 'getSocketToken', 'desktop'],
    ['terminals', 'generateToken', undefined],
    ['terminals', 'createGuestLink', undefined],
    ['manage', 'rebootDevice', undefined],
    ['manage', 'deleteDevice', undefined],
    ['manage', 'startBulkJob', undefined],
    ['grants', 'createGrant', undefined],
    ['grants', 'setAccessMode', undefined],
    ['grants', 'setAccessRules', undefined],
    ['grants', 'setGroupRules', undefined],
    ['terminals', 'setAccessRules', undefined],
  ])('needs one with the switch %s for %s', (name, operation, purpose) => {
    expect(recentMinutesFor(operation, purpose, { ...OFF, [name]: true })).toBe(30);
    expect(recentMinutesFor(operation, purpose, OFF)).toBeUndefined();
  });

  it.each([
    ['getSocketToken', 'logs'],
    ['listDevices', undefined],
    ['listGrants', undefined],
    ['listGroupRules', undefined],
    ['createAccessRequest', undefined],
    ['makeWebAddress', undefined],
  ])('needs none for %s', (operation, purpose) => {
    const on = { minutes: 30, terminals: true, manage: true, grants: true };
    expect(recentMinutesFor(operation, purpose, on)).toBeUndefined();
  });
});

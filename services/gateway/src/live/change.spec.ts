import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { newEvent } from '@warren/platform/events/event';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { changesOf, concernsAccess, heardOf, sameAccess, type Change } from './change.ts';

type Kind = Parameters<typeof newEvent>[0]['kind'];
const event = (kind: Kind) => newEvent({ kind, accountId: 'a1' } as Parameters<typeof newEvent>[0]);
const user = (init: object = {}) =>
  create(UserCallerSchema, { userId: 'u1', accountId: 'a1', role: Role.MEMBER, ...init });

const GRANTED = [{ explicitGrants: true }, { grants: [{ id: 'g1', filter: 'site=north' }] }];

describe('the changes of an event', () => {
  it('name the thing and its account', () => {
    expect(changesOf(event({ case: 'deviceChanged', value: { deviceId: 'd1' } }))).toEqual([
      { kind: 'device', id: 'd1', account: 'a1' },
    ]);
    expect(changesOf(event({ case: 'groupDeleted', value: { groupId: 'g1' } }))).toEqual([
      { kind: 'group', id: 'g1', account: 'a1' },
    ]);
    expect(changesOf(event({ case: 'alertsChanged', value: { accountId: 'a1' } }))).toEqual([
      { kind: 'alert', id: 'a1', account: 'a1' },
    ]);
  });

  it('are of devices, and of nobody knows which, when a saved filter changed that others may name', () => {
    const change = { kind: 'device', id: '', account: 'a1' } as const;
    expect(changesOf(event({ case: 'savedFilterChanged', value: { accountId: 'a1' } }))).toEqual([change]);
    expect(heardOf(user({ explicitGrants: true }), change)).toEqual(change);
    expect(heardOf(user({ accountId: 'a2' }), change)).toBeUndefined();
  });

  it('are two when a device moved', () => {
    const moved = event({ case: 'deviceChanged', value: { deviceId: 'd1', previousAccountId: 'a0' } });
    expect(changesOf(moved).map(({ account }) => account)).toEqual(['a1', 'a0']);
  });

  it('are none for a connection that no list shows yet', () => {
    expect(changesOf(event({ case: 'linksChanged', value: { links: [{ deviceId: 'd1' }] } }))).toEqual([]);
  });
});

describe('a change', () => {
  const heard = (who: object, kind: Change['kind'], account: string) =>
    heardOf(user(who), { kind, id: 'x', account }) !== undefined;

  it('is heard by those who may read the thing', () => {
    expect(heard({}, 'device', 'a1')).toBe(true);
    expect(heard({}, 'device', 'a2')).toBe(false);
    expect(heard({}, 'user', 'a1')).toBe(false);
    expect(heard({ role: Role.OWNER }, 'user', 'a1')).toBe(true);
    expect(heard({ role: Role.OWNER }, 'user', 'a2')).toBe(false);
    expect(heard({ operator: true }, 'device', 'a2')).toBe(true);
    expect(heard({ role: Role.SUPER_ADMIN, operator: false }, 'device', 'a1')).toBe(false);
  });

  it('of a device is one without its id for somebody who sees devices by grants alone', () => {
    const restricted = user({ explicitGrants: true });
    const device = { kind: 'device', id: 'd1', account: 'a1' } as const;
    expect(heardOf(restricted, device)).toEqual({ ...device, id: '' });
    expect(heardOf(restricted, { ...device, account: 'a2' })).toBeUndefined();
    const alert = { kind: 'alert', id: 'a1', account: 'a1' } as const;
    expect(heardOf(restricted, alert)).toEqual(alert);
    expect(heardOf(restricted, { kind: 'user', id: 'u2', account: 'a1' })).toBeUndefined();
    expect(heardOf(user({ explicitGrants: true, role: Role.OWNER }), device)).toEqual(device);
  });

  it('of the own user or account is one of access', () => {
    expect(concernsAccess(user(), { kind: 'user', id: 'u1', account: 'a1' })).toBe(true);
    expect(concernsAccess(user(), { kind: 'account', id: 'a1', account: 'a1' })).toBe(true);
    expect(concernsAccess(user(), { kind: 'access', id: 'a1', account: 'a1' })).toBe(true);
    expect(concernsAccess(user(), { kind: 'device', id: 'u1', account: 'a1' })).toBe(false);
    expect(concernsAccess(user(), { kind: 'user', id: 'u2', account: 'a1' })).toBe(false);
  });
});

it('access is the same for the same person, account, role, operator and grants', () => {
  expect(sameAccess(user(), user({ name: 'renamed' }))).toBe(true);
  for (const other of [{ role: Role.OWNER }, { accountId: 'a2' }, { operator: true }, { userId: 'u2' }, ...GRANTED]) {
    expect(sameAccess(user(), user(other))).toBe(false);
  }
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ActivityKind, LabelDevicesRequestSchema } from '@warren/proto/devices/v1/devices';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { ActivityService } from '../src/activity/activity.service.ts';
import { LabelsService } from '../src/labels/labels.service.ts';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { EnrolmentService } from '../src/enrolment/enrolment.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { user } from './callers.ts';
import { facts } from './devices.process.ts';
import { DevicesWorld } from './devices.world.ts';
import { newPair } from './key.pair.ts';

describe('labels', () => {
  let world: DevicesWorld;
  const acme = uuidv7();
  const zebra = uuidv7();
  const admin = user(acme, Role.ADMIN);
  const member = user(acme, Role.MEMBER);
  let north: string;
  let south: string;
  let foreign: string;

  beforeAll(async () => {
    world = await DevicesWorld.start(
      new Map([
        [acme, 'Acme'],
        [zebra, 'Zebra'],
      ]),
    );
    [north, south, foreign] = (await Promise.all(
      [acme, acme, zebra].map(async (account) => (await world.enrol(account)).id),
    )) as [string, string, string];
  });
  afterAll(() => world.end());

  const label = (caller: Caller, request: Partial<Parameters<LabelsService['label']>[1]>) =>
    world.app.get(LabelsService).label(caller, create(LabelDevicesRequestSchema, request));
  const labelsOf = async (id: string) =>
    (await world.app.get(DevicesService).get(world.superAdmin, { id })).device.labels;

  it('are set and removed, and count only where they differ', async () => {
    expect(await label(admin, { ids: [north, south], set: { site: 'north', ring: '' } })).toEqual({ changed: 2 });
    expect(await label(admin, { ids: [north, south], set: { site: 'north' } })).toEqual({ changed: 0 });
    expect(await label(admin, { ids: [south], set: { site: 'south' }, remove: ['ring', 'none'] })).toEqual({
      changed: 1,
    });
    expect(await labelsOf(north)).toEqual({ site: 'north', ring: '' });
    expect(await labelsOf(south)).toEqual({ site: 'south' });
  });

  it('are listed by key with the devices of each', async () => {
    const labels = world.app.get(LabelsService);
    await label(world.superAdmin, { ids: [foreign], set: { site: 'north' } });
    const site = (count: number, values: object[]) => ({ key: 'site', count, values });
    expect((await labels.list(world.superAdmin, { accountId: '' })).keys).toContainEqual(
      site(3, [
        { value: 'north', count: 2 },
        { value: 'south', count: 1 },
      ]),
    );
    expect((await labels.list(member, { accountId: '' })).keys).toContainEqual(
      site(2, [
        { value: 'north', count: 1 },
        { value: 'south', count: 1 },
      ]),
    );
  });

  it('are set on all that a filter holds for, in the own account', async () => {
    expect(await label(admin, { filter: 'label:site', set: { all: 'x' } })).toEqual({ changed: 2 });
    expect(await labelsOf(foreign)).not.toHaveProperty('all');
    expect(await label(world.superAdmin, { filter: 'label:site cpu>=0', set: { all: 'y' } })).toEqual({ changed: 3 });
  });

  it("are not another account's", async () => {
    const notFound = { code: 'not_found' };
    await expect(label(admin, { ids: [north, foreign], set: { a: 'b' } })).rejects.toMatchObject(notFound);
    await expect(label(admin, { filter: '', accountId: zebra, set: { a: 'b' } })).rejects.toMatchObject(notFound);
    expect(await labelsOf(north)).not.toHaveProperty('a');
    await expect(world.app.get(LabelsService).list(admin, { accountId: zebra })).rejects.toMatchObject(notFound);
    await expect(world.app.get(LabelsService).setNotes(admin, { id: foreign, notes: 'x' })).rejects.toMatchObject(
      notFound,
    );
  });

  it('are not for members', async () => {
    const denied = { code: 'permission_denied' };
    await expect(label(member, { ids: [north], set: { a: 'b' } })).rejects.toMatchObject(denied);
    await expect(label(member, { filter: '', set: { a: 'b' } })).rejects.toMatchObject(denied);
    await expect(world.app.get(LabelsService).setNotes(member, { id: north, notes: 'x' })).rejects.toMatchObject(
      denied,
    );
  });

  it('are at most 32 on a device, and none changes when one would have more', async () => {
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`k${i}`, '']));
    await expect(label(admin, { ids: [south, north], set: many })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('more than 32 labels'),
    });
    expect(await labelsOf(north)).not.toHaveProperty('k0');
  });

  it('are refused by name when they are wrong', async () => {
    await expect(label(admin, { ids: [north], set: { 'a b': 'x' } })).rejects.toMatchObject({
      problems: [{ field: expect.stringContaining('set'), message: expect.stringContaining('expected a key') }],
    });
    await expect(label(admin, { filter: 'cpu>', set: { a: 'x' } })).rejects.toMatchObject({
      problems: [{ field: 'filter', message: 'Expected a value after “cpu>”. (at character 4)' }],
    });
  });

  it('leave a trace in the history, and go with their device', async () => {
    const { activity = [] } = await world.app.get(ActivityService).list(admin, { accountId: acme, limit: 100 });
    expect(activity.filter(({ kind }) => kind === ActivityKind.LABELLED)).toContainEqual(
      expect.objectContaining({ deviceId: south, detail: 'site=south, -ring, -none' }),
    );
    await world.source.query('DELETE FROM devices WHERE id = $1', [foreign]);
    expect(await world.source.query('SELECT FROM device_labels WHERE device_id = $1', [foreign])).toEqual([]);
  });

  it('come with enrolment: those of the token before those that the device asks for', async () => {
    const labels = { site: 'north', ring: 'stable' };
    const { token = '' } = await world.app
      .get(TokensService)
      .create(world.superAdmin, { accountId: acme, uses: 1, labels });
    const pair = newPair();
    const { deviceId } = await world.app.get(EnrolmentService).enrol(serviceCaller('gateway'), {
      accountId: acme,
      token,
      publicKey: pair.raw,
      proof: pair.sign(`warren-enrol:${token}`),
      serial: 'labelled',
      facts: facts({}),
      publicIp: '',
      labels: { ring: 'canary', rack: '7' },
    });
    expect(await labelsOf(deviceId)).toEqual({ site: 'north', ring: 'stable', rack: '7' });
  });

  it('notes are kept as they were written', async () => {
    const notes = 'Behind the door.\n<b>Key</b>: reception';
    await world.app.get(LabelsService).setNotes(admin, { id: north, notes });
    expect((await world.app.get(DevicesService).get(member, { id: north })).device.notes).toBe(notes);
  });
});

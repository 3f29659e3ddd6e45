import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { commonConfig } from '@warren/platform/config/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { DevicePermission, FilterUseKind } from '@warren/proto/common/v1/common';
import { SavedFiltersService, type ExpandFilterRequest } from '@warren/proto/devices/v1/filters';
import { GrantSubjectSchema } from '@warren/proto/tenancy/v1/access';
import { v7 as uuidv7 } from 'uuid';
import { GrantsService } from '../src/access/grants.service.ts';
import { SavedFilters } from '../src/access/saved.filters.ts';
import { AccessRequestsService } from '../src/requests/requests.service.ts';
import { InvitationWorld } from './invitation.world.ts';

const { VIEW } = DevicePermission;
const devices = serviceCaller('devices');
const everyone = create(GrantSubjectSchema, { kind: { case: 'everyone', value: true } });

describe('grants that name saved filters', () => {
  const world = new InvitationWorld();
  let directory: INestApplicationContext;
  /** What the devices service puts in for `in:x`; it knows no other text. */
  let stands: string | Fault;
  let beforeAnswer = () => {};

  beforeAll(async () => {
    await world.start();
    const settings = { NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: world.nats.url };
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'devices', config: commonConfig.parse(settings) })] })(
      ProcessModule,
    );
    const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
    const expandFilter = async (_caller: Caller, { accountId, filter }: ExpandFilterRequest) => {
      beforeAnswer();
      if (accountId !== world.acme) throw new Fault('invalid_argument', 'it is not there.');
      if (stands instanceof Fault) throw stands;
      return { filter: filter.replace('in:x', stands) };
    };
    app.get(RpcServer).serve(SavedFiltersService, { expandFilter } as RpcHandlers<typeof SavedFiltersService>);
    directory = await app.init();
  });
  afterAll(async () => {
    await directory?.close();
    await world.stop();
  });
  beforeEach(async () => {
    await world.source.query('DELETE FROM grants');
    stands = 'site=north';
    beforeAnswer = () => {};
  });

  const content = (filter: string) => ({ permissions: [VIEW], filter, note: '' });
  const give = async (filter: string) => {
    const request = { accountId: world.acme, subject: everyone, content: content(filter) };
    return (await world.app.get(GrantsService).create(world.owner, request)).grant.id ?? '';
  };
  const change = (id: string, filter: string) =>
    world.app.get(GrantsService).update(world.owner, { accountId: world.acme, id, content: content(filter) });
  const uses = async (accountId = world.acme) =>
    (await world.app.get(SavedFilters).uses(devices, { accountId })).uses?.map(({ kind, name, filter }) => [
      kind,
      name,
      filter,
    ]);

  it('keep the name, and are what names it', async () => {
    await give('in:x ring=1');
    await give('"in:x"');
    expect(await uses()).toEqual([[FilterUseKind.GRANT, 'everyone', 'in:x ring=1']]);
    expect(await uses(world.zebra)).toEqual([]);
    expect(await uses(uuidv7())).toEqual([]);
    await expect(world.app.get(SavedFilters).uses(world.owner, { accountId: world.acme })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('are refused if a grant can not select by it, or it is not there', async () => {
    const id = await give('site=north');
    stands = 'cpu>50';
    for (const work of [give('in:x'), change(id, 'in:x')])
      await expect(work).rejects.toMatchObject({ message: expect.stringContaining('A grant can’t select by cpu') });
    for (const fault of [new Fault('invalid_argument', 'gone.'), new Fault('unavailable', 'later.')]) {
      stands = fault;
      await expect(give('in:x')).rejects.toMatchObject({ code: fault.code });
      await expect(change(id, 'in:x')).rejects.toMatchObject({ code: fault.code });
    }
    // Without a saved filter nobody is asked.
    await change(id, 'site=south');
  });

  it('are seen once they are there, though they are being written', async () => {
    let seen: Promise<unknown> | undefined;
    beforeAnswer = () => void (seen ??= uses());
    await give('in:x');
    expect(await seen).toEqual([[FilterUseKind.GRANT, 'everyone', 'in:x']]);
  });

  it('can’t be used in access requests', async () => {
    const wanted = { permissions: [VIEW], filter: 'in:x', deviceId: '', deviceName: '', reason: 'works', minutes: 60 };
    await expect(
      world.app.get(AccessRequestsService).create(world.owner, { accountId: world.acme, ...wanted }),
    ).rejects.toMatchObject({
      problems: [{ field: 'filter', message: expect.stringContaining('can’t be used here') }],
    });
  });
});

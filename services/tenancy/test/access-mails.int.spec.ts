import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { getQueueToken } from '@nestjs/bullmq';
import { until } from '@warren/infra/until';
import { DevicePermission, Role } from '@warren/proto/common/v1/common';
import { AccessRulesSchema } from '@warren/proto/tenancy/v1/requests';
import type { Queue } from 'bullmq';
import { DecisionsService } from '../src/requests/decisions.service.ts';
import { ACCESS_MAILS } from '../src/requests/request.queue.ts';
import { AccessRequestsService } from '../src/requests/requests.service.ts';
import { AccessRulesService } from '../src/requests/rules.service.ts';
import { InvitationWorld, redisDump } from './invitation.world.ts';
import { requestPeople, type Person } from './request.people.ts';

describe('mails about access requests', () => {
  const world = new InvitationWorld();
  const { people, added, as } = requestPeople(world);
  let member: Person;
  let owner: Person;
  let admin: Person;

  const setRules = () => {
    const recentSignIn = { minutes: 15, terminals: false, manage: false, grants: false };
    const own = { requests: true, longestMinutes: 480, approverGroupId: '', secondApprover: false, recentSignIn };
    return world.app
      .get(AccessRulesService)
      .set(as(owner), { accountId: world.acme, rules: create(AccessRulesSchema, own) });
  };
  const ask = async () => {
    const about = { filter: 'site=north', deviceId: '', deviceName: '', permissions: [DevicePermission.TERMINAL] };
    const wanted = { accountId: world.acme, ...about, reason: 'The pump stops', minutes: 60 };
    return (await world.app.get(AccessRequestsService).create(as(member), wanted)).request?.id ?? '';
  };
  const decide = (id: string) =>
    world.app
      .get(DecisionsService)
      .decide(as(owner), { accountId: world.acme, id, approve: false, minutes: 0, note: 'No' });
  const withdraw = (id: string) =>
    world.app.get(AccessRequestsService).withdraw(as(member), { accountId: world.acme, id });
  const rows = () => world.source.query<{ kind: string; attempts: number }[]>('SELECT * FROM access_mails');
  const refused = () => until(async () => (await rows()).every(({ attempts }) => attempts > 1));
  /** As after half a minute. */
  const later = () => world.source.query('UPDATE access_mails SET due = now()');
  const mails = (to: Person) => world.mail.to(to.email);
  const allSent = () => until(async () => (await rows()).length === 0);
  const queue = () => world.app.get<Queue>(getQueueToken(ACCESS_MAILS), { strict: false });
  const jobs = () => queue().getJobs(['waiting', 'active', 'delayed']);
  /** Takes mails again, once no attempt is in flight that began before the last change. */
  const take = async () => {
    await until(async () => (await queue().getActiveCount()) === 0);
    world.mail.refusal = undefined;
  };

  beforeAll(async () => {
    await world.start();
    member = await people('member@acme.test', Role.MEMBER);
    owner = await people('owner@acme.test', Role.OWNER);
    admin = await added('admin@acme.test', 'Admins', Role.ADMIN);
    await setRules();
  });
  beforeEach(async () => {
    world.calm();
    await world.source.query('DELETE FROM access_requests');
    await queue().drain(true);
    await until(async () => (await jobs()).length === 0);
    world.mail.received.length = 0;
  });
  afterAll(() => world.stop());

  it('are tried again while the mail server refuses them, and sent once each', async () => {
    world.mail.refusal = { code: 450, text: 'Greylisted' };
    await ask();
    await refused();
    expect(await rows()).toHaveLength(2);
    world.mail.refusal = undefined;
    await allSent();
    expect([mails(owner).length, mails(admin).length, mails(member).length]).toEqual([1, 1, 0]);
    await until(async () => (await jobs()).length === 0);
  });

  it('are in the queue once, however often they are due', async () => {
    world.mail.refusal = { code: 450, text: 'Later' };
    const request = await ask();
    await refused();
    const ids = async () => (await jobs()).map(({ id }) => id).sort();
    const expected = [owner, admin].map(({ id }) => `${request}-${id}-asked`).sort();
    expect(await ids()).toEqual(expected);
    const overdue = () => world.source.query<unknown[]>('SELECT FROM access_mails WHERE due <= now()');
    await later();
    await until(async () => (await overdue()).length === 0);
    expect(await ids()).toEqual(expected);
    world.mail.refusal = undefined;
    await allSent();
    expect([mails(owner).length, mails(admin).length]).toEqual([1, 1]);
  });

  it('are not sent to approvers once the request has ended', async () => {
    world.mail.refusal = { code: 450, text: 'Later' };
    const withdrawn = await ask();
    const denied = await ask();
    await refused();
    await withdraw(withdrawn);
    await decide(denied);
    await take();
    await allSent();
    expect([mails(owner), mails(admin)]).toEqual([[], []]);
    expect(mails(member)).toHaveLength(1);
    expect(mails(member)[0]?.source).toContain('denied');
  });

  it('are given up after a day, the time for which a request waits', async () => {
    world.mail.refusal = { code: 450, text: 'Never' };
    await ask();
    await refused();
    await world.source.query(`UPDATE access_mails SET created = now() - interval '25 hours'`);
    await take();
    await until(async () => (await rows()).length === 0);
    await until(async () => (await jobs()).length === 0);
    expect([mails(owner), mails(admin)]).toEqual([[], []]);
  });

  it('are sent though their event was published by a process that died then', async () => {
    const id = await ask();
    await allSent();
    await world.source.query(`INSERT INTO access_mails (request_id, user_id, kind) VALUES ($1, $2, 'asked')`, [
      id,
      owner.id,
    ]);
    await until(() => mails(owner).length === 2);
  });

  it('are sent though Redis lost its data', async () => {
    world.mail.refusal = { code: 450, text: 'Later' };
    await ask();
    await refused();
    await world.redis.kill();
    await world.redis.start();
    expect(await redisDump(world.redis.url)).not.toContain('-asked');
    world.mail.refusal = undefined;
    await later();
    await allSent();
    expect([mails(owner).length, mails(admin).length]).toEqual([1, 1]);
  });

  it('are sent though Redis was down', async () => {
    await world.redis.kill();
    await ask();
    expect(await rows()).toHaveLength(2);
    await world.redis.start();
    await allSent();
    expect([mails(owner).length, mails(admin).length]).toEqual([1, 1]);
  });
});

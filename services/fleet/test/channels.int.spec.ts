import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Role } from '@warren/proto/common/v1/common';
import { ChannelKind } from '@warren/proto/fleet/v1/notifications';
import type { Caller } from '@warren/platform/rpc/caller';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { user } from './callers.ts';
import { NotifyWorld } from './notify.world.ts';

// A machine that is busy takes its time.
const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
const HOOK = 'https://hooks.example.com/services/T0/B0/very-secret-1234';

describe('notification channels', () => {
  let world: NotifyWorld;
  let account: string;
  let owner: Caller;
  beforeAll(async () => {
    world = await NotifyWorld.start();
    account = world.account();
    owner = user(account, Role.OWNER);
  });
  afterAll(() => world?.end());

  const listed = async (caller: Caller, accountId = '') => (await world.channels.list(caller, { accountId })).channels;
  const fails = (work: Promise<unknown>, code: string, message?: string) =>
    expect(work).rejects.toMatchObject({ code, ...(message && { message: expect.stringContaining(message) }) });

  it('are kept without what is secret of them in clear', async () => {
    const { id, secret, channel } = await world.channel(owner, { name: 'Ops', target: { url: HOOK } });
    expect(channel).toMatchObject({
      accountId: account,
      kind: ChannelKind.WEBHOOK,
      target: { url: 'https://hooks.example.com/…1234', addresses: [] },
      enabled: true,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [row] = await world.source.query<Record<string, unknown>[]>(
      `SELECT c::text AS text, encode(url, 'escape') AS url, encode(secret, 'escape') AS secret
       FROM notification_channels c WHERE id = $1`,
      [id],
    );
    expect(JSON.stringify(row)).not.toMatch(/very-secret|services\/T0|whsec/);
    expect(JSON.stringify(await listed(owner))).not.toMatch(/very-secret|services\/T0|whsec/);
  });

  it('are in the audit trail, without what is secret of them', async () => {
    const { id } = await world.channel(owner, { name: 'Audited', target: { url: HOOK } });
    await world.change(owner, { id, target: { url: `${HOOK}-and-9876` }, afterMinutes: 5 });
    await world.channels.rotateSecret(owner, { id });
    await world.channels.delete(owner, { id });
    const changes = () =>
      world.heard.flatMap(({ kind, accountId }) =>
        kind.case === 'audit' && accountId === account && kind.value.target?.name === 'Audited' ? [kind.value] : [],
      );
    await until(() => changes().length === 4);
    expect(changes().map(({ action }) => action)).toEqual([
      ...['channel.create', 'channel.change', 'channel.rotate_secret', 'channel.delete'],
    ]);
    const [, changed, rotated] = changes().map(({ changes: fields }) => fields);
    expect(changed).toMatchObject([
      { field: 'sends_to', before: '"https://hooks.example.com/…1234"', after: '"https://hooks.example.com/…9876"' },
      { field: 'url', hidden: true },
      { field: 'after_minutes', before: '0', after: '5' },
    ]);
    expect(rotated).toMatchObject([{ field: 'signing_secret', hidden: true }]);
    expect(changes()[0]).toMatchObject({ actor: { email: 'someone@example.com' } });
    const hidden = changes().flatMap(({ changes: fields }) => fields.filter((field) => field.hidden));
    expect(hidden.every(({ before, after }) => before === undefined && after === undefined)).toBe(true);
  });

  it("are not another account's", async () => {
    const { id } = await world.channel(owner);
    const stranger = user(world.account('Other'), Role.OWNER);
    const member = user(account, Role.MEMBER);
    expect(await listed(stranger)).toEqual([]);
    await fails(listed(stranger, account), 'not_found');
    await fails(listed(member), 'permission_denied');
    await fails(world.channel(stranger, { accountId: account }), 'not_found');
    await fails(world.channel(member), 'permission_denied');
    for (const [caller, code] of [
      [stranger, 'not_found'],
      [member, 'permission_denied'],
    ] as const) {
      await fails(world.change(caller, { id, name: 'Mine' }), code);
      await fails(world.channels.delete(caller, { id }), code);
      await fails(world.channels.rotateSecret(caller, { id }), code);
      await fails(world.notifications.test(caller, { id }), code);
    }
    const operator = user(uuidv7(), Role.ADMIN, true);
    await fails(world.change(operator, { id, name: 'Mine' }), 'permission_denied');
    expect((await listed(superAdmin, account)).map((one) => one.id)).toContain(id);
  });

  it('are of an account that exists', () =>
    fails(world.channel(superAdmin, { accountId: uuidv7() }), 'not_found', 'account'));

  it.each([
    [{ name: ' ' }, 'name'],
    [{ kind: ChannelKind.UNSPECIFIED }, 'kind'],
    [{ target: { url: 'ftp://example.com/' } }, 'target.url'],
    [{ target: { url: 'https://user:password@example.com/' } }, 'target.url'],
    [{ target: { url: `https://example.com/${'x'.repeat(2_048)}` } }, 'target.url'],
    [{ kind: ChannelKind.MAIL, target: { addresses: [] } }, 'target.addresses'],
    [{ kind: ChannelKind.MAIL, target: { addresses: ['a@b.test\r\nBcc: c@d.test'] } }, 'target.addresses.0'],
    [{ minSeverity: 'bad' }, 'min_severity'],
    [{ afterMinutes: 1_441 }, 'after_minutes'],
    [{ quiet: { from: '22:00', to: '22:00', zone: 'Europe/Berlin' } }, 'quiet.to'],
    [{ quiet: { from: '22:00', to: '06:00', zone: 'Mars/Olympus' } }, 'quiet.zone'],
  ])('can not be %j', async (wrong, field) => {
    const failure = await world.channel(owner, wrong).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_argument', problems: [expect.objectContaining({ field })] });
  });

  it('have a name once in an account, and are 20 at most', async () => {
    const full = user(world.account('Full'), Role.ADMIN);
    await world.channel(full, { name: 'Channel 0' });
    await fails(world.channel(full, { name: 'CHANNEL 0' }), 'already_exists');
    await Promise.all(Array.from({ length: 19 }, (_, at) => world.channel(full, { name: `Channel ${at + 1}` })));
    await fails(world.channel(full, { name: 'One more' }), 'failed_precondition', '20 channels');
  });

  it('change what is asked for, and nothing else', async () => {
    const quiet = { from: '22:00', to: '06:00', zone: 'Europe/Berlin', exceptCritical: true };
    const { id } = await world.channel(owner, { name: 'Nightly', quiet, afterMinutes: 15 });
    expect(await world.change(owner, { id, minSeverity: 'critical' })).toMatchObject({
      name: 'Nightly',
      minSeverity: 'critical',
      quiet,
      afterMinutes: 15,
    });
    expect(await world.change(owner, { id, clearQuiet: true, enabled: false })).not.toHaveProperty('quiet');
  });

  it('are deleted with their account', async () => {
    const gone = world.account('Gone');
    await world.channel(user(gone, Role.OWNER));
    const { newEvent } = await import('@warren/platform/events/event');
    const { EventBus } = await import('@warren/platform/events/event.bus');
    const event = newEvent({ accountId: gone, kind: { case: 'accountDeleted', value: { accountId: gone } } });
    await world.tenancy.get(EventBus).publish(event);
    await until(async () => (await listed(superAdmin, gone)).length === 0);
  });

  it('are tested 60 times in an hour at most, whichever they are', async () => {
    await world.source.query(`INSERT INTO notification_uses VALUES ($1, 'test', date_trunc('hour', now()), 59)`, [
      account,
    ]);
    const [one, other] = [await world.channel(owner), await world.channel(owner)];
    await world.notifications.test(owner, { id: one.id });
    await fails(world.notifications.test(owner, { id: other.id }), 'resource_exhausted');
    await world.source.query(`UPDATE notification_uses SET hour = hour - interval '1 hour' WHERE account_id = $1`, [
      account,
    ]);
    await world.source.query('UPDATE notification_channels SET tested_at = NULL WHERE id = $1', [other.id]);
    expect(await world.notifications.test(owner, { id: other.id })).toMatchObject({ delivered: true });
  });

  describe('send a test message', () => {
    it('that the reference library verifies, also after a new secret', async () => {
      const { id, path, secret } = await world.channel(owner);
      expect(await world.notifications.test(owner, { id })).toEqual({ delivered: true, reason: '' });
      const verified = (key: string) => {
        const { body, headers } = world.hooks.on(path).at(-1) ?? { body: '', headers: {} };
        return new Webhook(key).verify(body, headers as Record<string, string>);
      };
      expect(verified(secret)).toMatchObject({ type: 'test', data: { account_id: account, groups: [] } });
      // Any spelling of the id.
      const { secret: next = '' } = await world.channels.rotateSecret(owner, { id: id.toUpperCase() });
      expect(() => verified(next)).toThrow();
      await fails(world.notifications.test(owner, { id }), 'resource_exhausted');
      await world.source.query('UPDATE notification_channels SET tested_at = NULL WHERE id = $1', [id]);
      await world.notifications.test(owner, { id });
      expect(verified(next)).toMatchObject({ type: 'test' });
      expect(verified(secret)).toMatchObject({ type: 'test' });
      await world.source.query(
        `UPDATE notification_channels SET tested_at = NULL, former_until = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      await world.notifications.test(owner, { id });
      expect(verified(next)).toMatchObject({ type: 'test' });
      expect(() => verified(secret)).toThrow();
      await until(async () => {
        const columns = 'former_secret, former_until';
        const [row] = await world.source.query<object[]>(`SELECT ${columns} FROM notification_channels WHERE id = $1`, [
          id,
        ]);
        return Object.values(row ?? {}).every((value) => value === null);
      });
    });

    it.each([
      [ChannelKind.SLACK, 404, 'no_service', 'The receiver answered 404: no_service.'],
      [ChannelKind.TEAMS, 400, 'BadRequest', 'The receiver answered 400.'],
      [ChannelKind.WEBHOOK, 302, '', 'The receiver answered with a redirect (302), which is not followed.'],
    ])('or say why not (%#)', async (kind, status, body, reason) => {
      const { id } = await world.channel(owner, { kind });
      const usual = world.hooks.answer;
      world.hooks.status(status, { location: 'http://127.0.0.1/' }, body);
      expect(await world.notifications.test(owner, { id })).toEqual({ delivered: false, reason });
      world.hooks.answer = usual;
      const channel = (await listed(owner)).find((one) => one.id === id);
      expect(channel).toMatchObject({ lastError: reason, lastFailure: expect.anything() });
    });

    it('to no private address', async () => {
      const { id } = await world.channel(owner, { target: { url: 'https://169.254.169.254/latest/meta-data' } });
      const { reason } = await world.notifications.test(owner, { id });
      expect(reason).toBe('The URL leads to an address that the hub does not connect to.');
    });

    it('by mail, or with what the mail server says', async () => {
      const target = { addresses: ['ann@acme.test', 'bob@acme.test'] };
      const { id } = await world.channel(owner, { kind: ChannelKind.MAIL, target });
      expect(await world.notifications.test(owner, { id })).toEqual({ delivered: true, reason: '' });
      expect(world.mail.to('bob@acme.test')[0]?.source).toContain('Subject: [Warren] Test message');
      world.mail.refusal = { code: 550, text: 'No such user' };
      await world.source.query('UPDATE notification_channels SET tested_at = NULL WHERE id = $1', [id]);
      const { reason } = await world.notifications.test(owner, { id });
      expect(reason).toMatch(/^The mail server says: 550/);
      world.mail.refusal = undefined;
    });
  });

  it('follow a change of the key, and have no URLs without one', async () => {
    const { id, path } = await world.channel(owner);
    const next = 'the-next-key-of-these-tests-and-no-others';
    const { ChannelsService } = await import('../src/notifications/channels/channels.service.ts');
    const { NotificationsService } = await import('../src/notifications/delivery/notifications.service.ts');
    const { CHANNEL_KEY } = await import('./notify.world.ts');
    await world.replica({ CHANNEL_KEY: `${next},${CHANNEL_KEY}` });
    const after = await world.replica({ CHANNEL_KEY: next });
    const before = world.hooks.on(path).length;
    expect(await after.get(NotificationsService).test(owner, { id })).toMatchObject({ delivered: true });
    expect(world.hooks.on(path)).toHaveLength(before + 1);
    const none = await world.replica({ CHANNEL_KEY: '' });
    const channel = {
      name: 'Keyless',
      kind: ChannelKind.SLACK,
      target: { url: HOOK },
      minSeverity: 'info',
      afterMinutes: 0,
      recovery: true,
      enabled: true,
    };
    await fails(none.get(ChannelsService).create(owner, { channel } as never), 'failed_precondition', 'CHANNEL_KEY');
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import type { Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ChannelKind, NotificationState } from '@warren/proto/fleet/v1/notifications';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { user } from './callers.ts';
import { answerAsSlack, answerAsTeams } from './chat.receivers.ts';
import { NotifyWorld } from './notify.world.ts';

// A machine that is busy takes its time.
describe('notifications', () => {
  let world: NotifyWorld;
  let account: string;
  let owner: Caller;
  beforeAll(async () => {
    world = await NotifyWorld.start();
  });
  afterAll(() => world?.end());
  beforeEach(() => {
    account = world.account();
    owner = user(account, Role.OWNER);
  });
  afterEach(() => {
    world.hooks.status(200);
    world.mail.refusal = undefined;
  });

  const only = async () => {
    const rows = (await world.list(owner)) ?? [];
    expect(rows).toHaveLength(1);
    return rows[0];
  };
  /** Makes the messages of a change, and attempts their delivery. */
  const deliver = async () => {
    await world.collect();
    await world.due();
  };
  const attempted = (attempts: number) => until(async () => (await only())?.attempts === attempts);
  const raw = async (id = '') => {
    const [row] = await world.source.query<{ wait: number; leased_until: Date | null }[]>(
      'SELECT extract(epoch FROM next_attempt - now())::float8 AS wait, leased_until FROM notifications WHERE id = $1',
      [id],
    );
    return row;
  };

  it('reach a webhook, signed, with what happened', async () => {
    const { id, path, secret } = await world.channel(owner, { name: 'Ops' });
    const change = await world.alerts(account, { count: 1_200 });
    await deliver();
    await until(() => world.hooks.on(path).length === 1);
    const { body = '', headers = {} } = world.hooks.on(path)[0] ?? {};
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      type: 'alerts.changed',
      timestamp: expect.any(String),
      data: {
        id: headers['webhook-id'],
        account_id: account,
        title: 'Warning: Disk almost full, 1200 devices',
        severity: 'warning',
        url: 'https://hub.test/alerts',
        groups: [
          {
            rule_id: change.rule_id,
            rule_name: 'Disk almost full',
            kind: 'opened',
            severity: 'warning',
            count: 1_200,
            since: change.created_at.toISOString(),
            examples: [expect.objectContaining({ device_name: 'kiosk-7', detail: 'disk 93 %' })],
          },
        ],
        omitted_groups: 0,
      },
    });
    await until(async () => (await only())?.state === NotificationState.DELIVERED);
    expect(await only()).toMatchObject({ channelId: id, channelName: 'Ops', attempts: 1, lastError: '' });
  });

  it('reach Slack, Teams and mail in their forms', async () => {
    const slack = await world.channel(owner, { kind: ChannelKind.SLACK });
    const teams = await world.channel(owner, { kind: ChannelKind.TEAMS });
    await world.channel(owner, {
      kind: ChannelKind.MAIL,
      target: { addresses: [`a@${account}.test`, `b@${account}.test`] },
    });
    const example = {
      alertId: uuidv7(),
      deviceId: uuidv7(),
      deviceName: '<!channel> & co',
      detail: '[x](https://evil.test)',
    };
    world.hooks.answer = (response, { path, body }) =>
      path === slack.path ? answerAsSlack(response, body) : answerAsTeams(response, body);
    await world.alerts(account, { examples: [example] });
    await deliver();
    await until(() => world.hooks.on(slack.path).length + world.hooks.on(teams.path).length === 2);
    const [toSlack, toTeams] = [slack, teams].map(({ path }) => world.hooks.on(path)[0]?.body ?? '');
    expect(JSON.parse(toSlack ?? '')).toMatchObject({
      text: 'Warning: Disk almost full, &lt;!channel&gt; &amp; co',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Warning: Disk almost full, <!channel> & co' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: expect.stringContaining('• &lt;!channel&gt; &amp; co: [x]') },
        },
        { type: 'actions', elements: [{ type: 'button', url: 'https://hub.test/alerts' }] },
      ],
    });
    const [attachment] = (
      JSON.parse(toTeams ?? '') as { attachments: { contentType: string; content: { body: { type: string }[] } }[] }
    ).attachments;
    expect(attachment).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl', url: 'https://hub.test/alerts' }] },
    });
    expect(new Set(attachment?.content.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
    await until(() => world.mail.to(`b@${account}.test`).length === 1);
    const [mail] = world.mail.to(`a@${account}.test`);
    expect(mail).toMatchObject({ user: 'hub@mail.test', encrypted: true });
    const { to, source } = mail ?? { to: [], source: '' };
    expect(to).toHaveLength(2);
    expect(source).toContain('&lt;!channel&gt; &amp; co');
    expect(source).toMatch(/^Message-ID: <[\da-f-]{36}@hub\.test>\r$/m);
    const delivered = async () => (await world.list(owner, { state: NotificationState.DELIVERED }))?.length === 3;
    await until(delivered);
  });

  it('are tried again under the same id, at ever longer intervals', async () => {
    const { id, path, secret } = await world.channel(owner);
    await world.alerts(account);
    world.hooks.status(503);
    await deliver();
    await attempted(1);
    expect((await raw((await only())?.id))?.wait).toBeGreaterThan(15);
    expect((await raw((await only())?.id))?.wait).toBeLessThanOrEqual(30);
    await world.due();
    await attempted(2);
    expect(await only()).toMatchObject({
      state: NotificationState.WAITING,
      lastError: 'The receiver answered 503.',
      nextAttempt: expect.anything(),
    });
    world.hooks.status(200);
    await world.due();
    await until(async () => (await only())?.state === NotificationState.DELIVERED);
    const ids = world.hooks.on(path).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([(await only())?.id, (await only())?.id, (await only())?.id]);
    const { body = '', headers = {} } = world.hooks.on(path).at(-1) ?? {};
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    const channel = (await world.channels.list(owner, { accountId: '' })).channels.find((one) => one.id === id);
    expect(channel).toMatchObject({ lastError: '', lastSuccess: expect.anything(), lastFailure: expect.anything() });
  });

  it('leave a receiver alone for as long as it asks', async () => {
    await world.channel(owner);
    await world.alerts(account);
    world.hooks.status(429, { 'retry-after': '3600' });
    await deliver();
    await attempted(1);
    const wait = (await raw((await only())?.id))?.wait ?? 0;
    expect(wait).toBeGreaterThan(3_540);
    expect(wait).toBeLessThanOrEqual(3_600);
  });

  it('fail after 10 attempts, stay visible, and can be delivered again', async () => {
    const { path } = await world.channel(owner);
    await world.alerts(account);
    world.hooks.status(500);
    await world.collect();
    await world.source.query('UPDATE notifications SET attempts = 9 WHERE account_id = $1', [account]);
    await world.due();
    await until(async () => (await only())?.state === NotificationState.FAILED);
    const { id = '' } = (await only()) ?? {};
    expect(await only()).toMatchObject({ attempts: 10, lastError: 'The receiver answered 500.' });
    const before = world.hooks.on(path).length;
    await world.due();
    const stranger = user(world.account(), Role.OWNER);
    await expect(world.notifications.retry(stranger, { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.notifications.retry(user(account, Role.MEMBER), { id })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    expect(world.hooks.on(path)).toHaveLength(before);
    world.hooks.status(200);
    await world.notifications.retry(owner, { id });
    await until(async () => (await only())?.state === NotificationState.DELIVERED);
    await expect(world.notifications.retry(owner, { id })).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it.each([404, 410])('disable a channel that answers %i three times in a row', async (status) => {
    const { id } = await world.channel(owner);
    await world.alerts(account);
    world.hooks.status(status);
    await deliver();
    for (const times of [1, 2]) {
      await attempted(times);
      await world.due();
    }
    await until(async () => (await only())?.state === NotificationState.FAILED);
    const channel = (await world.channels.list(owner, { accountId: '' })).channels.find((one) => one.id === id);
    expect(channel).toMatchObject({ enabled: false, lastError: expect.stringContaining('was disabled after 3') });
    const failed = await only();
    await expect(world.notifications.retry(owner, { id: failed?.id ?? '' })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    world.hooks.status(200);
    await world.change(owner, { id, enabled: true });
    await world.notifications.retry(owner, { id: failed?.id ?? '' });
    await until(async () => (await only())?.state === NotificationState.DELIVERED);
  });

  it('come again after a crash between send and commit, under the same id', async () => {
    const { path } = await world.channel(owner);
    await world.alerts(account);
    await world.collect();
    const { id = '' } = (await only()) ?? {};
    const other = world.source.createQueryRunner();
    let killed = 0;
    const kill = async () => {
      const [row] = await world.source.query<{ n: number }[]>(
        `SELECT count(pg_terminate_backend(pid))::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE %"notifications" SET "state"%'`,
      );
      killed += row?.n ?? 0;
    };
    // The receiver has the message, and the connection to the database breaks before that is noted.
    world.hooks.answer = async (response) => {
      await other.startTransaction();
      await other.query('SELECT 1 FROM notifications WHERE id = $1 FOR UPDATE', [id]);
      response.end();
    };
    await world.due();
    await until(async () => {
      await kill();
      return killed > 0;
    });
    await other.rollbackTransaction();
    await other.release();
    expect(await only()).toMatchObject({ state: NotificationState.WAITING, attempts: 0 });
    expect((await raw(id))?.leased_until).not.toBeNull();
    world.hooks.status(200);
    await until(async () => {
      await world.due();
      return (await only())?.state === NotificationState.DELIVERED;
    });
    const ids = world.hooks.on(path).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids)).toEqual(new Set([id]));
  });

  it('fail if they can not be made', async () => {
    await world.channel(owner);
    await world.alerts(account);
    await world.collect();
    await world.source.query(`UPDATE notifications SET content = '{}' WHERE account_id = $1`, [account]);
    await world.due();
    await attempted(1);
    expect((await only())?.lastError).toBe('The hub could not send the message; its log says why.');
  });

  it('by mail wait for a mail server that refuses them', async () => {
    await world.channel(owner, { kind: ChannelKind.MAIL, target: { addresses: [`a@${account}.test`] } });
    world.mail.refusal = { code: 450, text: 'Greylisted' };
    await world.alerts(account);
    await deliver();
    await attempted(1);
    expect((await only())?.lastError).toMatch(/^The mail server says: 450 Greylisted/);
    world.mail.refusal = undefined;
    await world.due();
    await until(async () => (await only())?.state === NotificationState.DELIVERED);
  });

  it("are listed by channel and state, page by page, and are not another account's", async () => {
    const { id: channelId } = await world.channel(owner);
    await world.channel(owner);
    for (const rule_name of ['One', 'Two', 'Three']) await world.alerts(account, { rule_name });
    await deliver();
    const of = { channelId, state: NotificationState.DELIVERED };
    await until(async () => (await world.list(owner, of))?.length === 3);
    const [first, second] = (await world.list(owner, { ...of, limit: 2 })) ?? [];
    const rest = await world.list(owner, { ...of, limit: 2, before: second?.id ?? '' });
    expect(rest).toHaveLength(1);
    expect([first?.id, second?.id]).not.toContain(rest?.[0]?.id);
    expect(await world.list(owner, { state: NotificationState.FAILED })).toEqual([]);
    const stranger = user(world.account(), Role.OWNER);
    expect(await world.list(stranger)).toEqual([]);
    await expect(world.list(stranger, { accountId: account })).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.list(user(account, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

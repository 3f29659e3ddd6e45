import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@warren/infra/nats';
import { SIGNALS } from '@warren/platform/broker/keys';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent } from '@warren/platform/events/event';
import { Role, Status } from '@warren/proto/common/v1/common';
import type { IncomingMessage } from 'node:http';
import { LiveService } from '../src/live/live.service.ts';
import { ACCOUNT, DEVICE, OTHER_ACCOUNT, person, TestGateway, type Person } from './gateway.ts';
import { until } from '@warren/infra/until';

const member = () => person('member', Role.MEMBER);
const operator = () => person('operat', Role.MEMBER, { account: OTHER_ACCOUNT, operator: true });

/** An open stream and what came through it. */
class Stream {
  text = '';
  ended = false;

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    response.once('close', () => (this.ended = true));
  }

  /** Names of the events that came, without the heartbeat. */
  get events(): string[] {
    return [...this.text.matchAll(/^event: (.*)$/gm)].flatMap(([, name]) => (name && name !== 'alive' ? [name] : []));
  }

  get changes(): { kind: string; id: string; account: string }[] {
    return [...this.text.matchAll(/^event: change\n(?:id: .*\n)?data: (.*)$/gm)].map(([, data]) =>
      JSON.parse(data ?? ''),
    );
  }
}

describe('live events', () => {
  let nats: Awaited<ReturnType<typeof startNats>>;
  let gateway: TestGateway;
  let bus: EventBus;
  const streams: Stream[] = [];

  beforeAll(async () => {
    // On a separate bus: operators receive the events of every other test.
    nats = await startNats();
    gateway = await TestGateway.start({ NATS_URL: nats.url });
    bus = gateway.app.get(EventBus);
  });
  afterEach(async () => {
    for (const { response } of streams.splice(0)) response.destroy();
    gateway.people.clear();
    await until(() => gateway.app.get(LiveService).open === 0);
  });
  afterAll(async () => {
    await gateway?.stop();
    await nats?.stop();
  });

  async function open(who: Person, query = ''): Promise<Stream> {
    gateway.signIn(who);
    const stream = new Stream(await gateway.open('GET', `/api/events${query}`, { as: who }));
    streams.push(stream);
    await until(() => stream.text.includes(': open'));
    return stream;
  }

  it('says every second that it is there, as an event that a script hears', async () => {
    const stream = await open(member());
    await until(() => (stream.text.match(/^event: alive$/gm)?.length ?? 0) >= 2);
  });

  const publish = (kind: Parameters<typeof newEvent>[0]['kind'], accountId = ACCOUNT) =>
    bus.publish(newEvent({ kind, accountId } as Parameters<typeof newEvent>[0]));

  const deviceChanged = (deviceId: string, account = ACCOUNT, previousAccountId = '') =>
    publish({ case: 'deviceChanged', value: { deviceId, previousAccountId } }, account);

  it('are an unbuffered stream', async () => {
    const { headers } = (await open(member())).response;
    expect(headers['content-type']).toBe('text/event-stream');
    expect(headers['x-accel-buffering']).toBe('no');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('reach those of the account and operators, and no other user', async () => {
    const [own, all] = [await open(member()), await open(operator())];
    await deviceChanged('elsewhere', OTHER_ACCOUNT);
    await publish({ case: 'userChanged', value: { userId: 'u1', email: '', active: true } });
    await deviceChanged(DEVICE);
    await until(() => own.changes.length > 0 && all.changes.length > 1);
    expect(own.changes).toEqual([{ kind: 'device', id: DEVICE, account: ACCOUNT }]);
    expect(all.changes.map(({ id }) => id)).toEqual(['elsewhere', DEVICE]);
  });

  it('reach both accounts of a device that moved', async () => {
    const own = await open(member());
    await deviceChanged(DEVICE, OTHER_ACCOUNT, ACCOUNT);
    await until(() => own.changes.length > 0);
    expect(own.changes).toEqual([{ kind: 'device', id: DEVICE, account: ACCOUNT }]);
  });

  it('end at once when the user is disabled', async () => {
    const who = member();
    const own = await open(who);
    who.member.user = { ...who.member.user, status: Status.INACTIVE };
    await publish({ case: 'userChanged', value: { userId: String(who.member.user['id']), email: '', active: false } });
    await until(() => own.ended, 3_000);
  });

  it('end at once when the account is disabled', async () => {
    const who = member();
    const own = await open(who);
    who.member.accountStatus = Status.INACTIVE;
    await publish({ case: 'accountChanged', value: { accountId: ACCOUNT, name: '', active: false, operator: false } });
    await until(() => own.ended, 3_000);
  });

  it('end with the session, and those of other sessions continue', async () => {
    const [own, other] = [await open(member()), await open(operator())];
    const hash = `hash-${member().cookie.slice('warren='.length)}`;
    await gateway.redis.publish(SIGNALS.sessionsEnded, `x ${hash}`);
    await until(() => own.ended, 2_000);
    expect(other.ended).toBe(false);
  });

  it('end when the session expires, of which there is no signal', async () => {
    const who = member();
    const secret = who.cookie.slice('warren='.length);
    gateway.timesLeft.set(secret, 500);
    const own = await open(who);
    gateway.people.delete(who.cookie);
    await until(() => own.ended, 2_000);
    gateway.timesLeft.clear();
  });

  it('continue when something else about the user changed', async () => {
    const who = member();
    const own = await open(who);
    await publish({ case: 'userChanged', value: { userId: String(who.member.user?.['id']), email: '', active: true } });
    await deviceChanged(DEVICE);
    await until(() => own.changes.length > 0);
    expect(own.ended).toBe(false);
  });

  it('begin with what changed since the page began to read, each thing once', async () => {
    const other = () => person('other', Role.MEMBER, { account: OTHER_ACCOUNT });
    const watching = await open(other());
    // By now this process has listened for longer than the age that is asked for below.
    await until(() => watching.text.includes('event: alive'));
    const begun = performance.now();
    await deviceChanged(DEVICE);
    for (const id of ['d1', 'd2', 'd1']) await deviceChanged(id, OTHER_ACCOUNT);
    await until(() => watching.changes.length === 3);
    const late = await open(other(), `?age=${Math.ceil(performance.now() - begun) + 500}`);
    await until(() => late.events.includes('current'));
    expect(late.changes.map(({ id }) => id)).toEqual(['d1', 'd2']);
    expect(late.events).not.toContain('resync');
  });

  it('say to a page that is older than this process that anything may have changed', async () => {
    const stream = await open(member(), '?age=86400000');
    await until(() => stream.events.length > 0);
    expect(stream.events).toEqual(['resync', 'current']);
  });

  it('have everything read again when the role is another, and end', async () => {
    const who = person('riser', Role.MEMBER);
    const own = await open(who);
    who.member.user = { ...who.member.user, role: Role.OWNER };
    await publish({ case: 'userChanged', value: { userId: String(who.member.user['id']), email: '', active: true } });
    await until(() => own.ended, 3_000);
    expect(own.events).toEqual(['resync']);
  });

  it('refuse an age that is none', async () => {
    const answer = await gateway.get('/api/events?age=-1', gateway.signIn(member()));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('age');
  });

  it('are refused without a session', async () => {
    expect((await gateway.get('/api/events')).status).toBe(401);
  });

  it('are refused beyond the number that a person may have open', async () => {
    const who = member();
    for (let count = 0; count < 24; count++) await open(who);
    const { status, headers } = await gateway.get('/api/events', who);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('30');
  });
});

it('live events do not delay the end of the process', async () => {
  const gateway = await TestGateway.start();
  const who = gateway.signIn(member());
  const stream = new Stream(await gateway.open('GET', '/api/events', { as: who }));
  await until(() => stream.text !== '');
  await gateway.stop();
  await until(() => stream.ended);
});

it('live events make all pages reload after an outage of the bus', async () => {
  const nats = await startNats();
  const gateway = await TestGateway.start({ NATS_URL: nats.url });
  try {
    const who = gateway.signIn(member());
    const stream = new Stream(await gateway.open('GET', '/api/events', { as: who }));
    await until(() => stream.text.includes(': open'));
    await nats.kill();
    await nats.start();
    await until(() => stream.ended);
    const again = new Stream(await gateway.open('GET', '/api/events', { as: who }));
    await until(() => again.text.includes(': open'));
    const kind = { case: 'deviceChanged', value: { deviceId: DEVICE } } as const;
    await gateway.app.get(EventBus).publish(newEvent({ kind, accountId: ACCOUNT }));
    await until(() => again.changes.length > 0);
  } finally {
    await gateway.stop();
    await nats.stop();
  }
});

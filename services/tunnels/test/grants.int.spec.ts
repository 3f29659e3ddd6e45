import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { v7 as uuidv7 } from 'uuid';
import { Links } from '../src/links/links.ts';
import { World } from './world.ts';

const { VIEW, TERMINAL, DESKTOP } = DevicePermission;
const LOST = 'You may not reach the device any more.';
/** What was withdrawn ends sooner than the check each 10 s, which waits for no event, would end it. People are promised 2 s. */
const PROMISED_MS = 4_500;
const GRANTED_MS = 5_000;

describe('what explicit grants allow', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
    });
  });
  afterAll(() => world?.stop());

  async function linked() {
    const device = world.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.app.get(Links).get(device.id) !== undefined);
    const userId = uuidv7();
    const { accountId } = device;
    return { device, agent, userId, accountId };
  }

  /** A member whom grants restrict. */
  function restrict(
    { userId, accountId, device }: Awaited<ReturnType<typeof linked>>,
    ...permissions: DevicePermission[]
  ) {
    const rights = new Map(permissions.length > 0 ? [[device.id, { permissions }]] : []);
    const person = { accountId, rights: rights as Map<string, { permissions: DevicePermission[]; until?: number }> };
    world.neighbours.people.restricted.set(userId, person);
    return person;
  }

  function open({ device, userId, accountId }: Awaited<ReturnType<typeof linked>>, more: object = {}) {
    const browser = world.browser(device.id, { userId, accountId, ...more });
    browser.socket.emit('register', { cols: 80, rows: 24 });
    return browser;
  }

  async function opened(of: Awaited<ReturnType<typeof linked>>) {
    const browser = open(of);
    await until(() => browser.heard('register_status')?.['success'] === true);
    return browser;
  }

  const refused = (browser: ReturnType<typeof open>) =>
    until(
      () => browser.heard('connect_error') !== undefined || browser.heard('register_status')?.['success'] === false,
    );
  const accessChanged = (accountId: string) =>
    world.publish({ case: 'accessChanged', value: { accountId } } as never, accountId);

  it('opens, and nothing else does', async () => {
    const of = await linked();
    const { rights } = restrict(of, VIEW, DESKTOP);
    await refused(open(of));
    await refused(open(of, { namespace: 'logs', purpose: SocketPurpose.LOGS }));
    rights.set(of.device.id, { permissions: [VIEW, TERMINAL] });
    await opened(of);
    await refused(open(of, { namespace: 'desktop', purpose: SocketPurpose.DESKTOP }));
    rights.clear();
    await refused(open(of));
  });

  it('is in the audit trail with the grant, and not where the role allows it', async () => {
    const [of, other] = [await linked(), await linked()];
    restrict(of, VIEW, TERMINAL);
    await opened(of);
    await opened(other);
    const grants = (device: string) =>
      world.events.flatMap(({ kind }) =>
        kind.case === 'audit' && kind.value.target?.id === device && kind.value.action === 'terminal.open'
          ? [kind.value.grantId]
          : [],
      );
    await until(() => grants(of.device.id).length > 0 && grants(other.device.id).length > 0);
    expect([grants(of.device.id), grants(other.device.id)]).toEqual([['g'], ['']]);
  });

  it.each([
    ['is withdrawn', (of: Awaited<ReturnType<typeof linked>>) => accessChanged(of.accountId)],
    [
      'names a saved filter that has changed',
      ({ accountId }: Awaited<ReturnType<typeof linked>>) =>
        world.publish({ case: 'savedFilterChanged', value: { accountId } } as never, accountId),
    ],
    [
      'finds the device no more, since its labels changed',
      (of: Awaited<ReturnType<typeof linked>>) =>
        world.publish(
          { case: 'devicesChanged', value: { deviceIds: [of.device.id] } } as never,
          of.accountId,
          uuidv7(),
        ),
    ],
    [
      'was of a group that the user has left',
      (of: Awaited<ReturnType<typeof linked>>) =>
        world.publish({
          case: 'userChanged',
          value: { userId: of.userId, email: `${of.userId}@example.org`, active: true },
        } as never),
    ],
  ])('ends at once when the grant %s', async (_what, change) => {
    const of = await linked();
    const { rights } = restrict(of, VIEW, TERMINAL);
    const browser = await opened(of);
    rights.clear();
    await change(of);
    await until(() => browser.heard('disconnect') !== undefined, PROMISED_MS);
    expect(browser.heard('register_status')).toMatchObject({ code: 'withdrawn', error: LOST });
    await until(() => of.agent.asked.length > 0, PROMISED_MS);
    expect(of.agent.asked[0]).toMatchObject({ userId: of.userId });
  });

  it('ends when the grant expires, without an event', async () => {
    const of = await linked();
    const person = restrict(of, VIEW, TERMINAL);
    let ends: number | undefined;
    person.rights.set(of.device.id, {
      permissions: [VIEW, TERMINAL],
      // From when it is first asked for.
      get until() {
        return (ends ??= Date.now() + GRANTED_MS);
      },
    });
    const browser = await opened(of);
    await until(() => {
      if (Date.now() >= (ends ?? Infinity)) person.rights.clear();
      return browser.heard('disconnect') !== undefined;
    }, GRANTED_MS + PROMISED_MS);
    expect(Date.now()).toBeGreaterThanOrEqual(ends ?? Infinity);
  });

  it('is all that is left when the account switches to explicit grants', async () => {
    const [lost, kept] = [await linked(), await linked()];
    const browsers = [await opened(lost), await opened(kept)] as const;
    // A token of before the switch opens nothing after it.
    const token = world.neighbours.token(lost.device.id, lost.userId, lost.accountId);
    restrict(lost);
    restrict(kept, VIEW, TERMINAL);
    for (const one of [lost, kept]) await accessChanged(one.accountId);
    await until(() => browsers[0].heard('disconnect') !== undefined, PROMISED_MS);
    await refused(open(lost, { token }));
    expect(browsers[1].heard('disconnect')).toBeUndefined();
  });

  it('is what detached terminals need, too', async () => {
    const of = await linked();
    const { rights } = restrict(of, VIEW, TERMINAL);
    await accessChanged(of.accountId);
    rights.set(of.device.id, { permissions: [VIEW] });
    expect(of.agent.asked).toEqual([]);
    await world.publish({ case: 'deviceChanged', value: { deviceId: of.device.id } } as never, of.accountId, uuidv7());
    await until(() => of.agent.asked.length > 0, PROMISED_MS);
    expect(of.agent.asked[0]).toMatchObject({ userId: of.userId, session: '' });
  });
});

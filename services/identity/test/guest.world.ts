import { create } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { commonConfig } from '@warren/platform/config/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type EventData } from '@warren/platform/events/event';
import { Fault } from '@warren/platform/errors/fault';
import { createRpcClient } from '@warren/platform/rpc/client';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcClient, RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { DevicePermission, Role, Status, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { DevicesService, type CheckDeviceAccessRequest } from '@warren/proto/devices/v1/devices';
import { GuestLinksService, GuestLinkState } from '@warren/proto/identity/v1/guests';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { startIdentity, type IdentityProcess } from './identity.process.ts';

export const WEB = { slug: 'pi-x7k2', ip: '127.0.0.1', port: 1880 };
const WANTED = { deviceName: 'pump-7', permission: DevicePermission.WEB, minutes: 60, pin: '', uses: 2, web: WEB };

/** A guest link with its secret. */
export interface Made {
  id: string;
  deviceId: string;
  secret: string;
}

/** What tenancy and the devices service say of everybody. */
const ALLOWED = {
  guestLinks: true as boolean | undefined,
  permissions: [DevicePermission.VIEW, DevicePermission.WEB],
  accountId: '',
  /** The devices service refuses identity, as one of before does. */
  refuses: false,
};

/** Tenancy and the devices service, as far as identity asks them. */
class Neighbours {
  readonly now = { ...ALLOWED };
  readonly known = new Map<string, UserCaller>();
  /** The devices that were asked about. */
  readonly asked: string[] = [];
  /** What answers to these makers wait for. */
  readonly held = new Map<string, Promise<void>>();

  async start(natsUrl: string): Promise<INestApplicationContext> {
    const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'tenancy', config })] })(ProcessModule);
    const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
    const tenancy = { resolveMember: (_caller: Caller, { email }: { email: string }) => this.member(email) };
    const devices = { checkDeviceAccess: (_caller: Caller, asked: CheckDeviceAccessRequest) => this.rights(asked) };
    app.get(RpcServer).serve(TenancyService, tenancy as unknown as RpcHandlers<typeof TenancyService>);
    app.get(RpcServer).serve(DevicesService, devices as unknown as RpcHandlers<typeof DevicesService>);
    return app.init();
  }

  private async member(email: string) {
    const known = this.known.get(email);
    if (!known) return {};
    const { userId: id, accountId, role } = known;
    const { guestLinks } = this.now;
    const user = { id, email, name: 'Ada', accountId, role, status: Status.ACTIVE };
    return { user, accountStatus: Status.ACTIVE, ...(guestLinks !== undefined && { guestLinks }) };
  }

  private async rights({ user, deviceIds }: CheckDeviceAccessRequest) {
    this.asked.push(...deviceIds);
    await this.held.get(user?.userId ?? '');
    if (this.now.refuses) throw new Fault('permission_denied', 'this call is between services.');
    const rights = this.now.permissions.map((permission) => ({ permission, grantId: 'g' }));
    const accountId = this.now.accountId || (user?.accountId ?? '');
    return { devices: deviceIds.map((deviceId) => ({ deviceId, accountId, rights })) };
  }
}

/** Identity with guest links, and the services that it asks about their makers. */
export class GuestWorld {
  readonly neighbours = new Neighbours();
  readonly heard: EventData<'audit'>[] = [];

  private constructor(
    readonly identity: IdentityProcess,
    readonly client: RpcClient<typeof GuestLinksService>,
  ) {}

  static async start(): Promise<GuestWorld> {
    const identity = await startIdentity();
    const client = createRpcClient(GuestLinksService, identity.app.get(NatsTransport));
    const world = new GuestWorld(identity, client);
    const app = await world.neighbours.start(identity.natsUrl);
    world.closeNeighbours = () => app.close();
    identity.app.get(EventBus).listen(({ kind }) => {
      if (kind.case === 'audit') world.heard.push(kind.value);
    });
    return world;
  }

  /** Gives everybody every right again. */
  allow(): void {
    Object.assign(this.neighbours.now, ALLOWED);
  }

  somebody(): UserCaller {
    const email = `${randomUUID()}@example.com`;
    const of = { userId: randomUUID(), email, name: 'Ada', accountId: randomUUID(), role: Role.MEMBER };
    const user = create(UserCallerSchema, of);
    this.neighbours.known.set(email, user);
    return user;
  }

  async make(user: UserCaller, more: object = {}) {
    const wanted = { ...WANTED, deviceId: randomUUID(), accountId: user.accountId, ...more };
    const { link, secret } = await this.client.createGuestLink(userCaller(user), wanted);
    return { id: link?.id ?? '', deviceId: link?.deviceId ?? '', secret, link };
  }

  redeem({ id, secret }: Made) {
    return this.client.redeemGuestLink(from(), { id, secret, name: 'Grace' });
  }

  async stateOf({ id, secret }: Made): Promise<GuestLinkState> {
    return (await this.client.lookUpGuestLink(from(), { id, secret })).link?.state ?? GuestLinkState.UNSPECIFIED;
  }

  endOf({ id }: Made): EventData<'audit'> | undefined {
    return this.heard.find(({ action, target }) => action === 'guest_link.end' && target?.id === id);
  }

  publish(user: UserCaller, kind: object, actor = user.userId): Promise<void> {
    const event = newEvent({ accountId: user.accountId, actor, kind: kind as never });
    return this.identity.app.get(EventBus).publish(event);
  }

  accessChanged(user: UserCaller): Promise<void> {
    return this.publish(user, { case: 'accessChanged', value: { accountId: user.accountId } });
  }

  userChanged(user: UserCaller, active = true): Promise<void> {
    return this.publish(user, { case: 'userChanged', value: { userId: user.userId, email: user.email, active } });
  }

  /** The ids of the links that wait for a review. */
  async waiting(): Promise<string[]> {
    const rows = (await this.identity.sql('SELECT link_id FROM guest_reviews')) as { link_id: string }[];
    return rows.map(({ link_id: id }) => id);
  }

  async stop(): Promise<void> {
    await this.closeNeighbours();
    await this.identity.stop();
  }

  private closeNeighbours: () => Promise<void> = async () => {};
}

export const from = () => serviceCaller('gateway', randomUUID());

/** `fine`, or the code of the fault with the field that is wrong. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fine',
    ({ code, problems }: { code: string; problems?: { field: string }[] }) =>
      [code, problems?.[0]?.field].join(' ').trim(),
  );
}

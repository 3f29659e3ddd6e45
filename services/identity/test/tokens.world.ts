import { create } from '@bufbuild/protobuf';
import { EventBus } from '@warren/platform/events/event.bus';
import type { EventData } from '@warren/platform/events/event';
import { createRpcClient } from '@warren/platform/rpc/client';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AuditOutcome } from '@warren/proto/audit/v1/audit';
import { Role, UserCallerSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { randomUUID } from 'node:crypto';
import { startIdentity, type IdentityProcess } from './identity.process.ts';

export const WANTED = { name: 'Nightly', permissions: ['devices.open'], days: 30, filter: '' };
export const ORIGIN = { address: '192.0.2.7', userAgent: 'curl' };

export interface Somebody {
  user: UserCaller;
  caller: Caller;
}

export function somebody(role = Role.OWNER, accountId: string = randomUUID(), more: object = {}): Somebody {
  const person = { userId: randomUUID(), email: `${randomUUID()}@Example.com`, accountId, role };
  const user = create(UserCallerSchema, { ...person, ...more });
  return { user, caller: userCaller(user) };
}

/** Identity, and the API tokens of people. */
export class TokensWorld {
  identity!: IdentityProcess;
  client!: RpcClient<typeof TokensService>;
  private readonly heard: EventData<'audit'>[] = [];

  async start(): Promise<this> {
    this.identity = await startIdentity();
    const bus = this.identity.app.get(EventBus);
    bus.listen(({ kind }) => kind.case === 'audit' && this.heard.push(kind.value));
    this.client = createRpcClient(TokensService, this.identity.app.get(NatsTransport));
    return this;
  }

  async stop(): Promise<void> {
    await this.identity?.stop();
  }

  make = (who: Somebody, more: Partial<typeof WANTED> = {}) =>
    this.client.createToken(who.caller, { ...WANTED, ...more });

  verify = (secret: string) => this.client.verifyToken(serviceCaller('gateway', 'request-1', ORIGIN), { secret });

  isRefused = (secret: string) =>
    this.verify(secret).then(
      () => false,
      (error: { code: string }) => error.code === 'unauthenticated',
    );

  /** Audit events about a person's tokens, in turn. */
  told = ({ user: { email } }: Somebody) =>
    this.heard.filter(
      (event) => event.action.startsWith('token.') && JSON.stringify(event).toLowerCase().includes(email.toLowerCase()),
    );

  toldOf = (who: Somebody) => this.told(who).map(({ action, outcome }) => `${action} ${AuditOutcome[outcome]}`);
}

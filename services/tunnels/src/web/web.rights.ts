import { create } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { may } from '@warren/platform/policy/policy';
import { serviceCaller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status, UserCallerSchema } from '@warren/proto/common/v1/common';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import type { WebPage } from './web.page.ts';
import { WebPages } from './web.pages.ts';
import type { StoredGrant } from './web.session.ts';

/** What a grant is worth now: who its user is and where it leads, or why it is worth nothing any more. */
export type Right = Granted | { ended: string };

export interface Granted {
  user: UserCaller;
  page: WebPage;
}

/** Whether somebody may still see the pages of a device: asked anew of everyone who knows a part of the answer. */
@Injectable()
export class WebRights {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    private readonly pages: WebPages,
  ) {}

  /** @throws Fault `unavailable` when nobody can say */
  async check({ user: { userId, email }, session, slug, deviceId }: StoredGrant): Promise<Right> {
    const tunnels = serviceCaller('tunnels');
    const [{ alive }, member, page] = await Promise.all([
      session === '' ? { alive: true } : this.identity.checkSession(tunnels, { session }),
      this.tenancy.resolveMember(tunnels, { email, name: '' }),
      this.pages.refresh(slug),
    ]);
    if (!alive) return { ended: 'The user has signed out.' };
    const { user, accountStatus, operator } = member;
    const active = user?.status === Status.ACTIVE && accountStatus === Status.ACTIVE;
    if (!user || user.id !== userId || !active) return { ended: 'The user is disabled.' };
    const { name, accountId, role } = user;
    const caller = create(UserCallerSchema, { userId, email, name, accountId, role, operator });
    if (page?.deviceId !== deviceId) return { ended: 'The device is deleted.' };
    if (!page.enabled) return { ended: `The web page of ${page.name} is disabled.` };
    if (!may(caller, 'devices.open', page.accountId)) return { ended: 'The user may not reach the device.' };
    return { user: caller, page };
  }
}

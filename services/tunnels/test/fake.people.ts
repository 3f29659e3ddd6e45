import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import type { LocalTransport } from '@warren/platform/rpc/local.transport';
import { DevicePermission, Role, Status, type UserCaller } from '@warren/proto/common/v1/common';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { AccessRequestsService } from '@warren/proto/tenancy/v1/requests';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';

/** What a person may do with a device. */
interface Right {
  permissions: readonly DevicePermission[];
  /** Milliseconds since 1970. */
  until?: number;
}

interface Person {
  accountId: string;
  /** By device. */
  rights: Map<string, Right>;
}

const GRANT = { id: 'g', permissions: [DevicePermission.VIEW], filter: '' };

/** Substitutes tenancy, and what the devices service says of access, for members whom explicit grants restrict. */
export class FakePeople {
  readonly restricted = new Map<string, Person>();
  /** Days that every account lets terminals be pinned; undefined while tenancy does not answer. */
  pinDays: number | undefined = 7;
  /** Accounts whose Owner and Admins may observe terminals. */
  readonly observable = new Set<string>();
  /** Roles of people; others are members. */
  readonly roles = new Map<string, Role>();
  private readonly known = new Map<string, { accountId: string; operator: boolean }>();

  /** Makes somebody a member whom nothing restricts, until they are in `restricted`. */
  know(userId: string, of: { accountId: string; operator: boolean }): void {
    this.known.set(userId, of);
  }

  serve(transport: LocalTransport): void {
    transport.serve(TenancyService, {
      resolveMember: async (_caller, { email }) => {
        const userId = email.slice(0, email.indexOf('@'));
        const person = this.restricted.get(userId);
        const { accountId, operator = false } = { ...this.known.get(userId), ...person };
        if (accountId === undefined) return {};
        const user = { id: userId, email, name: 'Ann', accountId, role: this.roleOf(userId), status: Status.ACTIVE };
        return { user, accountStatus: Status.ACTIVE, operator, guestLinks: true, ...(person && grantsOf(person)) };
      },
    });
    transport.serve(AccessRequestsService, {
      getTerminalRules: async (_caller, { accountId }) => {
        if (this.pinDays === undefined) throw new Fault('unavailable', 'tenancy is away.');
        return { pinDays: this.pinDays, observe: this.observable.has(accountId) };
      },
    });
    transport.serve(AccessService, {
      listRestricted: async (_caller, { accountId }) => ({
        users: [...this.restricted].flatMap(([userId, person]) =>
          person.accountId === accountId
            ? [{ userId, email: emailOf(userId), accountId, role: Role.MEMBER, ...grantsOf(person) }]
            : [],
        ),
      }),
    });
  }

  roleOf(userId: string): Role {
    return this.roles.get(userId) ?? Role.MEMBER;
  }

  check({ user, deviceIds }: { user?: UserCaller; deviceIds: string[] }) {
    const { accountId = '', rights } = this.restricted.get(user?.userId ?? '') ?? {};
    return {
      devices: deviceIds.flatMap((deviceId) => {
        const right = rights?.get(deviceId);
        if (!right) return [];
        const until = right.until === undefined ? {} : { until: timestampFromMs(right.until) };
        return {
          deviceId,
          accountId,
          rights: right.permissions.map((permission) => ({ permission, grantId: 'g', ...until })),
        };
      }),
    };
  }
}

function grantsOf({ rights }: Person) {
  return { explicitGrants: true, grants: rights.size > 0 ? [GRANT] : [] };
}

export function emailOf(userId: string): string {
  return `${userId}@example.org`;
}

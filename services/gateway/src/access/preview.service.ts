import { Injectable } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Role, type PageRequest } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { AccessService, type Restrictable } from '@warren/proto/tenancy/v1/access';
import { roleName } from '../http/enums.ts';
import { LossClasses, type Loss } from './loss.classes.ts';
import { byPermission } from './preview.schemas.ts';
import { SLOW } from './reach.service.ts';

/** A member or service account with its loss. */
interface Losing {
  member: Restrictable;
  loss: Loss;
}

/** Answers who would lose what with explicit grants. */
@Injectable()
export class PreviewService {
  constructor(
    @InjectRpc(AccessService) private readonly access: RpcClient<typeof AccessService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
  ) {}

  /**
   * Shows what each member keeps and loses, those who lose most first. Its work is bounded by classes, not by members times devices: it
   * reads the members in pages of 500, sorts them into at most 202 classes ({@link LossClasses}), and counts all classes in one call, which
   * matches each device against each of at most 200 filters once.
   * @throws Fault `not_found`, `permission_denied`
   */
  async preview(caller: Caller, accountId: string, page: PageRequest) {
    const [{ grants, operator }, restrictable] = await Promise.all([
      this.access.getAccess(caller, { accountId }),
      this.restrictable(caller, accountId),
    ]);
    const classes = new LossClasses({ accountId, operator, grants });
    for (const member of restrictable) classes.add(member);
    const { filters } = classes;
    const sets = classes.sets.map((places) => ({ places }));
    const answer = await this.devices.countReach(caller, { accountId, filters, sets }, SLOW);
    const lossOf = classes.lossesOf(answer);
    const losing = restrictable.map((member): Losing => ({ member, loss: lossOf(member) })).sort(byLoss);
    const people = losing.filter(({ member }) => !member.serviceAccount);
    const found = people.filter(({ member }) => isFound(member, page.search));
    const first = (page.page - 1) * page.limit;
    return {
      devices: answer.total,
      total: found.length,
      losing: totalsOf(losing),
      members: found.slice(first, first + page.limit).map(({ member, loss }) => ({
        ...nameOf(member),
        email: member.email,
        group: member.groupName,
        ...lossJson(loss),
      })),
      service_accounts: losing
        .filter(({ member }) => member.serviceAccount)
        .map(({ member, loss }) => ({ ...nameOf(member), ...lossJson(loss) })),
    };
  }

  private async restrictable(caller: Caller, accountId: string): Promise<Restrictable[]> {
    const found: Restrictable[] = [];
    let after = '';
    do {
      const { members, next } = await this.access.listRestrictable(caller, { accountId, after });
      found.push(...members);
      after = next;
    } while (after !== '');
    return found;
  }
}

const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function byLoss(one: Losing, other: Losing): number {
  const [name, otherName] = [one, other].map(({ member }) => member.name || member.email);
  return (
    other.loss.weight - one.loss.weight ||
    names.compare(name ?? '', otherName ?? '') ||
    (one.member.id < other.member.id ? -1 : 1)
  );
}

function isFound({ name, email }: Restrictable, search: string): boolean {
  return `${name} ${email}`.toLowerCase().includes(search.toLowerCase());
}

function totalsOf(all: readonly Losing[]) {
  const losers = all.filter(({ loss }) => loss.weight > 0);
  const programs = losers.filter(({ member }) => member.serviceAccount).length;
  return {
    all: all.filter(({ member }) => !member.serviceAccount).length,
    members: losers.length - programs,
    service_accounts: programs,
    permissions: byPermission((permission) => losers.filter(({ loss }) => loss.loses[permission] > 0).length),
  };
}

const nameOf = ({ id, name }: Restrictable) => ({ id, name, role: roleName(Role.MEMBER) });
const lossJson = ({ keeps, loses }: Loss) => ({ devices: keeps.view, keeps, loses });

import { create } from '@bufbuild/protobuf';
import { rightsOn } from '@warren/platform/policy/device.access';
import { permissionNames } from '@warren/platform/policy/permission.names';
import { AccessGrantSchema, Role, UserCallerSchema, type AccessGrant } from '@warren/proto/common/v1/common';
import type { Grant, Restrictable } from '@warren/proto/tenancy/v1/access';
import { GRANT_PERMISSIONS, type GrantPermission } from '@warren/rules/grants';
import { byPermission, type ByPermission } from './preview.schemas.ts';

/** What the members with the same grants keep and lose. */
export interface Loss {
  keeps: ByPermission;
  loses: ByPermission;
  /** All that they lose; 0: nothing. */
  weight: number;
}

/** A grant, as places of what it gives where. */
interface Placed {
  filter: number;
  gives: readonly GrantPermission[];
}

const EVERYONE = 'everyone';

/** The sets of filters that give a class each permission, as places of {@link LossClasses.sets}. */
type SetsOf = Record<GrantPermission, number>;

/**
 * Sorts members into classes with the same grants, so that what a class keeps is counted once. Each grant names a user, a group, a service
 * account or everyone, and an account has 200 grants at most, so there are 202 classes at most, and five sets of filters for each.
 */
export class LossClasses {
  /** The filters of the grants, each once. */
  readonly filters: string[] = [];
  /** Sets of places of {@link filters}, each once. */
  readonly sets: number[][] = [];
  private readonly ofSubject = new Map<string, Placed[]>();
  private readonly classes = new Map<string, SetsOf>();
  private readonly places = new Map<string, number>();
  private readonly accountId: string;
  private readonly operator: boolean;

  constructor({ accountId, operator, grants }: { accountId: string; operator: boolean; grants: readonly Grant[] }) {
    this.accountId = accountId;
    this.operator = operator;
    for (const grant of grants) this.place(grant);
  }

  /** Adds the class of a member, and the sets that it needs. */
  add(member: Restrictable): void {
    const key = this.keyOf(member);
    if (this.classes.has(key)) return;
    const grants = key.split(' ').flatMap((subject) => this.ofSubject.get(subject) ?? []);
    const setOf = (permission: GrantPermission) =>
      grants.filter(({ gives }) => gives.includes(permission)).map(({ filter }) => filter);
    this.classes.set(
      key,
      byPermission((permission) => this.set(setOf(permission))),
    );
  }

  /** @param counts devices of each of {@link sets} @param total devices of the account */
  lossesOf({ counts, total }: { counts: readonly number[]; total: number }): (member: Restrictable) => Loss {
    const [before, after] = [this.byRole(false), this.byRole(true)];
    const losses = new Map(
      [...this.classes].map(([key, sets]): [string, Loss] => {
        const held = (names: ReadonlySet<GrantPermission>) =>
          byPermission((permission) => (names.has(permission) ? total : (counts[sets[permission]] ?? 0)));
        const [had, keeps] = [held(before), held(after)];
        const loses = byPermission((permission) => had[permission] - keeps[permission]);
        return [key, { keeps, loses, weight: GRANT_PERMISSIONS.reduce((sum, name) => sum + loses[name], 0) }];
      }),
    );
    const none = byPermission(() => 0);
    return (member) => losses.get(this.keyOf(member)) ?? { keeps: none, loses: none, weight: 0 };
  }

  /** Tenancy lists no grant that has expired. */
  private place({ subject, filter, id, permissions }: Grant): void {
    const named = subject?.kind.value;
    const key = typeof named === 'string' ? named : EVERYONE;
    const gives = this.namesOf(true, [create(AccessGrantSchema, { id, permissions, filter })]);
    const known = this.filters.indexOf(filter);
    const place = { filter: known === -1 ? this.filters.push(filter) - 1 : known, gives };
    this.ofSubject.set(key, [...(this.ofSubject.get(key) ?? []), place]);
  }

  /** The subjects with grants that name a member. Grants of everyone exclude service accounts. */
  private keyOf({ id, groupId, serviceAccount }: Restrictable): string {
    return (serviceAccount ? [id] : [EVERYONE, groupId, id]).filter((key) => this.ofSubject.has(key)).join(' ');
  }

  private set(filters: readonly number[]): number {
    const places = [...new Set(filters)].sort((one, other) => one - other);
    const key = places.join();
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.sets.push(places) - 1;
    this.places.set(key, place);
    return place;
  }

  /** What the role Member gives on every device of the account. */
  private byRole(explicitGrants: boolean): ReadonlySet<GrantPermission> {
    return new Set(this.namesOf(explicitGrants, []));
  }

  private namesOf(explicitGrants: boolean, grants: readonly AccessGrant[]): GrantPermission[] {
    const { accountId, operator } = this;
    const user = create(UserCallerSchema, { accountId, operator, role: Role.MEMBER, explicitGrants });
    return permissionNames(rightsOn(user, accountId, grants).map(({ permission }) => permission));
  }
}

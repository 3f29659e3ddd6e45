import { Fault } from '@warren/platform/errors/fault';
import { DevicePermission, Role, Status } from '@warren/proto/common/v1/common';
import type { DevicesService, HttpHost, WebPermission } from '@warren/proto/devices/v1/devices';
import { IdentityService, type RedeemSocketTokenRequest } from '@warren/proto/identity/v1/identity';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { Neighbours } from '../world.ts';

interface Ticket {
  deviceId: string;
  userId: string;
  session: string;
  state: string;
  guest: GuestOfLink | undefined;
}

/** The link of a guest, as far as a test chooses it. */
export interface GuestOfLink {
  id: string;
  permission?: DevicePermission;
  port?: number;
}

/** A device with a web service, as the devices service knows it. */
export interface KnownPage {
  slug: string;
  deviceId: string;
  accountId: string;
  enabled: boolean;
  ip: string;
  port: number;
  host: HttpHost;
  permissions?: WebPermission[];
}

interface KnownUser {
  id: string;
  accountId: string;
  active: boolean;
  /** Explicit grants restrict the user, who has none. */
  lost?: boolean;
}

/** The other services, as far as web services ask them. */
export class WebNeighbours extends Neighbours {
  readonly pages = new Map<string, KnownPage>();
  readonly users = new Map<string, KnownUser>();
  readonly sessions = new Set<string>();
  readonly tickets = new Map<string, Ticket>();
  /** Whether accounts allow guest links; undefined as tenancy of the version before, which does not say. */
  guestLinks: boolean | undefined = true;
  /** How often tenancy was asked about a user, by e-mail address. */
  readonly membersAsked = new Map<string, number>();
  /** What answers about pages wait for, after they were made; and how many were made. */
  held: Promise<void> | undefined;
  pagesAnswered = 0;

  constructor() {
    super();
    this.transport.serve(TenancyService, {
      resolveMember: async (_caller, { email }) => this.member(email),
    });
  }

  override handlersOf(service: typeof DevicesService | typeof IdentityService): object {
    const own =
      service === IdentityService
        ? {
            redeemSocketToken: async (_caller: unknown, request: RedeemSocketTokenRequest) =>
              this.redeemTicket(request),
            checkSession: async (_caller: unknown, { session }: { session: string }) => ({
              alive: this.sessions.has(session),
            }),
          }
        : { findWebPage: (_caller: unknown, { slug }: { slug: string }) => this.page(slug) };
    return { ...super.handlersOf(service), ...own };
  }

  protected override timeLeft(session: string): number {
    return this.sessions.has(session) ? 3_600_000 : 0;
  }

  protected override webEnabled(deviceId: string): boolean {
    return [...this.pages.values()].find((page) => page.deviceId === deviceId)?.enabled ?? false;
  }

  private async page(slug: string) {
    const page = this.pages.get(slug);
    if (!page) throw new Fault('not_found', `${slug}.`);
    const answer = { ...page };
    this.pagesAnswered++;
    await this.held;
    return { ...answer, name: 'bench-pi', hostname: 'bench', privateIp: '10.1.2.3' };
  }

  private member(email: string) {
    const user = this.users.get(email);
    this.membersAsked.set(email, (this.membersAsked.get(email) ?? 0) + 1);
    if (!user) return {};
    const status = user.active ? Status.ACTIVE : Status.INACTIVE;
    const { id, accountId } = user;
    const said = this.guestLinks === undefined ? {} : { guestLinks: this.guestLinks };
    const access = { accountStatus: Status.ACTIVE, explicitGrants: user.lost === true, ...said };
    return { user: { id, email, name: 'Ann', accountId, role: Role.MEMBER, status }, ...access };
  }

  private redeemTicket({ token, guests }: RedeemSocketTokenRequest) {
    const ticket = this.tickets.get(token);
    this.tickets.delete(token);
    if (!ticket || (ticket.guest && !guests))
      throw new Fault('permission_denied', 'The socket token is unknown or used.');
    const { deviceId, userId, session, state, guest } = ticket;
    const narrowed = guest && this.narrowed(guest, deviceId);
    const user = { userId, email: `${userId}@example.org`, name: 'Ann', role: Role.MEMBER, ...narrowed };
    return { user, deviceId, deviceAccountId: '', session, state, ...this.quota() };
  }

  /** What narrows the maker of a link to its guest, as identity says it. */
  private narrowed({ id, permission = DevicePermission.WEB, port }: GuestOfLink, deviceId: string) {
    const page = [...this.pages.values()].find((one) => one.deviceId === deviceId);
    const token = { id, name: 'Grace', permissions: ['devices.open', 'devices.read'], filter: `id=${deviceId}` };
    const web = page && { slug: page.slug, ip: page.ip, port: port ?? page.port };
    return { token, guest: { id, name: 'Grace', linkId: 'link', deviceId, permission, ...(web && { web }) } };
  }
}

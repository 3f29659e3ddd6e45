import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { DeviceHosts } from '@warren/platform/http/device.host';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, SocketPurpose, type RedeemSocketTokenResponse } from '@warren/proto/identity/v1/identity';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { WebCookies } from './web.cookies.ts';
import { hashOf, LIFE_S, newSecret } from './web.grants.ts';
import { REFUSALS, type WebRefusal } from './web.refusals.ts';
import { WebSessions } from './web.sessions.ts';
import { WEB_HOSTS } from './web.tokens.ts';

/** Below this path of a device's host the hub answers, and the device never hears of it. */
export const ENTRY = '/.warren/enter';
const MAX_PATH = 1_500;
const TOKEN = /^[\w-]{16,256}$/;

/** How a browser comes to a device's host: with a ticket of the hub, once, and from then on with a cookie. */
@Injectable()
export class WebEntry {
  private readonly cookies: WebCookies;

  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly sessions: WebSessions,
    @Inject(WEB_HOSTS) private readonly hosts: DeviceHosts,
    @Inject(TUNNELS_CONFIG) private readonly config: Pick<TunnelsConfig, 'HUB_URL'>,
  ) {
    this.cookies = new WebCookies(hosts);
  }

  /**
   * Sends a person who has no right here yet to the hub, which sends them back with a ticket.
   * @returns a refusal for those who must not be sent: programs, frames, and browsers that take no cookies
   */
  invite(request: IncomingMessage, response: ServerResponse, slug: string): WebRefusal | undefined {
    const names = this.names(slug);
    const dest = request.headers['sec-fetch-dest'];
    // In a frame the hub neither shows itself nor gets its cookie.
    if (dest !== undefined && dest !== 'document') return REFUSALS.signedOut(names);
    const { cookie } = request.headers;
    // A grant that came along but is worth nothing any more was kept well enough.
    const keepsNone = this.cookies.secrets(cookie).length === 0;
    if (keepsNone && this.cookies.hasJustEntered(cookie)) return REFUSALS.noCookies(names);
    const nonce = this.cookies.nonceOf(cookie) ?? newSecret();
    const path = (request.url ?? '/').length > MAX_PATH ? '/' : (request.url ?? '/');
    const query = new URLSearchParams({ host: names.address, state: hashOf(nonce), path });
    this.redirect(response, `${this.config.HUB_URL}/tunnel/open?${query}`, this.cookies.beginVisit(nonce));
    return undefined;
  }

  /**
   * Takes a ticket for a right, and leads to the page that was meant.
   * @returns a refusal for a ticket that is not good here
   * @throws Fault `unavailable`
   */
  async enter(request: IncomingMessage, response: ServerResponse, slug: string): Promise<WebRefusal | undefined> {
    const names = this.names(slug);
    const query = new URL(request.url ?? '', 'http://host.invalid').searchParams;
    const to = pathOf(query.get('to'));
    const token = query.get('ticket') ?? '';
    if (request.method !== 'GET' || !TOKEN.test(token)) return REFUSALS.spent(names);
    const ticket = await this.redeem(token);
    if (!ticket?.user) return REFUSALS.spent(names);
    if (!this.isForThisBrowser(request, ticket)) return REFUSALS.spent(names);
    const { userId, email } = ticket.user;
    const { deviceId, session } = ticket;
    const made = await this.sessions.begin({ user: { userId, email }, deviceId, slug, session, created: Date.now() });
    if ('ended' in made) return REFUSALS.withdrawn(names, made.ended);
    const grant = this.cookies.grant(made.secret, LIFE_S);
    this.redirect(response, to, ...(ticket.state === '' ? [grant] : [grant, this.cookies.entered()]));
    return undefined;
  }

  private async redeem(token: string): Promise<RedeemSocketTokenResponse | undefined> {
    try {
      const purpose = SocketPurpose.WEB;
      return await this.identity.redeemSocketToken(serviceCaller('tunnels'), { token, userId: '', purpose });
    } catch (error) {
      if (error instanceof Fault && error.code === 'permission_denied') return undefined;
      throw error;
    }
  }

  /** A visit's ticket is for the browser that holds the visit's cookie; a frame's is for a frame, which only the hub may be. */
  private isForThisBrowser({ headers }: IncomingMessage, { state }: RedeemSocketTokenResponse): boolean {
    if (state !== '') {
      const nonce = this.cookies.nonceOf(headers.cookie);
      return nonce !== undefined && hashOf(nonce) === state;
    }
    // Browsers tell where they put a page wherever they take the connection as safe.
    return (
      headers['sec-fetch-dest'] === 'iframe' || (headers['sec-fetch-dest'] === undefined && !this.hosts.trustworthy)
    );
  }

  private names(slug: string) {
    return { name: 'the device', hub: this.config.HUB_URL, address: this.hosts.hostOf(slug) };
  }

  private redirect(response: ServerResponse, location: string, ...cookies: string[]): void {
    response.writeHead(303, {
      Location: location,
      'Set-Cookie': cookies,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Content-Length': 0,
    });
    response.end();
  }
}

/** A path of this host; whatever could lead elsewhere is its first page. */
function pathOf(text: string | null): string {
  if (text === null || text.length > MAX_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/';
  return text.startsWith('/.warren/') ? '/' : text;
}

import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { BROWSER_SECRET, frameState } from '@warren/platform/http/device.entry';
import type { DeviceHosts } from '@warren/platform/http/device.host';
import { serviceCaller, type OriginInit } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, SocketPurpose, type RedeemSocketTokenResponse } from '@warren/proto/identity/v1/identity';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientAddress, originOf } from '../client.address.ts';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { WebCookies } from './web.cookies.ts';
import { hashOf, LIFE_S, newSecret } from './web.grants.ts';
import { REFUSALS, type WebRefusal } from './web.refusals.ts';
import { WebSessions } from './web.sessions.ts';
import { WEB_HOSTS } from './web.services.ts';

const MAX_PATH = 1_500;
const MAX_FORM_BYTES = 1_024;
const TOKEN = /^[\w-]{16,256}$/;

/** What a browser asks to be let in with. */
interface Entering {
  slug: string;
  /** What the ticket must have been made for; undefined for a browser that can't show any. */
  state: string | undefined;
  thirdParty: boolean;
  origin: OriginInit;
}

/** Admits browsers to a device's host: once with a ticket of the hub, then with a cookie. */
@Injectable()
export class WebEntry {
  private readonly cookies: WebCookies;

  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly sessions: WebSessions,
    private readonly address: ClientAddress,
    @Inject(WEB_HOSTS) private readonly hosts: DeviceHosts,
    @Inject(TUNNELS_CONFIG) private readonly config: Pick<TunnelsConfig, 'HUB_URL'>,
  ) {
    this.cookies = new WebCookies(hosts);
  }

  /**
   * Redirects a person without a right here to the hub, which redirects back with a ticket.
   * @returns a refusal for clients that must not be redirected: programs, frames, and browsers that drop cookies
   */
  invite(request: IncomingMessage, response: ServerResponse, slug: string): WebRefusal | undefined {
    const names = this.names(slug);
    const dest = request.headers['sec-fetch-dest'];
    // In a frame the hub is neither shown nor gets its cookie.
    if (dest !== undefined && dest !== 'document') return REFUSALS.signedOut(names);
    const { cookie } = request.headers;
    // An invalid grant still shows that the browser keeps cookies.
    const keepsNone = this.cookies.secrets(cookie).length === 0;
    if (keepsNone && this.cookies.hasJustEntered(cookie)) return REFUSALS.noCookies(names);
    const nonce = this.cookies.nonceOf(cookie) ?? newSecret();
    const path = (request.url ?? '/').length > MAX_PATH ? '/' : (request.url ?? '/');
    const query = new URLSearchParams({ host: names.address, state: hashOf(nonce), path });
    this.redirect(response, `${this.config.HUB_URL}/tunnel/open?${query}`, this.cookies.beginVisit(nonce));
    return undefined;
  }

  /**
   * Takes a ticket for a right, and leads to the page that was meant: a visit's comes by GET, a frame's by a form.
   * @returns a refusal for a ticket that is not good here
   * @throws Fault `unavailable`
   */
  async enter(request: IncomingMessage, response: ServerResponse, slug: string): Promise<WebRefusal | undefined> {
    const { method } = request;
    if (method !== 'GET' && method !== 'POST') return REFUSALS.spent(this.names(slug));
    return method === 'GET' ? this.enterVisit(request, response, slug) : this.enterFrame(request, response, slug);
  }

  private async enterVisit(request: IncomingMessage, response: ServerResponse, slug: string) {
    const { url, headers } = request;
    const query = new URL(url ?? '', 'http://host.invalid').searchParams;
    const nonce = this.cookies.nonceOf(headers.cookie);
    const state = nonce && hashOf(nonce);
    const made = await this.begin(query.get('ticket'), {
      slug,
      state,
      thirdParty: false,
      origin: originOf(request, this.address),
    });
    if ('status' in made) return made;
    const to = pathOf(query.get('to'));
    this.redirect(response, to, this.cookies.grant(made.secret, LIFE_S), this.cookies.entered());
    return undefined;
  }

  private async enterFrame(request: IncomingMessage, response: ServerResponse, slug: string) {
    const dest = request.headers['sec-fetch-dest'];
    // Browsers send Sec-Fetch-Dest on trustworthy origins only.
    const framed = dest === 'iframe' || (dest === undefined && !this.hosts.trustworthy);
    const form = framed ? await formOf(request) : undefined;
    const secret = form?.get('secret') ?? '';
    const state = BROWSER_SECRET.test(secret) ? frameState(secret) : undefined;
    const thirdParty = request.headers['sec-fetch-site'] === 'cross-site';
    const made = await this.begin(form?.get('ticket') ?? null, {
      slug,
      state,
      thirdParty,
      origin: originOf(request, this.address),
    });
    if ('status' in made) return made;
    // A redirect would count as the form's: the console's policy would hold for where the device leads next (W3C CSP 3, 6.4.1).
    response.writeHead(200, {
      Refresh: '0; url=/',
      'Set-Cookie': this.cookies.grant(made.secret, LIFE_S),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; frame-ancestors ${this.config.HUB_URL}`,
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'Content-Length': 0,
    });
    response.end();
    return undefined;
  }

  private async begin(
    token: string | null,
    { slug, state, thirdParty, origin }: Entering,
  ): Promise<{ secret: string } | WebRefusal> {
    const names = this.names(slug);
    if (token === null || !TOKEN.test(token) || state === undefined) return REFUSALS.spent(names);
    const ticket = await this.redeem(token);
    if (!ticket?.user || ticket.state !== state) return REFUSALS.spent(names);
    const { userId, email, token: narrowing, guest } = ticket.user;
    const { deviceId, session } = ticket;
    const user = { userId, email, ...(guest && { guest, ...(narrowing && { token: narrowing }) }) };
    const grant = { user, deviceId, slug, session, thirdParty, created: Date.now() };
    try {
      const made = await this.sessions.begin(grant, { mostSockets: ticket.mostSockets, origin });
      return 'ended' in made ? REFUSALS.withdrawn(names, made.ended) : made;
    } catch (error) {
      if (error instanceof Fault && error.code === 'quota_reached') return REFUSALS.full(names, error.message);
      throw error;
    }
  }

  private async redeem(token: string): Promise<RedeemSocketTokenResponse | undefined> {
    try {
      const purpose = SocketPurpose.WEB;
      return await this.identity.redeemSocketToken(serviceCaller('tunnels'), {
        token,
        userId: '',
        purpose,
        guests: true,
      });
    } catch (error) {
      if (error instanceof Fault && error.code === 'permission_denied') return undefined;
      throw error;
    }
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

/** The fields of a form; undefined when it is too long, or cut off. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('latin1')) {
      text += chunk;
      if (text.length > MAX_FORM_BYTES) return undefined;
    }
  } catch {
    return undefined;
  }
  return new URLSearchParams(text);
}

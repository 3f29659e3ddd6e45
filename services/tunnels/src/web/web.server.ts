import { Inject, Injectable, Logger } from '@nestjs/common';
import { ENTRY } from '@warren/platform/http/device.entry';
import type { DeviceHosts } from '@warren/platform/http/device.host';
import type { HeaderLines } from '@warren/transport/header.lines';
import { hasBody, relay } from '@warren/transport/relay';
import { askUpgrade, passAnswer, splice, type Upgrade } from '@warren/transport/upgrade';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import { ClientAddress } from '../client.address.ts';
import type { AgentLink } from '../links/link.ts';
import { Links } from '../links/links.ts';
import { UsageKind } from '@warren/proto/events/v1/events';
import { UsageMeter } from '../metering/usage.meter.ts';
import { countAnswer } from '../telemetry/web.requests.ts';
import { answerLines, mayAsk, requestLines } from './web.headers.ts';
import { DeviceConnections, WebPassing } from './web.connections.ts';
import { DeviceCookies, WebCookies } from './web.cookies.ts';
import { refusalFor, answerRefusal, isNavigation, REFUSALS, refuseUpgrade, type WebRefusal } from './web.refusals.ts';
import { WebEntry } from './web.entry.ts';
import { leadsTo } from './web.grants.ts';
import { WebServices, type WebService, WEB_HOSTS } from './web.services.ts';
import type { WebSession } from './web.session.ts';
import { WebSessions } from './web.sessions.ts';

/** A server may take this long for the head of its answer. */
const ANSWER_MS = 60_000;

/** A request that may go to the device: by whom, where, and through which link. */
interface Admitted {
  session: WebSession;
  page: WebService;
  link: AgentLink;
}

/** The web services of devices: each request authorised, passed to the device, and its answer passed back. */
@Injectable()
export class WebServer {
  private readonly log = new Logger(WebServer.name);
  private readonly connections: DeviceConnections;
  private readonly cookies: WebCookies;
  private readonly deviceCookies: DeviceCookies;

  constructor(
    private readonly pages: WebServices,
    private readonly sessions: WebSessions,
    private readonly entry: WebEntry,
    private readonly passing: WebPassing,
    private readonly links: Links,
    private readonly address: ClientAddress,
    private readonly meter: UsageMeter,
    @Inject(WEB_HOSTS) private readonly hosts: DeviceHosts,
    @Inject(TUNNELS_CONFIG) private readonly config: Pick<TunnelsConfig, 'HUB_URL'>,
  ) {
    this.connections = new DeviceConnections(meter);
    this.cookies = new WebCookies(hosts);
    this.deviceCookies = new DeviceCookies(hosts);
  }

  /** The device's host that a request is for; undefined when it is for something else. */
  slugOf(request: IncomingMessage): string | undefined {
    return this.hosts.slugOf(request.headers.host);
  }

  /** Answers a request for a device's host. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, slug: string): Promise<void> {
    response.once('finish', () => countAnswer(response.statusCode));
    try {
      const refusal = await this.answer(request, response, slug);
      if (refusal) answerRefusal(request, response, refusal, this.config.HUB_URL);
    } catch (error) {
      const refusal = refusalFor(error, this.namesOf(slug), this.pages.peek(slug));
      if (refusal.status === 500) this.log.error({ err: error }, 'A request for a web service failed.');
      answerRefusal(request, response, refusal, this.config.HUB_URL);
    }
  }

  /** Takes an upgrade request for a device's host over. Never rejects. */
  async upgrade(upgrade: Upgrade, slug: string): Promise<void> {
    try {
      const { request } = upgrade;
      if (await this.passing.upgrade(upgrade, slug)) return;
      const admitted = await this.admit(request, slug);
      if ('status' in admitted) return refuseUpgrade(upgrade.socket, admitted);
      await this.splice(upgrade, admitted);
    } catch (error) {
      const refusal = refusalFor(error, this.namesOf(slug), this.pages.peek(slug));
      if (refusal.status === 500) this.log.error({ err: error }, 'An upgrade for a web service failed.');
      refuseUpgrade(upgrade.socket, refusal);
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
  ): Promise<WebRefusal | undefined> {
    const { url = '' } = request;
    if (!url.startsWith('/') && url !== '*') return REFUSALS.malformed();
    if (url.startsWith('/.warren/')) {
      const enters = url === ENTRY || url.startsWith(`${ENTRY}?`);
      return enters ? this.entry.enter(request, response, slug) : REFUSALS.malformed();
    }
    const passed = this.passing.request(request, response, slug);
    if (passed && (await passed)) return undefined;
    const found = this.quick(request, slug) ?? (await this.admit(request, slug));
    if ('status' in found) {
      const goesRound = found.code === 'unauthenticated' && isNavigation(request);
      return goesRound ? this.entry.invite(request, response, slug) : found;
    }
    await this.pass(request, response, found);
    return undefined;
  }

  /** Like {@link admit}, from local knowledge only; undefined if a service must be asked. */
  private quick(request: IncomingMessage, slug: string): Admitted | WebRefusal | undefined {
    const [secret] = this.cookies.secrets(request.headers.cookie);
    const page = this.pages.peek(slug);
    const session = secret === undefined ? undefined : this.sessions.fresh(secret, slug);
    return session && page ? this.judge(request, session, page) : undefined;
  }

  private async admit(request: IncomingMessage, slug: string): Promise<Admitted | WebRefusal> {
    for (const secret of this.cookies.secrets(request.headers.cookie)) {
      const session = this.sessions.fresh(secret, slug) ?? (await this.sessions.find(secret, slug));
      const page = session && (await this.pages.find(slug));
      if (session && page) return this.judge(request, session, page);
    }
    return REFUSALS.signedOut(this.namesOf(slug));
  }

  private judge(request: IncomingMessage, session: WebSession, page: WebService): Admitted | WebRefusal {
    const names = this.namesOf(page.slug, page.name);
    if (!leadsTo(session.stored, page) || session.ended) return REFUSALS.signedOut(names);
    if (!page.enabled) return REFUSALS.off(names);
    if (!mayAsk(request, page.publicOrigin)) return REFUSALS.foreign(names);
    const link = this.links.get(page.deviceId);
    return link?.alive ? { session, page, link } : REFUSALS.offline(names);
  }

  private async pass(request: IncomingMessage, response: ServerResponse, admitted: Admitted): Promise<void> {
    const { session, page, link } = admitted;
    const target = { host: page.ip, port: page.port };
    const undo = this.begin(session, response, link);
    try {
      await relay(request, response, {
        connections: this.connections.of(link, target, request.method ?? 'GET', hasBody(request)),
        path: request.url ?? '/',
        lines: this.requestLines(request, page),
        answerMs: ANSWER_MS,
        answerLines: (lines) => this.answerLines(lines, page, session),
        piecemeal: true,
        carried: session.traffic,
      });
    } finally {
      undo();
    }
  }

  private async splice(upgrade: Upgrade, { session, page, link }: Admitted): Promise<void> {
    const { request, socket } = upgrade;
    const target = { host: page.ip, port: page.port };
    const lines = this.requestLines(request, page);
    const undo = this.begin(session, socket, link);
    try {
      const answer = await askUpgrade(
        {
          address: `http://${page.localHost}`,
          agent: this.connections.upgrade(link, target, session.traffic),
          name: `The program on ${page.name}`,
          path: request.url,
          lines: [...lines, 'Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? ''],
        },
        upgrade,
      );
      const { message } = answer;
      const answered = this.answerLines(message.rawHeaders, page, session);
      if (!answer.upstream) return await passAnswer(message, socket, answered);
      const upgraded = [...answered, 'Connection', 'Upgrade', 'Upgrade', message.headers.upgrade ?? ''];
      await splice(upgrade, answer, upgraded);
    } finally {
      undo();
    }
  }

  /** Ties a request to its grant, and counts it for its visit and its time for the device's account. @returns its end */
  private begin(session: WebSession, running: { destroy(): unknown }, link: AgentLink): () => void {
    const unbind = session.bind(running);
    const use = this.meter.use(link.accountId, UsageKind.WEB);
    use.begin();
    session.traffic.requests++;
    return () => {
      unbind();
      use.end();
    };
  }

  private requestLines(request: IncomingMessage, page: WebService): string[] {
    const clientAddress = page.tellLocal ? '' : this.address.of(request);
    return requestLines(request, page, { clientAddress, cookies: this.deviceCookies });
  }

  private answerLines(lines: HeaderLines, page: WebService, { stored: { thirdParty } }: WebSession): string[] {
    return answerLines(lines, page, { hubUrl: this.config.HUB_URL, cookies: this.deviceCookies, thirdParty });
  }

  private namesOf(slug: string, name = this.pages.peek(slug)?.name ?? 'the device') {
    return { name, hub: this.config.HUB_URL, address: this.hosts.hostOf(slug) };
  }
}

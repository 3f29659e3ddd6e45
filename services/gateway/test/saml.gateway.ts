import { fromBinary, create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import {
  GetSessionResponseSchema,
  IdentityService,
  type ListRefusedSignInsResponseSchema,
  type ListRefusedSignInsRequest,
  type ReportRefusedSignInRequest,
  type SamlSubject,
  type SignInRequest,
} from '@warren/proto/identity/v1/identity';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestGateway, type Answer } from './gateway.ts';
import { sentMessage, type TestIdp } from './saml.idp.ts';

/** A gateway whose identity service is this object: what it was asked to do can be looked at. */
export class SamlGateway {
  readonly requests = new Map<string, string>();
  readonly sessions = new Map<string, SignInRequest>();
  readonly signIns: SignInRequest[] = [];
  readonly refusals: ReportRefusedSignInRequest[] = [];
  readonly ended: SamlSubject[] = [];
  /** Ids of the tokens that ended sessions. */
  readonly logoutTokens: string[] = [];
  /** What lists of refused sign-ins were asked for, and what they answer. */
  readonly listed: ListRefusedSignInsRequest[] = [];
  refusedSignIns: MessageInitShape<typeof ListRefusedSignInsResponseSchema> = {};
  private readonly assertions = new Set<string>();

  private constructor(
    readonly gateway: TestGateway,
    readonly folder: string,
  ) {}

  /** @param extra what all providers have besides; `own` what one has, by its id */
  static async start(
    hub: string,
    idps: Record<string, TestIdp>,
    env: Record<string, string> = {},
    extra: object = {},
    own: Record<string, object> = {},
  ) {
    const folder = await mkdtemp(join(tmpdir(), 'warren-saml-'));
    const providers = [];
    for (const [id, idp] of Object.entries(idps)) {
      const metadata = join(folder, `${id}.xml`);
      await writeFile(metadata, idp.metadata());
      providers.push({ id, name: `The <${id}> one`, metadata, ...extra, ...own[id] });
    }
    const gateway = await TestGateway.start({
      HUB_URL: hub,
      RATE_LIMITS: 'No',
      SAML_PROVIDERS: JSON.stringify(providers),
      ...env,
    });
    const saml = new SamlGateway(gateway, folder);
    saml.serve();
    return saml;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Begins a sign-in. */
  async login(query = '', headers: Record<string, string> = {}) {
    const answer = await this.gateway.get(`/auth/saml/login${query}`, undefined, headers);
    const location = answer.headers.location ?? '';
    return { answer, location, ...(location.startsWith('http') ? sentMessage(location) : { id: '', xml: '' }) };
  }

  acs(SAMLResponse: string, more: { RelayState?: string; cookie?: string } = {}): Promise<Answer> {
    const { RelayState, cookie } = more;
    const body = new URLSearchParams({ SAMLResponse, ...(RelayState === undefined ? {} : { RelayState }) }).toString();
    return this.post('/auth/saml/acs', body, cookie ? { cookie } : {});
  }

  post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' };
    return this.gateway.call('POST', path, { body, headers: { ...form, ...headers } });
  }

  private serve(): void {
    this.gateway.services.serve(IdentityService, {
      saveSamlRequest: async (_caller, { id, value }) => (this.requests.set(id, value), {}),
      getSamlRequest: async (_caller, { id }) => {
        const value = this.requests.get(id);
        return value === undefined ? {} : { value };
      },
      removeSamlRequest: async (_caller, { id }) => (this.requests.delete(id) ? { id } : {}),
      signIn: async (_caller, request) => this.signIn(request),
      reportRefusedSignIn: async (_caller, request) => (this.refusals.push(request), {}),
      listRefusedSignIns: async (_caller, request) => (this.listed.push(request), this.refusedSignIns),
      getSession: async (_caller, { session }) => {
        const { saml, authTime } = this.sessions.get(session) ?? {};
        if (!saml) throw new Fault('unauthenticated', 'the session has ended.');
        return fromBinary(
          GetSessionResponseSchema,
          toBinary(
            GetSessionResponseSchema,
            create(GetSessionResponseSchema, { identityId: 'i', saml, ...(authTime && { authTime }) }),
          ),
        );
      },
      signOut: async (_caller, { session }) => {
        const idToken = this.sessions.get(session)?.idToken ?? '';
        this.sessions.delete(session);
        return { idToken };
      },
      endSessions: async (_caller, { of, tokenId }) => {
        if (of.case === 'subject') this.ended.push(of.value);
        if (tokenId) this.logoutTokens.push(tokenId);
        return { ended: 1 };
      },
    });
  }

  private signIn(request: SignInRequest) {
    if (this.assertions.has(request.assertionId)) throw new Fault('already_exists', 'the assertion was used before.');
    this.assertions.add(request.assertionId);
    this.signIns.push(request);
    const session = randomBytes(32).toString('base64url');
    this.sessions.set(session, request);
    return { session, expires: timestampFromMs(Date.now() + 3_600_000) };
  }
}

import { Inject, Injectable, Logger } from '@nestjs/common';
import { SAML, type Profile } from '@node-saml/passport-saml';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, type SamlIdentity } from '@warren/proto/identity/v1/identity';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { AUTH_CONFIG, sloUrl, type AuthConfig } from '../auth.config.ts';
import { readEnvelope, requireDestination, type Envelope } from './envelope.ts';
import { readRedirect, requireSignature, type RedirectMessage } from './logout.query.ts';
import { SamlProviders } from './saml.providers.ts';
import type { SamlProvider } from './saml.provider.ts';
import { SamlSettings } from './saml.settings.ts';
import { SignInRefused } from './sign-in.refused.ts';

const inflate = promisify(inflateRaw);
const MAX_INFLATED = 256 * 1024;
/** A LogoutRequest this old may have been caught and kept by somebody. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_RELAY = 1_024;

/** What a logout at the provider came to. */
export type LogoutOutcome = { answerUrl: string | undefined } | { confirmed: boolean };

/** Signing out, begun here or at the provider (SAML profiles 2.0, section 4.4). */
@Injectable()
export class LogoutService {
  private readonly log = new Logger(LogoutService.name);

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly providers: SamlProviders,
    private readonly settings: SamlSettings,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  /**
   * Ends a session.
   * @returns where the browser goes to sign out at the provider too; nothing when there is no such place
   */
  async signOut(secret: string, requestId: string | undefined): Promise<string | undefined> {
    const gateway = serviceCaller('gateway', requestId);
    const session = await this.identity.getSession(gateway, { session: secret }).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unauthenticated') return undefined;
      throw error;
    });
    if (!session) return undefined;
    await this.identity.signOut(gateway, { session: secret });
    return session.saml && this.providerLogout(session.saml, requestId);
  }

  /** Takes what came by redirect. @throws SignInRefused for a request that the provider did not sign just now */
  async redirected(url: string, requestId: string | undefined): Promise<LogoutOutcome> {
    const message = readRedirect(url);
    const envelope = readEnvelope(await inflated(message));
    if (message.kind === 'SAMLResponse') return { confirmed: await this.isConfirmed(message, envelope, requestId) };
    requireSignature(message);
    const provider = this.requester(envelope);
    const saml = this.saml(provider, requestId);
    const { profile } = await verified(provider, saml.validateRedirectAsync(message.values, message.query));
    return { answerUrl: await this.endSessions(provider, profile, message.values['RelayState'], requestId) };
  }

  /** Takes what was posted. @throws SignInRefused as {@link redirected} */
  async posted(
    form: { SAMLRequest?: string; RelayState?: string },
    requestId: string | undefined,
  ): Promise<LogoutOutcome> {
    const { SAMLRequest, RelayState } = form;
    // A posted answer to our own request says nothing that we go by: the session ended before it was sent.
    if (!SAMLRequest) return { confirmed: true };
    const provider = this.requester(readEnvelope(Buffer.from(SAMLRequest, 'base64').toString('utf8')));
    const saml = this.saml(provider, requestId);
    const { profile } = await verified(provider, saml.validatePostRequestAsync({ SAMLRequest }));
    return { answerUrl: await this.endSessions(provider, profile, RelayState, requestId) };
  }

  private async providerLogout(subject: SamlIdentity, requestId: string | undefined): Promise<string | undefined> {
    const provider = this.providers.byId(subject.provider);
    try {
      if (!provider?.metadata.logoutUrl) return undefined;
      return await this.saml(provider, requestId).getLogoutUrlAsync(asProfile(subject), '', {});
    } catch (error) {
      // The session here has ended; what remains is only less complete.
      this.log.warn({ err: error, requestId }, `Signing out at ${subject.provider} is not possible now.`);
      return undefined;
    }
  }

  private requester(envelope: Envelope): SamlProvider {
    if (envelope.kind !== 'LogoutRequest') throw new SignInRefused('logout: expected a LogoutRequest');
    requireDestination(envelope, sloUrl(this.config));
    const age = Math.abs(Date.now() - Date.parse(envelope.issueInstant));
    if (!(age <= MAX_AGE_MS)) throw new SignInRefused('logout: the request is not of now');
    return this.providers.byEntityId(envelope.issuer);
  }

  private async endSessions(provider: SamlProvider, subject: Profile | null, relay = '', requestId?: string) {
    const { id } = provider.config;
    if (!subject) throw new SignInRefused('logout: no subject', { provider: id });
    const value = { provider: id, nameId: subject.nameID, sessionIndex: subject.sessionIndex ?? '' };
    await this.identity.endSessions(serviceCaller('gateway', requestId), { of: { case: 'subject', value } });
    const { logoutAnswerUrl } = provider.metadata;
    if (!logoutAnswerUrl) return undefined;
    const saml = this.saml(provider, requestId, logoutAnswerUrl);
    return saml.getLogoutResponseUrlAsync(subject, relay.slice(0, MAX_RELAY), {}, true);
  }

  private async isConfirmed(message: RedirectMessage, envelope: Envelope, requestId: string | undefined) {
    try {
      const saml = this.saml(this.providers.byEntityId(envelope.issuer), requestId);
      return (await saml.validateRedirectAsync(message.values, message.query)).loggedOut;
    } catch (error) {
      this.log.warn({ err: error, requestId }, 'A provider did not confirm a logout.');
      return false;
    }
  }

  private saml(provider: SamlProvider, requestId: string | undefined, logoutUrl?: string): SAML {
    const settings = this.settings.for(provider, { browser: undefined, requestId });
    return new SAML(logoutUrl ? { ...settings, logoutUrl } : settings);
  }
}

async function inflated({ kind, values }: RedirectMessage): Promise<string> {
  try {
    const bytes = await inflate(Buffer.from(values[kind] ?? '', 'base64'), { maxOutputLength: MAX_INFLATED });
    return bytes.toString('utf8');
  } catch (cause) {
    throw new SignInRefused('logout: the message is not readable', { cause });
  }
}

/** node-saml's errors speak of the message; only faults of our own services stay what they are. */
async function verified<T>(provider: SamlProvider, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Fault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SignInRefused(`logout: ${reason}`, { provider: provider.config.id, cause: error });
  }
}

function asProfile(subject: SamlIdentity): Profile {
  const { nameId, nameIdFormat, sessionIndex, nameQualifier, spNameQualifier } = subject;
  return {
    issuer: '',
    nameID: nameId,
    nameIDFormat: nameIdFormat,
    ...(sessionIndex ? { sessionIndex } : {}),
    ...(nameQualifier ? { nameQualifier } : {}),
    ...(spNameQualifier ? { spNameQualifier } : {}),
  };
}

import { Injectable, Logger } from '@nestjs/common';
import { SAML, type Profile } from '@node-saml/node-saml';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, type SamlIdentity } from '@warren/proto/identity/v1/identity';
import { readRedirect } from './logout.query.ts';
import type { SamlProvider } from './saml.provider.ts';
import { SamlProviders } from './saml.providers.ts';
import { SamlSettings } from './saml.settings.ts';
import { SamlVerifier, type Sender } from './saml.verifier.ts';
import { SignInRefused } from './verifier/sign-in.refused.ts';
import type { LogoutSubject } from './verifier/tasks.ts';

const MAX_RELAY = 1_024;

/** The result of a logout at the provider. */
export type LogoutOutcome = { answerUrl: string | undefined } | { confirmed: boolean };

/** Signs people out, from here or from the provider (SAML profiles 2.0, section 4.4). */
@Injectable()
export class LogoutService {
  private readonly log = new Logger(LogoutService.name);

  constructor(
    private readonly providers: SamlProviders,
    private readonly settings: SamlSettings,
    private readonly verifier: SamlVerifier,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  /**
   * Ends a session.
   * @returns the URL that signs the browser out at the provider; undefined if the provider has none
   */
  async signOut(secret: string, gateway: Caller): Promise<string | undefined> {
    const session = await this.identity.getSession(gateway, { session: secret }).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unauthenticated') return undefined;
      throw error;
    });
    if (!session) return undefined;
    await this.identity.signOut(gateway, { session: secret });
    return session.saml && this.providerLogout(session.saml, gateway.requestId);
  }

  /** Handles a message by redirect. @throws SignInRefused for a request without a recent signature of the provider */
  async redirected(url: string, sender: Sender): Promise<LogoutOutcome> {
    const message = readRedirect(url);
    try {
      const read = await this.verifier.logoutRedirect(message, sender);
      if ('confirmed' in read) return read;
      return { answerUrl: await this.endSessions(read.request, message.values['RelayState'], sender) };
    } catch (error) {
      if (message.kind === 'SAMLRequest') throw error;
      this.log.warn({ err: error }, 'A provider did not confirm a logout.');
      return { confirmed: false };
    }
  }

  /** Handles a posted message. @throws SignInRefused as {@link redirected} */
  async posted(form: { SAMLRequest?: string; RelayState?: string }, sender: Sender): Promise<LogoutOutcome> {
    const { SAMLRequest, RelayState } = form;
    // A posted answer to the hub's own request changes nothing: the session ended before the request was sent.
    if (!SAMLRequest) return { confirmed: true };
    const subject = await this.verifier.logoutPost(SAMLRequest, sender);
    return { answerUrl: await this.endSessions(subject, RelayState, sender) };
  }

  private async providerLogout(subject: SamlIdentity, requestId: string | undefined): Promise<string | undefined> {
    const provider = this.providers.byId(subject.provider);
    try {
      if (!provider?.metadata.logoutUrl) return undefined;
      return await this.saml(provider, requestId).getLogoutUrlAsync(asProfile(subject), '', {});
    } catch (error) {
      // The session here has ended; only the logout at the provider is incomplete.
      this.log.warn({ err: error }, `Signing out at ${subject.provider} is not possible now.`);
      return undefined;
    }
  }

  private async endSessions(
    subject: LogoutSubject,
    relay: string | undefined,
    sender: Sender,
  ): Promise<string | undefined> {
    const { provider: id, nameId, sessionIndex } = subject;
    const provider = this.providers.byId(id);
    if (!provider) throw new SignInRefused('logout: no such provider', { provider: id });
    const value = { provider: id, nameId, sessionIndex };
    await this.identity.endSessions(serviceCaller('gateway', sender.requestId, sender.origin), {
      of: { case: 'subject', value },
    });
    const { logoutAnswerUrl } = provider.metadata;
    if (!logoutAnswerUrl) return undefined;
    const saml = this.saml(provider, sender.requestId, logoutAnswerUrl);
    const profile = { issuer: '', ID: subject.id, nameID: nameId, nameIDFormat: subject.nameIdFormat };
    return saml.getLogoutResponseUrlAsync(profile, (relay ?? '').slice(0, MAX_RELAY), {}, true);
  }

  private saml(provider: SamlProvider, requestId: string | undefined, logoutUrl?: string): SAML {
    const settings = this.settings.for(provider, { browser: undefined, requestId });
    return new SAML(logoutUrl ? { ...settings, logoutUrl } : settings);
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

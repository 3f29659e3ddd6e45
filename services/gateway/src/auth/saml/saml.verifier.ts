import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { OriginInit } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { RequestStore } from './request.store.ts';
import { SamlProviders } from './saml.providers.ts';
import { SignInRefused } from '../refusal/sign-in.refused.ts';
import type { LogoutSubject, RedirectMessage, Tasks, Trusted, VerifiedAnswer } from './verifier/tasks.ts';
import { WorkerHost } from './verifier/worker.host.ts';

/** The sender of a message. */
export interface Sender {
  /** Network that its messages count for. */
  client: string;
  /** Secret of the cookie that ties the sign-in to this browser; undefined over plain http. */
  browser: string | undefined;
  requestId: string | undefined;
  origin?: OriginInit;
}

/** A verified answer with what it was asked for: `askedAt` if the person was to sign in again. */
type ClaimedAnswer = VerifiedAnswer & { trial: boolean; askedAt: Date | undefined };

/** Verifies messages of providers off the event loop, and checks them against the hub's pending requests. */
@Injectable()
export class SamlVerifier implements OnApplicationShutdown {
  constructor(
    @Inject(WorkerHost) private readonly host: WorkerHost,
    private readonly providers: SamlProviders,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  onApplicationShutdown(): Promise<void> {
    return this.host.stop();
  }

  /** Warms up the worker when a sign-in begins. */
  expectAnswer(): void {
    this.host.warm();
  }

  /**
   * Verifies a posted answer, base64, and consumes the request that it answers.
   * @returns undefined for an answer to a logout
   * @throws SignInRefused
   */
  async response(message: string, sender: Sender): Promise<ClaimedAnswer | undefined> {
    try {
      const answer = await this.run(sender, 'response', (providers) => ({ message, providers }));
      if (!answer) return undefined;
      const claimed = await this.requests(answer.saml.provider, sender).claim(answer.inResponseTo);
      if (claimed) return { ...answer, ...claimed };
      throw new SignInRefused('InResponseTo is not valid', { provider: answer.saml.provider, kind: 'request' });
    } catch (error) {
      throw error instanceof SignInRefused ? await this.believed(error, sender) : error;
    }
  }

  /** Verifies a posted LogoutRequest, base64. @throws SignInRefused */
  logoutPost(message: string, sender: Sender): Promise<LogoutSubject> {
    return this.run(sender, 'logoutPost', (providers) => ({ message, providers }));
  }

  /** Verifies a message by redirect: a LogoutRequest, or the answer to the hub's own one. @throws SignInRefused */
  async logoutRedirect(
    message: RedirectMessage,
    sender: Sender,
  ): Promise<{ request: LogoutSubject } | { confirmed: boolean }> {
    const read = await this.run(sender, 'logoutRedirect', (providers) => ({ message, providers }));
    if ('request' in read) return read;
    const { provider, inResponseTo, succeeded } = read.answer;
    return { confirmed: succeeded && (await this.requests(provider, sender).getAsync(inResponseTo)) !== null };
  }

  /** An unknown key may be newer than the metadata: reads the metadata again and retries once. */
  private async run<N extends 'response' | 'logoutPost' | 'logoutRedirect'>(
    { client }: Sender,
    name: N,
    input: (providers: Tasks[N]['input']['providers']) => Tasks[N]['input'],
  ): Promise<Tasks[N]['output']> {
    const work = (trusted: Trusted[]) => this.host.run(client, name, input(trusted));
    const { trusted } = this.providers;
    try {
      return await work(trusted);
    } catch (error) {
      if (!(error instanceof SignInRefused) || error.kind !== 'certificate') throw error;
      const used = trusted.find(({ id }) => id === error.provider)?.certificates ?? [];
      if (await this.providers.byId(error.provider)?.readAgain(used)) return work(this.providers.trusted);
      throw error;
    }
  }

  /**
   * Unsigned text is shown only to the browser that the hub sent to that provider, and what was received only to the one that began a trial:
   * nobody else knows the id of the request.
   */
  private async believed(refused: SignInRefused, sender: Sender): Promise<SignInRefused> {
    const { inResponseTo } = refused.details;
    const requests = this.requests(refused.provider, sender);
    // Without an answer of identity the refusal stays what it is.
    const pending = (id: string) => requests.pending(id).catch(() => undefined);
    const asked = typeof inResponseTo === 'string' ? await pending(inResponseTo) : undefined;
    if (!asked) return refused.with({ said: '' });
    return asked.trial ? this.tried(refused, asked.provider) : refused;
  }

  /** A refused trial names the tried provider, and no other one: people may try fewer than there are. */
  private tried(refused: SignInRefused, provider: string): SignInRefused {
    const known = this.providers.trusted.find(({ id }) => id === provider);
    const details = refused.provider === '' && known ? { expectedIssuers: [known.entityId] } : {};
    return refused.with({ trial: 'saml', provider, details });
  }

  private requests(provider: string, { browser, requestId }: Sender): RequestStore {
    return new RequestStore(this.identity, { provider, browser, requestId });
  }
}

import { Logger } from '@nestjs/common';
import { X509Certificate } from 'node:crypto';
import { Fault } from '@warren/platform/errors/fault';
import type { ProviderConfig } from '../config/auth.config.ts';
import { parseMetadata, type IdpMetadata } from './verifier/metadata.ts';
import { metadataSource, type MetadataSource } from './metadata.source.ts';
import { metadataChecked, metadataUsable, metadataValidUntil, providerCertificateExpiry } from '../sign-in/metrics.ts';
import { RefreshLoop } from '../sign-in/refresh.loop.ts';
import { refusal, unfitForProduction } from './provider.policy.ts';

/** Milliseconds between reads of metadata that unauthenticated messages cause. */
const READ_AGAIN_MS = 30_000;

/** The hub, as a provider needs to know it. */
export interface ProviderRules {
  production: boolean;
  /** Whether the hub has a key to sign its requests. */
  canSign: boolean;
  /** Returns the id of another provider with the same entity id, since answers are matched by entity id. */
  otherNamed?(entityId: string): string | undefined;
}

/** Metadata that was read but must not be used. */
export class ForbiddenProvider extends Error {
  override readonly name = 'ForbiddenProvider';
}

/**
 * An identity provider with its current metadata. If reading fails it is retried with growing delays, and the former metadata stays
 * in use.
 */
export class SamlProvider {
  private readonly log = new Logger(SamlProvider.name);
  private readonly source: MetadataSource;
  private current: IdpMetadata | undefined;
  private readAgainAt = 0;
  private readingAgain: Promise<unknown> | undefined;
  private lastProblem = '';
  private readonly loop: RefreshLoop;

  constructor(
    readonly config: ProviderConfig,
    private readonly rules: ProviderRules,
    private readonly parse: (xml: string) => IdpMetadata | Promise<IdpMetadata> = parseMetadata,
  ) {
    this.source = metadataSource(config.metadata);
    this.loop = new RefreshLoop(this.source.everyMs, () => this.refresh());
  }

  /**
   * Returns the metadata in use.
   * @throws Fault `unavailable` without metadata, or if it has expired
   */
  get metadata(): IdpMetadata {
    const { usable } = this;
    if (usable) return usable;
    throw new Fault('unavailable', `${this.config.name} can't be used now; its metadata could not be read.`);
  }

  /** Returns the metadata if it is usable now. */
  get usable(): IdpMetadata | undefined {
    const { current } = this;
    return current && (!current.validUntil || current.validUntil.getTime() > Date.now()) ? current : undefined;
  }

  /** Tells whether the provider has this entity id. */
  isNamed(entityId: string): boolean {
    return this.current?.entityId === entityId;
  }

  /**
   * Reads the metadata, and refreshes it from then on. Does not reject if it can't be read.
   * @throws ForbiddenProvider
   */
  async start(): Promise<void> {
    const problem = await this.refresh();
    if (problem instanceof ForbiddenProvider) throw problem;
    this.loop.schedule(problem);
  }

  stop(): void {
    this.loop.stop();
  }

  /** Reads the metadata once. @returns the error */
  async refresh(): Promise<unknown> {
    try {
      const xml = await this.source.read();
      if (xml !== undefined) this.use(await this.parse(xml));
      metadataChecked.set({ provider: this.config.id }, Date.now() / 1_000);
      return undefined;
    } catch (problem) {
      this.report(problem instanceof Error ? problem.message : String(problem));
      return problem;
    } finally {
      metadataUsable.set({ provider: this.config.id }, this.usable ? 1 : 0);
    }
  }

  /**
   * Reads the metadata ahead of schedule, unless it was replaced since a message was verified with `used`, in case a signing key is newer
   * than them. Rate-limited, since anyone can send such a message.
   * @param used PEM certificates
   * @returns whether other certificates than those are in use now
   */
  async readAgain(used: readonly string[]): Promise<boolean> {
    const replaced = () => this.current !== undefined && this.current.certificates.join() !== used.join();
    if (replaced()) return true;
    if (!this.readingAgain && Date.now() >= this.readAgainAt) {
      this.readAgainAt = Date.now() + READ_AGAIN_MS;
      this.readingAgain = this.refresh().finally(() => (this.readingAgain = undefined));
    }
    await this.readingAgain;
    return replaced();
  }

  private use(metadata: IdpMetadata): void {
    const unfit = this.rules.production ? unfitForProduction(this.config, metadata) : undefined;
    if (unfit) throw new ForbiddenProvider(refusal(this.config.id, unfit));
    const other = this.rules.otherNamed?.(metadata.entityId);
    if (other !== undefined)
      throw new ForbiddenProvider(
        `SAML_PROVIDERS: ${this.config.id} and ${other} are one provider: both call themselves ${metadata.entityId}`,
      );
    if (metadata.wantsSignedRequests && !this.rules.canSign) {
      throw new Error('it wants signed requests; set SAML_KEY_FILE and SAML_CERT_FILE');
    }
    this.current = metadata;
    this.lastProblem = '';
    this.measure(metadata);
    const { entityId, certificates } = metadata;
    const fields = { provider: this.config.id, entity_id: entityId, certificates: certificates.length };
    this.log.log(fields, 'Metadata of a provider was read.');
  }

  private measure({ certificates, validUntil }: IdpMetadata): void {
    const provider = { provider: this.config.id };
    // While a provider rotates its key, the old certificate is listed beside the new one and may expire.
    const last = Math.max(...certificates.map((pem) => new X509Certificate(pem).validToDate.getTime()));
    providerCertificateExpiry.set(provider, last / 1_000);
    if (validUntil) metadataValidUntil.set(provider, validUntil.getTime() / 1_000);
    else metadataValidUntil.remove(provider);
  }

  private report(problem: string): void {
    const { id, metadata } = this.config;
    if (problem !== this.lastProblem)
      this.log.warn({ provider: id, metadata, reason: problem }, 'Metadata of a provider is not usable.');
    this.lastProblem = problem;
  }
}

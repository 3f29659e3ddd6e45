/** A label of DNS (RFC 1035, 2.3.1), as devices get them at enrolment. */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const USUAL_PORT: Record<string, string> = { 'http:': ':80', 'https:': ':443' };

/** Where the web services of devices are: `{slug}.{domain}`, with the hub's scheme. */
export class DeviceHosts {
  private readonly suffix: string;
  private readonly scheme: string;

  /** @param domain with its port, if it is not the usual one */
  constructor(
    hubUrl: string,
    readonly domain: string,
  ) {
    this.scheme = new URL(hubUrl).protocol;
    this.suffix = `.${domain.toLowerCase()}`;
  }

  /** The slug that a `Host` header names; undefined for every other host. */
  slugOf(host: string | undefined): string | undefined {
    if (host === undefined || host.length > 253) return undefined;
    const named = host.toLowerCase();
    const usual = USUAL_PORT[this.scheme] ?? '';
    const plain = named.endsWith(usual) && !this.suffix.endsWith(usual) ? named.slice(0, -usual.length) : named;
    if (!plain.endsWith(this.suffix)) return undefined;
    const slug = plain.slice(0, -this.suffix.length);
    return SLUG.test(slug) ? slug : undefined;
  }

  /** The public origin of a device's web service. */
  originOf(slug: string): string {
    return `${this.scheme}//${slug}${this.suffix}`;
  }

  hostOf(slug: string): string {
    return `${slug}${this.suffix}`;
  }

  /** True for origins that browsers trust: https, and this machine (W3C Secure Contexts, 3.1). */
  get trustworthy(): boolean {
    return this.scheme === 'https:' || /^\.(.*\.)?localhost(:\d+)?$/.test(this.suffix);
  }

  get secure(): boolean {
    return this.scheme === 'https:';
  }
}

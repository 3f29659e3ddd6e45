import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { createPublicKey, verify } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { GATEWAY_CONFIG, releaseKeySchema, type GatewayConfig } from '../config.ts';

const word = z.string().regex(/^[a-z\d][\w.-]{0,99}$/i, 'expected letters, digits, dots, dashes and underlines');

const UNSIGNED = 'has a manifest.json that the release key has not signed';

const packageSchema = z.object({
  os: word,
  arch: word,
  file: word,
  sha256: z.string().regex(/^[\da-f]{64}$/, 'expected 64 hexadecimal digits'),
  size: z.int().positive(),
});
/** One build of the agent. `size` is in bytes. */
export type AgentPackage = z.output<typeof packageSchema>;

const manifestSchema = z.object({ version: z.string(), packages: z.array(packageSchema).min(1).max(50) });

/** The packages that one release has, and the key that says so. */
export interface Release {
  version: string;
  packages: readonly AgentPackage[];
  /** Raw Ed25519 public key, base64. */
  releaseKey: string;
}

/** What stands beside the packages: their list as it was signed, the signature, and the key that it was made with. */
const DOCUMENTS = ['manifest.json', 'manifest.json.sig', 'release-key.pub'];

/** The agent's packages and installer as they lie in the files; a new manifest counts from the next request on. */
@Injectable()
export class AgentPackages {
  private read: { modified: number; release: Release } | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG)
    private readonly config: Pick<GatewayConfig, 'AGENT_PACKAGES_DIR' | 'AGENT_INSTALLER' | 'AGENT_RELEASE_KEY'>,
  ) {}

  get folder(): string {
    return this.config.AGENT_PACKAGES_DIR;
  }

  /** @throws Fault `unavailable` when there is no manifest, none that can be read, or none that the release key has signed */
  async release(): Promise<Release> {
    try {
      return await this.current();
    } catch (cause) {
      const why = cause instanceof Error && cause.message === UNSIGNED ? UNSIGNED : 'has no usable manifest.json';
      throw new Fault('unavailable', `No agent: ${this.folder} ${why}.`, { cause, retryAfter: 30 });
    }
  }

  /** The package that the manifest names so; nothing else in the folder is given out. */
  async find(file: string): Promise<AgentPackage | undefined> {
    return (await this.release()).packages.find((entry) => entry.file === file);
  }

  /** True for the files that say what the packages are and who released them. */
  isDocument(file: string): boolean {
    return DOCUMENTS.includes(file);
  }

  /** @throws Fault `unavailable` when the template is not there */
  async template(): Promise<string> {
    try {
      return await readFile(this.config.AGENT_INSTALLER, 'utf8');
    } catch (cause) {
      throw new Fault('unavailable', `No installer: ${this.config.AGENT_INSTALLER} cannot be read.`, {
        cause,
        retryAfter: 30,
      });
    }
  }

  private async current(): Promise<Release> {
    const file = join(this.folder, 'manifest.json');
    const { mtimeMs: modified } = await stat(file);
    if (this.read?.modified === modified) return this.read.release;
    const [text, signature, beside] = await Promise.all([
      readFile(file),
      readFile(`${file}.sig`, 'utf8'),
      this.config.AGENT_RELEASE_KEY ?? readFile(join(this.folder, 'release-key.pub'), 'utf8'),
    ]);
    const releaseKey = releaseKeySchema.parse(beside.trim());
    if (!isSigned(text, signature, releaseKey)) throw new Error(UNSIGNED);
    const release = { ...manifestSchema.parse(JSON.parse(text.toString())), releaseKey };
    this.read = { modified, release };
    return release;
  }
}

/** Ed25519 over the manifest's bytes (RFC 8032). */
function isSigned(manifest: Buffer, signature: string, key: string): boolean {
  const x = Buffer.from(key, 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, manifest, publicKey, Buffer.from(signature, 'base64'));
}

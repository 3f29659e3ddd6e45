import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';

const word = z.string().regex(/^[a-z\d][\w.-]{0,99}$/i, 'expected letters, digits, dots, dashes and underlines');

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
type Manifest = z.output<typeof manifestSchema>;

/** What stands beside the packages: their list as it was signed, the signature, and the key that it was made with. */
const DOCUMENTS = ['manifest.json', 'manifest.json.sig', 'release-key.pub'];

/** The agent's packages and installer as they lie in the files; a new manifest counts from the next request on. */
@Injectable()
export class AgentPackages {
  private read: { modified: number; manifest: Manifest } | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'AGENT_PACKAGES_DIR' | 'AGENT_INSTALLER'>,
  ) {}

  get folder(): string {
    return this.config.AGENT_PACKAGES_DIR;
  }

  /** @throws Fault `unavailable` when there is no manifest, or none that can be read */
  async list(): Promise<readonly AgentPackage[]> {
    try {
      return (await this.manifest()).packages;
    } catch (cause) {
      throw new Fault('unavailable', `No agent: ${this.folder} has no usable manifest.json.`, {
        cause,
        retryAfter: 30,
      });
    }
  }

  /** The package that the manifest names so; nothing else in the folder is given out. */
  async find(file: string): Promise<AgentPackage | undefined> {
    return (await this.list()).find((entry) => entry.file === file);
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

  private async manifest(): Promise<Manifest> {
    const file = join(this.folder, 'manifest.json');
    const { mtimeMs: modified } = await stat(file);
    if (this.read?.modified === modified) return this.read.manifest;
    const manifest = manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    this.read = { modified, manifest };
    return manifest;
  }
}

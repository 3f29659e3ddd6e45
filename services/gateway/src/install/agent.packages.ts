import { Inject, Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import {
  DOCUMENTS,
  keysIn,
  SignedManifests,
  UnsignedManifest,
  type AgentPackage,
  type Release,
} from './signed.manifest.ts';

/** Folders of further releases that are looked at. */
const RELEASES_MAX = 50;

type Config = Pick<
  GatewayConfig,
  'AGENT_PACKAGES_DIR' | 'AGENT_RELEASES_DIR' | 'AGENT_INSTALLER' | 'AGENT_RELEASE_KEY'
>;

/** The agent's releases and installer as they lie in the files; a new manifest counts from the next request on. */
@Injectable()
export class AgentPackages {
  private readonly log = new Logger(AgentPackages.name);
  private readonly manifests = new SignedManifests();
  private readonly refused = new Set<string>();

  constructor(@Inject(GATEWAY_CONFIG) private readonly config: Config) {}

  /**
   * The release that new devices get.
   * @throws Fault `unavailable` when there is no manifest, none that can be read, or none that a release key has signed
   */
  async release(): Promise<Release> {
    const { AGENT_PACKAGES_DIR: folder } = this.config;
    try {
      return await this.manifests.read(folder, this.given());
    } catch (cause) {
      const why = cause instanceof UnsignedManifest ? cause.message : 'has no usable manifest.json';
      throw new Fault('unavailable', `${folder} ${why}.`, { cause, retryAfter: 30 });
    }
  }

  /** All releases that devices can be offered, newest first; each version once. Fails as {@link release} does. */
  async releases(): Promise<Release[]> {
    const own = await this.release();
    const keys = this.given() ?? [own.releaseKey, ...(await this.besideOwn())];
    const others = await Promise.all((await this.folders()).map((folder) => this.other(folder, keys)));
    const byVersion = new Map<string, Release>();
    for (const release of [own, ...others])
      if (release && !byVersion.has(release.version)) byVersion.set(release.version, release);
    return [...byVersion.values()].sort((one, two) => semver.rcompare(one.version, two.version));
  }

  /** The release of that version, if there is one. Fails as {@link release} does. */
  async find(version: string): Promise<Release | undefined> {
    return (await this.releases()).find((release) => release.version === version);
  }

  /** @throws Fault `unavailable` when the template is not there */
  async template(): Promise<string> {
    try {
      return await readFile(this.config.AGENT_INSTALLER, 'utf8');
    } catch (cause) {
      throw new Fault('unavailable', `${this.config.AGENT_INSTALLER} cannot be read.`, {
        cause,
        retryAfter: 30,
      });
    }
  }

  private async folders(): Promise<string[]> {
    const root = this.config.AGENT_RELEASES_DIR;
    if (root === undefined) return [];
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return folders.slice(0, RELEASES_MAX).map(({ name }) => join(root, name));
  }

  private given(): string[] | undefined {
    return this.config.AGENT_RELEASE_KEY?.split(',');
  }

  /** While keys change devices know one, the other or both; a release lists those that it knows. Up to 0.1.0 there is no list. */
  private async besideOwn(): Promise<string[]> {
    const file = join(this.config.AGENT_PACKAGES_DIR, 'release-keys.pub');
    return keysIn(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') this.log.warn({ err: error, file }, 'The list of release keys is left out.');
      return [];
    });
  }

  /** A device takes only what is signed by a key that it knows, so no other key's releases are of use. */
  private async other(folder: string, keys: readonly string[]): Promise<Release | undefined> {
    try {
      const release = await this.manifests.read(folder, keys);
      this.refused.delete(folder);
      return release;
    } catch (error) {
      if (!this.refused.has(folder)) this.log.warn({ err: error, folder }, 'A release is left out.');
      this.refused.add(folder);
      return undefined;
    }
  }
}

/** The file of a release that may be served under this name: a package, or what says what the packages are. */
export function fileOf(release: Release, name: string): { file: string; sha256?: string } | undefined {
  if (DOCUMENTS.includes(name)) return { file: name };
  return [...release.packages, ...release.updates].find((entry: AgentPackage) => entry.file === name);
}

import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { applyUpdate } from '../src/update/apply.ts';
import { BROUGHT_KEYS } from '../src/update/keys.ts';
import { Places, type Pointer } from '../src/update/places.ts';
import { outcomeSchema, readRecord, writeRecord, type Trial } from '../src/update/records.ts';
import type { TrialHooks, Verdict } from '../src/update/trial.ts';

const arch = process.arch === 'arm' ? 'armv7l' : process.arch;

export const NO_CRASHES = { count: 0, weight: 0 };

export interface Released {
  manifest: string;
  signature: string;
  archive: string;
  folder: string;
}

/** As releases list a public key: raw, base64. */
export function rawKey(key: KeyObject): string {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
}

/** An installed version `first`, 1.0.0, and an updater whose service notes what it is asked for. */
export class UpdaterWorld {
  readonly places: Places;
  readonly key: KeyObject;
  /** What happened, in its order. */
  steps: string[] = [];
  verdict: Verdict = { good: true, crashes: NO_CRASHES };
  /** The version whose units stand. */
  units = 'first';
  private readonly home: string;

  private constructor(home: string, key: KeyObject) {
    this.home = home;
    this.key = key;
    this.places = new Places(join(home, 'opt'), join(home, 'state'));
  }

  static async make(): Promise<UpdaterWorld> {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const world = new UpdaterWorld(await mkdtemp(join(tmpdir(), 'warren-apply-')), privateKey);
    await world.version('first', '1.0.0');
    await writeFile(world.places.releaseKey, `${rawKey(publicKey)}\n`);
    await world.point('current', 'first');
    await world.point('steady', 'first');
    return world;
  }

  end(): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }

  current() {
    return this.places.folderOf('current');
  }

  outcome() {
    return readRecord(this.places.outcome, outcomeSchema);
  }

  apply(prove: (trial: Trial, hooks: TrialHooks) => Promise<Verdict> = async () => this.verdict): Promise<void> {
    return applyUpdate({
      places: this.places,
      service: {
        place: async (version) => {
          if (this.units === version) return false;
          this.steps.push(`units ${version}`);
          this.units = version;
          return true;
        },
        restart: async () => void this.steps.push(`restart ${await this.current()}`),
        goingDown: async () => false,
      },
      prove,
      stay: 600,
      log: pino({ level: 'silent' }),
    });
  }

  async point(name: Pointer, folder: string): Promise<void> {
    await rm(this.places.pointer(name), { force: true });
    await symlink(this.places.version(folder), this.places.pointer(name));
  }

  async version(folder: string, number: string): Promise<void> {
    await mkdir(this.places.version(folder), { recursive: true });
    await writeFile(join(this.places.version(folder), 'package.json'), JSON.stringify({ version: number }));
  }

  /**
   * @param runtime of a package that comes without one
   * @param brings the keys that updates after it may be signed with
   */
  async release(
    number: string,
    by: KeyObject = this.key,
    { runtime, brings = [] }: { runtime?: string; brings?: KeyObject[] } = {},
  ): Promise<Released> {
    const folder = await mkdtemp(join(this.home, 'release-'));
    if (brings.length > 0) {
      await mkdir(join(folder, 'share'));
      await writeFile(join(folder, BROUGHT_KEYS), brings.map((key) => `${rawKey(key)}\n`).join(''));
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: number }));
    const archive = `${folder}.tar.gz`;
    execFileSync('tar', ['-czf', archive, '-C', folder, '.']);
    const body = await readFile(archive);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const entry = { os: 'linux', arch, file: 'agent.tar.gz', sha256, size: body.length };
    const whole = runtime === undefined ? entry : { ...entry, sha256: '0'.repeat(64), size: 2 * entry.size };
    const updates = runtime === undefined ? [] : [{ ...entry, runtime }];
    const manifest = JSON.stringify({ version: number, packages: [whole], updates });
    const signature = sign(null, Buffer.from(manifest), by).toString('base64');
    return { manifest, signature, archive, folder: whole.sha256.slice(0, 16) };
  }

  async ask(number: string, released?: Released, back = false): Promise<void> {
    await mkdir(this.places.inbox, { recursive: true });
    await writeRecord(this.places.request, { offer: 'rollout-1', version: number, back });
    if (!released) return;
    await writeFile(this.places.manifest, released.manifest);
    await writeFile(this.places.signature, released.signature);
    await cp(released.archive, this.places.package);
  }
}

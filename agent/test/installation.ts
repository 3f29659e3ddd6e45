import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PrivateAuthority } from './authority.ts';
import { TestHub } from './hub.ts';

const run = promisify(execFile);
const agent = join(import.meta.dirname, '..');
const packages = join(agent, 'dist/packages');
const TOOLS =
  'sh uname getconf sed head cut mktemp mkdir mv rm ln cat chmod tar gzip sha256sum wget id date sleep grep'.split(' ');

/** What the hub puts into the script, when it differs. */
export interface Values {
  token?: string;
  manifest?: string;
  key?: string;
  /** Seconds that a transfer may stall. */
  stall?: number;
}

export interface Package {
  os: string;
  arch: string;
  file: string;
  sha256: string;
  size: number;
}

/** Makes the package of this machine's processor. @returns all packages in the folder */
export async function makePackages(): Promise<Package[]> {
  await run(process.execPath, [join(agent, 'packaging/build/package.ts'), '--throwaway-key']);
  return (JSON.parse(await readFile(join(packages, 'manifest.json'), 'utf8')) as { packages: Package[] }).packages;
}

/** The bytes of a package. */
export const readPackage = (file: string): Promise<Buffer> => readFile(join(packages, file));

/** A hub that serves packages, and a folder to install the agent below. */
export class Installation {
  hub: TestHub;
  readonly folder: string;
  private readonly list: Package[];

  private constructor(hub: TestHub, folder: string, list: Package[]) {
    this.hub = hub;
    this.folder = folder;
    this.list = list;
  }

  static async make(list: Package[]): Promise<Installation> {
    const hub = await new TestHub().start();
    for (const file of ['manifest.json', 'manifest.json.sig', ...list.map((entry) => entry.file)]) {
      hub.files.set(`/install/packages/${file}`, await readFile(join(packages, file)));
    }
    return new Installation(hub, await mkdtemp(join(tmpdir(), 'warren-install-')), list);
  }

  async end(): Promise<void> {
    await this.hub.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Path of the command that is installed. */
  get launcher(): string {
    return join(this.folder, 'prefix/bin/warren-agent');
  }

  /**
   * Runs the script as the hub gives it, as by `curl … | sh`.
   * @param within a shell script that runs `sh` somewhere in it, in a separate mount namespace
   */
  async install(values: Values = {}, env: Record<string, string> = {}, within?: string) {
    const lines = this.list.map(({ os, arch, file, sha256, size }) => `${os}-${arch} ${file} ${sha256} ${size}`);
    const script = (await readFile(join(agent, 'packaging/install.sh'), 'utf8'))
      .replace('STALL_S=60', `STALL_S=${values.stall ?? 60}`)
      .replaceAll('@HUB@', this.hub.url)
      .replaceAll('@ACCOUNT@', 'account-1')
      .replaceAll('@TOKEN@', values.token ?? this.hub.token)
      .replaceAll('@MANIFEST@', values.manifest ?? lines.join('\n'))
      .replaceAll('@RELEASE_KEY@', values.key ?? (await readFile(join(packages, 'release-key.pub'), 'utf8')).trim());
    const [program = '', ...args] = within === undefined ? ['sh'] : ['unshare', '--mount', 'sh', '-c', within];
    const own = { HOME: this.folder, WARREN_PREFIX: 'prefix', WARREN_SERVICE: 'none' };
    const shell = spawn(program, args, { cwd: this.folder, env: { PATH: process.env['PATH']!, ...own, ...env } });
    let output = '';
    shell.stdout.on('data', (text) => (output += String(text)));
    shell.stderr.on('data', (text) => (output += String(text)));
    shell.stdin.on('error', () => {});
    shell.stdin.end(script);
    const [code] = (await once(shell, 'close')) as [number];
    return { code, output };
  }

  /** Puts a hub whose certificate is of a private authority in place of the plain one. @returns the authority's file */
  async secure(from?: Date, till?: Date): Promise<string> {
    await mkdir(join(this.folder, 'authority'));
    const authority = await PrivateAuthority.make(join(this.folder, 'authority'));
    const { files } = this.hub;
    await this.hub.stop();
    this.hub = await new TestHub(await authority.issue(from, till)).start();
    for (const [path, file] of files) this.hub.files.set(path, file);
    return authority.file;
  }

  /** A PATH with the programs that the script uses, but curl. */
  async withoutCurl(): Promise<{ PATH: string }> {
    const PATH = join(this.folder, 'bin');
    await mkdir(PATH);
    for (const tool of TOOLS) await symlink((await run('which', [tool])).stdout.trim(), join(PATH, tool));
    return { PATH };
  }
}

import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Pointers in a program's folder: `current` runs, `steady` is the last version that passed its trial and installs updates, `previous`
 * is kept for a rollback.
 */
export type Pointer = 'current' | 'steady' | 'previous';

/** The suffix of an incomplete download. */
export const PART = '.part';

/** The paths of an installed agent and its updates. */
export class Places {
  /** The program's folder, such as `/opt/warren-agent`. Only root writes there. */
  readonly program: string;
  /** Downloads and requests of the agent. The agent may write here, so the installer verifies everything again. */
  readonly inbox: string;

  constructor(program: string, state: string) {
    this.program = program;
    this.inbox = join(state, 'update');
  }

  /** Ed25519 public key of the releases, raw, base64: the installer's. A version may bring others. */
  get releaseKey(): string {
    return join(this.program, 'release-key.pub');
  }

  /** The result of the last update. */
  get outcome(): string {
    return join(this.program, 'update.json');
  }

  /** Exists while a version is on trial. */
  get trial(): string {
    return join(this.program, 'trial');
  }

  /** Exists on the first day of a version. */
  get firstDay(): string {
    return join(this.program, 'first-day');
  }

  /** Crashes on that day, as recorded by `crashed.sh`. */
  get crashes(): string {
    return join(this.program, 'crashes');
  }

  get request(): string {
    return join(this.inbox, 'request.json');
  }

  get manifest(): string {
    return join(this.inbox, 'manifest.json');
  }

  get signature(): string {
    return join(this.inbox, 'manifest.json.sig');
  }

  get package(): string {
    return join(this.inbox, 'package.tar.gz');
  }

  /** An incomplete or unverified download. */
  part(sha256: string): string {
    return join(this.inbox, `${sha256.slice(0, 16)}${PART}`);
  }

  version(folder: string): string {
    return join(this.program, 'versions', folder);
  }

  pointer(name: Pointer): string {
    return join(this.program, name);
  }

  /** The folder below `versions` that a pointer names; undefined when there is none. */
  async folderOf(name: Pointer): Promise<string | undefined> {
    const target = await readlink(this.pointer(name)).catch(() => undefined);
    return target === undefined ? undefined : basename(target);
  }
}

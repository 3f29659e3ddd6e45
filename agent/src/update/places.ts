import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * What of a program's folder points to a version: `current` runs, `steady` last proved itself and puts updates in place, `previous` is
 * kept to go back to.
 */
export type Pointer = 'current' | 'steady' | 'previous';

/** The end of the name of a download that is not complete. */
export const PART = '.part';

/** Where an installed agent and its updates are. */
export class Places {
  /** The program's folder, such as `/opt/warren-agent`. Only root writes there. */
  readonly program: string;
  /** Downloads and requests of the agent. The agent may write here, so the installer verifies everything again. */
  readonly inbox: string;

  constructor(program: string, state: string) {
    this.program = program;
    this.inbox = join(state, 'update');
  }

  /** Ed25519 public key of the releases, raw, base64: what the installer was given. A version may bring others. */
  get releaseKey(): string {
    return join(this.program, 'release-key.pub');
  }

  /** How the last update ended. */
  get outcome(): string {
    return join(this.program, 'update.json');
  }

  /** There while a version is on trial. */
  get trial(): string {
    return join(this.program, 'trial');
  }

  /** There on the first day of a version. */
  get firstDay(): string {
    return join(this.program, 'first-day');
  }

  /** Crashes on that day, as `crashed.sh` notes them. */
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

  /** A download that is not complete yet, or was not checked. */
  part(sha256: string): string {
    return join(this.inbox, `${sha256.slice(0, 16)}${PART}`);
  }

  version(folder: string): string {
    return join(this.program, 'versions', folder);
  }

  pointer(name: Pointer): string {
    return join(this.program, name);
  }

  /** The folder below `versions` that a pointer leads to; undefined when there is none. */
  async folderOf(name: Pointer): Promise<string | undefined> {
    const target = await readlink(this.pointer(name)).catch(() => undefined);
    return target === undefined ? undefined : basename(target);
  }
}

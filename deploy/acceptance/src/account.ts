import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The account of the test, from the container that keeps it. */
export interface TestAccount {
  account: string;
  email: string;
}

/** The account of the test. The tenancy image's dist/test-account.js creates and deletes it; they exchange files in a folder. */
export class AccountKeeper {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws Error while it does not exist */
  async account(): Promise<TestAccount> {
    return JSON.parse(await this.note('account.json', 'there is no account yet')) as TestAccount;
  }

  /** Requests the deletion of the account. */
  async finish(): Promise<void> {
    const path = join(this.folder, 'finished.json');
    await writeFile(`${path}.new`, '{}');
    await rename(`${path}.new`, path);
  }

  /** @throws Error while the account exists */
  async requireRemoved(): Promise<void> {
    await this.note('removed.json', 'its keeper has not said so yet');
  }

  private note(name: string, missing: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8').catch((cause: unknown) => {
      throw new Error(missing, { cause });
    });
  }
}

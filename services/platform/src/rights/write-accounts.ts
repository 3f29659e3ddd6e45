import { writeFile } from 'node:fs/promises';
import { natsAccounts } from './nats.accounts.ts';

/** `node write-accounts.js FILE`: writes the accounts of the message bus. */
const file = process.argv[2];
if (!file) {
  process.stderr.write('usage: node write-accounts.js FILE\n');
  process.exit(2);
}
await writeFile(file, natsAccounts());

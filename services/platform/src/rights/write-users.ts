import { writeFile } from 'node:fs/promises';
import { redisUsers } from './redis.rights.ts';

/** `node write-users.js FILE`: writes the users of Redis. */
const file = process.argv[2];
if (!file) {
  process.stderr.write('usage: node write-users.js FILE\n');
  process.exit(2);
}
await writeFile(file, redisUsers());

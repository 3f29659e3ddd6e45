import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const HIGH = 40;
const PROGRAM = `
import { fstatSync, writeSync } from 'node:fs';
import { closeInherited } from './inherited.ts';
const isOpen = (fd) => { try { fstatSync(fd); return true; } catch { return false; } };
const before = isOpen(${HIGH});
closeInherited();
closeInherited();
// What Node needs itself is still there.
await new Promise((done) => setTimeout(done, 1));
await (await import('node:fs/promises')).readFile('/proc/self/comm');
writeSync(1, JSON.stringify({ before, after: [0, 1, 2, ${HIGH}].map(isOpen) }));
`;

it('closes inherited file descriptors except the standard streams', () => {
  // A gap that is wide enough for Node to look no further: what follows it Node does not keep from programs.
  const command = `exec ${HIGH}</dev/null; for fd in $(seq 3 ${HIGH - 1}); do eval "exec $fd>&-"; done; exec "$0" --input-type=module --eval "$1"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, PROGRAM], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ before: true, after: [true, true, true, false] });
});

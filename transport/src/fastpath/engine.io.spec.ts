import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';

/** Probes classes in a separate process, as the first probe of a process counts, and says what its log says. */
function probe(webSocket: string): string {
  const script = `
    const { canReachWebSockets } = await import('./engine.io.ts');
    const { slowParts } = await import('./fast.path.ts');
    canReachWebSockets(class { flush() {} }, ${webSocket});
    console.log(slowParts() ?? 'all fast');`;
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  return execFileSync(process.execPath, options, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

describe('frames of Engine.IO', () => {
  it('take the fast path where Engine.IO and its WebSockets have what it needs; otherwise the log says why not', () => {
    expect(probe('class { pause() {} resume() {} ping() {} }')).toBe('all fast');
    expect(probe('class { pause() {} resume() {} }')).toContain('socket frames (Node');
  });
});

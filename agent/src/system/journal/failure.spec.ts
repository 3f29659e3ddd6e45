import { describe, expect, it } from '@jest/globals';
import { failureOf, noticeOf } from './failure.ts';

const hint = `Hint: You are currently not seeing messages from other users and the system.
      Users in groups 'adm', 'systemd-journal' can see all messages.
      Pass -q to turn off this notice.
`;

describe('a journal that cannot be read', () => {
  it.each([
    [{ code: undefined, error: Object.assign(new Error('x'), { code: 'ENOENT' }), stderr: '' }, 'has no journalctl'],
    [{ code: undefined, error: new Error('spawn EAGAIN'), stderr: '' }, 'could not be started: spawn EAGAIN'],
    [
      { code: 1, stderr: `${hint}No journal files were opened due to insufficient permissions.\n` },
      "not in the group 'systemd-journal'",
    ],
    [{ code: 1, stderr: 'Failed to open /var/log/journal: Permission denied\n' }, 'may not read the journal'],
    [{ code: 1, stderr: 'No journal files were found.\n' }, 'keeps no journal'],
    [{ code: 1, stderr: 'first\n  Failed to seek to cursor: Invalid argument\n' }, 'Failed to seek to cursor'],
    [{ code: 1, stderr: `${'long '.repeat(100)}\n` }, 'long long'],
    [{ code: null, stderr: '' }, 'journalctl ended (killed)'],
    [{ code: 3, stderr: '' }, 'journalctl ended (3)'],
  ])('says so in one line: %#', (ended, words) => {
    const { message } = failureOf(ended);
    expect(message).toContain(words);
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(250);
  });

  it('differs from a partly readable journal', () => {
    expect(noticeOf(hint)).toMatch(/^Only messages of the agent's own user/);
    expect(noticeOf('')).toBe('');
  });
});

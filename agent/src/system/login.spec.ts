import { describe, expect, it } from '@jest/globals';
import { loginCommand, type LoginContext } from './login.ts';
import { parsePasswd } from './passwd.ts';

const pi = { name: 'pi', uid: 1000, gid: 1000, home: '/home/pi', shell: '/bin/bash' };
const context: LoginContext = { target: pi, uid: 1000, login: '/bin/login', su: '/bin/su', lang: 'C.UTF-8' };
const terminal = { userEmail: 'ada@example.com', term: 'xterm-256color' };

describe('loginCommand', () => {
  it("starts the user's own shell as a login shell, with a clean environment", () => {
    const command = loginCommand(context, terminal);
    expect(command).toMatchObject({ file: '/bin/bash', args: ['-l'], cwd: '/home/pi' });
    expect(command.env).toMatchObject({ USER: 'pi', TERM: 'xterm-256color', WARREN_USER: 'ada@example.com' });
    expect(Object.keys(command.env).filter((name) => name.startsWith('WARREN_'))).toEqual(['WARREN_USER']);
  });

  it('uses login, else su, for another user', () => {
    expect(loginCommand({ ...context, uid: 0 }, terminal)).toMatchObject({
      file: '/bin/login',
      args: ['-p', '-f', 'pi'],
    });
    const su = loginCommand({ ...context, uid: 0, login: undefined }, terminal);
    expect(su.file).toBe('/bin/su');
    expect(su.args.at(-1)).toBe('pi');
  });

  it('refuses a user that it may not or can not switch to', () => {
    expect(() => loginCommand({ ...context, uid: 7 }, terminal)).toThrow(`can't open a shell of user "pi"`);
    expect(() => loginCommand({ ...context, uid: 0, login: undefined, su: undefined }, terminal)).toThrow(
      'neither login nor su',
    );
    const target = { ...pi, shell: '/usr/sbin/nologin' };
    expect(() => loginCommand({ ...context, target }, terminal)).toThrow('no login shell (/usr/sbin/nologin)');
  });
});

describe('parsePasswd', () => {
  it('reads users and skips other lines', () => {
    const text = 'root:x:0:0:root:/root:/bin/bash\n# no\nbad:x:a:b::/:/\nnis:x:5:5:::\n+::::::\n';
    expect(parsePasswd(text)).toEqual([
      { name: 'root', uid: 0, gid: 0, home: '/root', shell: '/bin/bash' },
      { name: 'nis', uid: 5, gid: 5, home: '/', shell: '/bin/sh' },
    ]);
  });
});

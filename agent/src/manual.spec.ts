import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format } from 'oxfmt';
import { manPage, reference } from '../packaging/build/manual.ts';
import { CHANGEABLE } from './change.ts';
import { EXIT } from './errors.ts';
import { COMMANDS, EXITS, OPTIONS, synopsisOf, usage, VARIABLES, type ManualCommand } from './manual.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const commands: readonly ManualCommand[] = COMMANDS;

describe('the manual', () => {
  it('has the commands of the program and its launcher, and no other', () => {
    const table = /const commands: Record<.*?> = \{\n(.*?)\n\};/s.exec(read('src/main.ts'))?.[1] ?? '';
    const inCode = [...table.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name]) => name);
    const inLauncher = [...read('packaging/install.sh').matchAll(/\$\{1:-\}" = ([\w-]+) \]; then exec/g)].map(
      ([, name]) => name,
    );
    expect(inCode.length).toBeGreaterThan(5);
    expect(commands.map(({ name }) => name).sort()).toEqual([...inCode, ...inLauncher].sort());
  });

  it('has each setting that `set` changes', () => {
    expect(COMMANDS.find(({ name }) => name === 'set')).toMatchObject({ arguments: `${CHANGEABLE.join('|')} <value>` });
  });

  it('has each variable that the configuration reads, and no other', () => {
    const config = read('src/config.ts');
    const inCode = [...config.matchAll(/set\(env, '(\w+)'\)|env\['(\w+)'\]/g)].map(([, a, b]) => a ?? b);
    const ofOptions = Object.values(OPTIONS).flatMap((option) => ('variable' in option ? [option.variable] : []));
    const ofNetwork = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];
    const inManual = [...ofOptions, ...Object.keys(VARIABLES).flatMap((names) => names.split(', '))];
    expect(inManual.sort()).toEqual([...new Set([...inCode, ...ofNetwork])].sort());
  });

  it('has every exit code', () => {
    expect(Object.keys(EXITS).map(Number)).toEqual([...new Set([0, ...Object.values(EXIT)])].sort((a, b) => a - b));
  });

  it('is the reference in the handbook: npm run manual -w @warren/agent', async () => {
    const page = join(import.meta.dirname, '../../docs/agent-reference.md');
    const { code } = await format(page, reference());
    expect(readFileSync(page, 'utf8')).toBe(code);
  });

  it('is a man page with every command, option, variable and status', async () => {
    const page = manPage('1.2.3');
    const plain = page.replaceAll('\\-', '-').replaceAll('\\(aq', "'").replaceAll('\\(ti', '~');
    for (const command of commands.filter(({ by }) => by !== 'units'))
      expect(plain).toContain(`.B ${synopsisOf(command).replace('warren-agent ', '')}\n${command.text}`);
    for (const [name, { text }] of Object.entries(OPTIONS))
      expect(plain).toMatch(new RegExp(`\\.B --${name}.*\n${text.slice(0, 20)}`));
    for (const name of [...Object.keys(VARIABLES), ...Object.keys(EXITS)]) expect(plain).toContain(`.B ${name}\n`);
    expect(page.split('\n').filter((line) => line.startsWith("'"))).toEqual([]);
    if (existsSync('/usr/bin/groff')) {
      const run = promisify(execFile)('sh', ['-c', 'printf %s "$0" | groff -man -Tascii -ww', page]);
      expect((await run).stderr).toBe('');
    }
  });

  it('is the output of `help`, without commands for units', () => {
    for (const { name, by } of commands) expect(usage().includes(`warren-agent ${name}`)).toBe(by !== 'units');
  });
});

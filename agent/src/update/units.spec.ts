import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPasswd } from '../system/passwd.ts';
import { Places } from './places.ts';
import { renderUnit, Units } from './units.ts';

const values = { prefix: '/opt/warren-agent', state: '/var/lib/warren-agent', user: 'warren' };

describe('a unit', () => {
  it('has the values of the device in place of every placeholder', () => {
    expect(renderUnit('User=@USER@\nA=@PREFIX@/x @STATE@ @PREFIX@\n', values, [])).toBe(
      'User=warren\nA=/opt/warren-agent/x /var/lib/warren-agent /opt/warren-agent\n',
    );
  });

  it('names no missing group', () => {
    const template = 'SupplementaryGroups=here\nSupplementaryGroups=gone\nUser=@USER@\n';
    expect(renderUnit(template, values, ['gone'])).toBe('SupplementaryGroups=here\nUser=warren\n');
  });

  it('is refused with an unknown placeholder', () => {
    expect(() => renderUnit('A=@FUTURE@', values, [])).toThrow('@FUTURE@, which this version does not know');
  });
});

describe('the units of a version', () => {
  let home: string;
  let places: Places;
  let units: Units;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'warren-units-'));
    places = new Places(join(home, 'opt'), join(home, 'state'));
    units = new Units(places, join(home, 'state'), join(home, 'etc'));
    for (const folder of ['state', 'etc']) await mkdir(join(home, folder));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function version(folder: string, files: Record<string, string>): Promise<void> {
    const share = join(places.version(folder), 'share');
    await mkdir(share, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(share, name), text);
  }

  it('are written for the owner of the state, readable by all, and only where they differ', async () => {
    await version('first', { 'warren-agent.service': 'User=@USER@\n', 'uninstall.sh': '', 'other.service': '' });
    expect(await units.write('first')).toEqual({
      written: ['warren-agent.service'],
      added: ['warren-agent.service'],
      obsolete: [],
      withoutGroups: [],
    });
    const name = readPasswd().find(({ uid }) => uid === process.getuid?.())?.name;
    expect(await readFile(units.path('warren-agent.service'), 'utf8')).toBe(`User=${name}\n`);
    expect((await stat(units.path('warren-agent.service'))).mode & 0o777).toBe(0o644);
    expect(await readdir(join(home, 'etc'))).toEqual(['warren-agent.service']);
    expect((await units.write('first')).written).toEqual([]);
  });

  it('take the place of those of another version, and back', async () => {
    await version('first', { 'warren-agent.service': 'A=1\n', 'warren-agent-reboot.path': 'B=1\n' });
    await version('second', { 'warren-agent.service': 'A=2\n', 'warren-agent-extra.path': 'C=1\n' });
    await units.write('first');
    expect(await units.write('second', 'first')).toMatchObject({
      written: ['warren-agent-extra.path', 'warren-agent.service'],
      added: ['warren-agent-extra.path'],
      obsolete: ['warren-agent-reboot.path'],
    });
    // A run that stopped before daemon-reload is repeated.
    expect(await units.write('second', 'first')).toMatchObject({ written: [], added: ['warren-agent-extra.path'] });
    // Removing one is for who tells systemd.
    await rm(units.path('warren-agent-reboot.path'));
    expect(await units.write('first', 'second')).toMatchObject({
      written: ['warren-agent-reboot.path', 'warren-agent.service'],
      obsolete: ['warren-agent-extra.path'],
    });
    expect(await readFile(units.path('warren-agent.service'), 'utf8')).toBe('A=1\n');
  });

  it('leave out a group that this device does not have, and say so', async () => {
    await version('first', { 'warren-agent.service': 'SupplementaryGroups=no-such-group-here\nA=1\n' });
    expect((await units.write('first')).withoutGroups).toEqual(['no-such-group-here']);
    expect(await readFile(units.path('warren-agent.service'), 'utf8')).toBe('A=1\n');
  });
});

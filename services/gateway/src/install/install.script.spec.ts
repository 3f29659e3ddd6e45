import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { installScript, refusalScript } from './install.script.ts';

const values = {
  hub: 'https://hub.example.com:8443',
  accountId: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
  token: 'Zm9v_-1234567890',
  releaseKey: 'ErzHJ4bkJNXcKCLBWiqUSrzu+Y+Eajk9GDk5iIs6nLo=',
  packages: [
    { os: 'linux', arch: 'x64', file: 'agent-x64.tar.gz', sha256: 'a'.repeat(64), size: 12 },
    { os: 'linux', arch: 'arm64', file: 'agent-arm64.tar.gz', sha256: 'b'.repeat(64), size: 34 },
  ],
};

describe('the install script', () => {
  it('has every value put in, wherever it stands', () => {
    expect(installScript('@HUB@ @HUB@/@ACCOUNT@ @TOKEN@', values)).toBe(
      `${values.hub} ${values.hub}/${values.accountId} ${values.token}`,
    );
  });

  it('lists the packages one a line', () => {
    expect(installScript('@MANIFEST@', values).split('\n')).toEqual([
      `linux-x64 agent-x64.tar.gz ${'a'.repeat(64)} 12`,
      `linux-arm64 agent-arm64.tar.gz ${'b'.repeat(64)} 34`,
    ]);
  });

  it.each(["'; reboot; '", '$(reboot)', '`reboot`', 'a b', 'a\nb', '"', '\\'])(
    'is not made with the token %j',
    (token) => {
      expect(() => installScript('@TOKEN@', { ...values, token })).toThrow('not fit for a shell');
    },
  );
});

it('the installer that comes with the agent is whole once its values are put in', () => {
  const template = readFileSync(resolve(import.meta.dirname, '../../../../agent/packaging/install.sh'), 'utf8');
  for (const name of ['HUB', 'ACCOUNT', 'TOKEN', 'MANIFEST', 'RELEASE_KEY']) expect(template).toContain(`@${name}@`);
  const script = installScript(template, values);
  expect(script).not.toMatch(/@(HUB|ACCOUNT|TOKEN|MANIFEST|RELEASE_KEY)@/);
  expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

it('a refusal says why on the error output, and fails', () => {
  const { status, stdout, stderr } = spawnSync('sh', {
    input: refusalScript(["It's over.", 'Go.'], 77),
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([77, '', 'It’s over.\nGo.\n']);
});

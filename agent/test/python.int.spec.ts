import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findPython, virtualPython } from '../packaging/build/python.ts';

const BROKEN = `#!/bin/sh
echo 'Traceback (most recent call last):' >&2
echo '  File "shim", line 1' >&2
echo 'pyenv: cannot rehash: shims/.pyenv-shim exists' >&2
exit 1
`;
const WITHOUT_VENV = `#!/bin/sh
echo "ModuleNotFoundError: No module named 'ensurepip'" >&2
exit 1
`;

describe('the Python that brings the compiler', () => {
  const path = process.env['PATH'] ?? '';
  let folder = '';

  async function putFirst(script: string): Promise<string> {
    const shims = join(folder, 'shims');
    await mkdir(shims, { recursive: true });
    for (const name of ['python', 'python3', 'pip3']) {
      await writeFile(join(shims, name), script);
      await chmod(join(shims, name), 0o755);
    }
    return shims;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-python-'));
  });
  afterAll(async () => {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true, force: true });
  });

  it('is one that works, past a broken one that is first on the path', async () => {
    const shims = await putFirst(BROKEN);
    process.env['PATH'] = `${shims}${delimiter}${path}`;
    const python = await virtualPython(join(folder, 'environment'), join(folder, 'none'));
    const { stdout } = await promisify(execFile)(python, ['-m', 'pip', '--version']);
    expect(stdout).toContain(join(folder, 'environment'));
    // Made once: with nothing on the path it is there still.
    process.env['PATH'] = shims;
    expect(await virtualPython(join(folder, 'environment'), join(folder, 'none'))).toBe(python);
  }, 240_000);

  it('is named in one line when there is none that works', async () => {
    const shims = await putFirst(BROKEN);
    process.env['PATH'] = shims;
    const made = virtualPython(join(folder, 'other'), join(folder, 'none'));
    await expect(made).rejects.toThrow(
      `${shims}/python3 does not run (pyenv: cannot rehash: shims/.pyenv-shim exists): apt-get install python3-venv`,
    );
  });

  it('has to bring virtual environments', async () => {
    const shims = await putFirst(WITHOUT_VENV);
    process.env['PATH'] = shims;
    expect(await findPython(join(folder, 'none'))).toEqual({
      problem: `${shims}/python3 can't make a virtual environment: apt-get install python3-venv`,
    });
    process.env['PATH'] = folder;
    expect(await findPython(join(folder, 'none'))).toEqual({
      problem: 'python3 is missing: apt-get install python3-venv',
    });
  });
});

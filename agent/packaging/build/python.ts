import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { run } from './run.ts';

const execute = promisify(execFile);
/** The system's before those of a version manager, whose shims fail when its own state is broken. */
const SYSTEM = '/usr/bin/python3';
const NEEDED = 'import venv, ensurepip';

/** A Python that can make virtual environments, or one line that says why there is none. */
export type Found = { python: string } | { problem: string };

/** The environment without variables that lead Python to other modules than its own. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PYTHON|PIP_TARGET|VIRTUAL_ENV)/.test(name)),
  );
}

interface Tried {
  python: string;
  /** What it printed last when it failed. */
  failed?: string;
  missing?: boolean;
}

async function attempt(python: string): Promise<Tried> {
  try {
    await execute(python, ['-c', NEEDED], { env: plainEnvironment() });
    return { python };
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    const failed = stderr.trim().split('\n').at(-1) || message.split('\n')[0] || 'it fails';
    return { python, failed, missing: code === 'ENOENT' };
  }
}

/**
 * Finds a Python that can make virtual environments.
 * @param system tried before those in the folders of PATH
 */
export async function findPython(system = SYSTEM): Promise<Found> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [...new Set([system, ...folders.map((folder) => join(folder, 'python3'))])];
  const tried: Tried[] = [];
  for (const candidate of candidates) {
    const one = await attempt(candidate);
    if (one.failed === undefined) return { python: one.python };
    if (!one.missing) tried.push(one);
  }
  const [first] = tried;
  if (!first) return { problem: 'python3 is missing: apt-get install python3-venv' };
  const lacking = tried.find(({ failed }) => /No module named '?(ensurepip|venv)/.test(failed ?? ''));
  if (lacking) return { problem: `${lacking.python} can't make a virtual environment: apt-get install python3-venv` };
  return { problem: `${first.python} does not run (${first.failed}): apt-get install python3-venv` };
}

/**
 * Makes a virtual environment, or takes the one that is there, whatever Python is first on the PATH.
 * @returns its Python
 * @throws Error with one line that says what is missing
 */
export async function virtualPython(folder: string, system?: string): Promise<string> {
  const python = join(folder, 'bin/python');
  const works = await execute(python, ['-c', 'import pip'], { env: plainEnvironment() }).catch(() => undefined);
  if (works) return python;
  const found = await findPython(system);
  if ('problem' in found) throw new Error(found.problem);
  await rm(folder, { recursive: true, force: true });
  await run(found.python, ['-m', 'venv', folder], { env: plainEnvironment() });
  return python;
}

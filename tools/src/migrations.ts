import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

interface Runner {
  query(statement: string, parameters?: unknown[]): Promise<unknown>;
}
interface Migration {
  /** False for one that runs outside of a transaction. */
  transaction?: boolean;
  up(runner: Runner): Promise<void>;
}

const SQUAWK = resolve(import.meta.dirname, '../../node_modules/@squawk-cli/linux-x64/bin/squawk');
/** Whether there is a program for this machine: packages of it come for x64 alone. */
export const canCheck = existsSync(SQUAWK);
/** The first day whose migrations are checked; those before are released. */
const FIRST = '20261129';
/** The oldest server that Warren runs with. */
const SERVER = '14';
/** Rules that say nothing of a database in use, or of what `migrate` and `createIndex` do already. */
const NOT_ASKED = [
  'prefer-robust-stmts',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'require-lock-timeout',
  'require-statement-timeout',
];

/**
 * Lists what would block or break the running services if a migration ran, as text for people; empty for none.
 * @param name under which it is reported
 * @throws Error when the program that looks can not be run
 */
export async function problemsOf(name: string, migration: Migration): Promise<string> {
  const statements: string[] = [];
  await migration.up({ query: async (statement, of = []) => (statements.push(statement), answer(statement, of)) });
  const together = migration.transaction === false ? [] : ['--assume-in-transaction'];
  const options = [
    `--stdin-filepath=${name}.sql`,
    `--pg-version=${SERVER}`,
    `--exclude=${NOT_ASKED.join()}`,
    ...together,
  ];
  const { status, stdout, stderr, error } = spawnSync(SQUAWK, options, {
    input: statements.map((statement) => `${statement};\n`).join(''),
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status === 0) return '';
  return stdout.trim() || stderr.trim() || `squawk ended with ${status}`;
}

/** Of a table with one row, which `inBatches` finds once: the SELECT of the first batch has no parameters. */
function answer(statement: string, parameters: unknown[]): unknown {
  if (!/^\s*SELECT\b/i.test(statement)) return [[], 0];
  return parameters.length === 0 ? [{ key: '1' }] : [];
}

/** Checks the migrations of all services; says what is wrong and gives how many are. */
async function main(): Promise<number> {
  let wrong = 0;
  const root = resolve(import.meta.dirname, '../..');
  for (const file of globSync('services/*/src/migrations/*.ts', { cwd: root }).toSorted()) {
    if (basename(file) < FIRST) continue;
    const classes = Object.values((await import(join(root, file))) as Record<string, new () => Migration>);
    for (const Class of classes) {
      const problems = await problemsOf(file, new Class());
      if (problems) console.error(problems);
      wrong += problems ? 1 : 0;
    }
  }
  return wrong;
}

if (import.meta.main) {
  if (canCheck) process.exitCode = (await main()) > 0 ? 1 : 0;
  else console.warn('Migrations are not checked: squawk is installed on Linux for x64 only.');
}

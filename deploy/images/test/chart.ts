import { findProgram } from '@warren/infra/programs';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { Rule } from './kubernetes.api.ts';

const root = resolve(import.meta.dirname, '../../..');
const chart = join(root, 'helm/warren');

/** What the chart makes of `ci/trying-out.yaml`: the Job that creates Secrets, and what pods read of them. */
export interface Rendered {
  environment: Record<string, string>;
  rules: Rule[];
  /** `secret/key` of each variable and mounted file. */
  references: string[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- an object of any kind; the tests say what it holds.
type Item = any;

function helm(): string {
  const own = join(root, '.warren/tools/helm');
  return existsSync(own) ? own : (findProgram('helm') ?? 'helm');
}

/** Every object inside of another. */
function* within(node: unknown): Generator<Item> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const value of Object.values(node)) yield* within(value);
}

/** @param more further arguments of Helm, such as `--set` */
export async function renderedChart(...more: string[]): Promise<Rendered> {
  const given = [
    'template',
    'w',
    chart,
    '-n',
    'hub',
    '--kube-version',
    '1.33.0',
    '-f',
    join(chart, 'ci/trying-out.yaml'),
  ];
  const { stdout } = await promisify(execFile)(helm(), [...given, ...more], { maxBuffer: 1 << 24 });
  const items: Item[] = parseAllDocuments(stdout).flatMap((document) => document.toJSON() ?? []);
  const of = (kind: string) => items.find((item) => item.kind === kind && item.metadata.name === 'w-warren-secrets');
  const variables: Item[] = of('Job').spec.template.spec.containers[0].env;
  const all = items.flatMap((item) => [...within(item)]);
  return {
    environment: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    rules: of('Role').rules,
    references: [
      ...all.flatMap(({ secretKeyRef }) => (secretKeyRef ? [`${secretKeyRef.name}/${secretKeyRef.key}`] : [])),
      ...all.flatMap(({ secretName, items: files }) =>
        secretName && files ? files.map(({ key }: Item) => `${secretName}/${key}`) : [],
      ),
    ],
  };
}

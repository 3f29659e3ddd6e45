import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../..');
export const CHART = join(ROOT, 'helm/warren');
export const VERSION = ['--kube-version', '1.33.0'];

/** An object of Kubernetes, as it came out: the assertions say what it holds. */
export interface Item {
  // oxlint-disable-next-line typescript/no-explicit-any -- a type for each kind would say nothing that the schemas don't.
  [key: string]: any;
}

/** The one that `make programs` compiled, else that of this machine. */
function program(name: string): string {
  const own = join(ROOT, '.warren/tools', name);
  return existsSync(own) ? own : name;
}

/** Runs a program; what it says when it fails is the error's message. */
export async function run(name: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program(name), args, { maxBuffer: 1 << 24 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stderr}${stdout}`, { cause: error });
  }
}

const templateOf = (chart: string, file: string, ...more: string[]) =>
  run('helm', 'template', 'w', chart, '-n', 'hub', ...VERSION, '-f', file, ...more);

const texts = new Map<string, Promise<string>>();

/** The chart rendered as text, once for the same values. */
export function template(file: string, ...more: string[]): Promise<string> {
  const key = [file, ...more].join('\n');
  const text = texts.get(key) ?? templateAgain(file, ...more);
  texts.set(key, text);
  return text;
}

/** The chart rendered as text, again for the same values. */
export const templateAgain = (file: string, ...more: string[]) => templateOf(CHART, file, ...more);

/** A copy of the chart rendered with a values file of `ci/`. */
export async function renderedFrom(chart: string, name: string, ...more: string[]): Promise<Item[]> {
  const file = join(CHART, `ci/${name}.yaml`);
  const text = await (chart === CHART ? template(file, ...more) : templateOf(chart, file, ...more));
  return parseAllDocuments(text).flatMap((document) => (document.toJSON() as Item | null) ?? []);
}

/** The chart rendered with a values file of `ci/` and these values over it. */
export async function renderedWith(name: string, values: object, ...more: string[]): Promise<Item[]> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-values-'));
  try {
    await writeFile(join(folder, 'values.json'), JSON.stringify(values));
    return await rendered(name, '-f', join(folder, 'values.json'), ...more);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The chart rendered with a values file of `ci/`. */
export const rendered = (name: string, ...more: string[]) => renderedFrom(CHART, name, ...more);

/** What Helm prints after an installation with a values file of `ci/`. */
export async function notesOf(name: string, ...more: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-notes-'));
  try {
    await cp(CHART, folder, { recursive: true });
    // `helm template` leaves the notes out, and `helm install` may ask a cluster.
    const notes = await readFile(join(CHART, 'templates/NOTES.txt'), 'utf8');
    await writeFile(join(folder, 'templates/_notes.tpl'), `{{ define "notes" }}${notes}{{ end }}`);
    await writeFile(join(folder, 'templates/notes.yaml'), 'kind: Notes\ntext: {{ include "notes" . | toJson }}\n');
    const [item] = of(await renderedFrom(folder, name, ...more), 'Notes');
    return String(item?.['text']);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const of = (items: Item[], kind: string, name?: string): Item[] =>
  items.filter((item) => item['kind'] === kind && (name === undefined || item['metadata'].name === name));
export const one = (items: Item[], kind: string, name: string): Item => {
  const [item] = of(items, kind, name);
  if (!item) throw new Error(`${kind} ${name} is not there`);
  return item;
};

export const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'];

/** The pod of a service. */
export const podOf = (items: Item[], service: string): Item =>
  one(items, 'Deployment', `w-warren-${service}`)['spec'].template.spec;

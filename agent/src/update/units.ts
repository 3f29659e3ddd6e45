import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../system/files.ts';
import { readPasswd } from '../system/passwd.ts';
import { runProgram } from '../system/program.ts';
import type { Places } from './places.ts';

const UNIT_FOLDER = '/etc/systemd/system';
const UNIT = /^warren-agent[\w-]{0,64}\.(service|path)$/;
const ASK_MS = 10_000;

/** The values of `@PREFIX@`, `@STATE@` and `@USER@` in units. */
export interface UnitValues {
  prefix: string;
  state: string;
  user: string;
}

/** Changes that systemd has to load, by names of units. */
export interface UnitChanges {
  /** Rewritten. */
  written: string[];
  /** New ones, and those that the former version lacks: an interrupted run may have written them already. */
  added: string[];
  /** Still installed, though the version lacks them. */
  obsolete: string[];
  /** Groups that units name and this device lacks. */
  withoutGroups: string[];
}

/**
 * Renders a unit for a device.
 * @param missing groups that do not exist: a unit that names one does not start (systemd.exec(5))
 * @throws Error for a placeholder that this version does not know
 */
export function renderUnit(template: string, values: UnitValues, missing: readonly string[]): string {
  const known: Record<string, string> = { PREFIX: values.prefix, STATE: values.state, USER: values.user };
  const text = template.replace(/@([A-Z_]+)@/g, (placeholder, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`a unit has ${placeholder}, which this version does not know`);
    return value;
  });
  return text.replace(/^SupplementaryGroups=(.*)\n/gm, (line, group: string) => (missing.includes(group) ? '' : line));
}

/** The units of an installed agent. Only root writes them. */
export class Units {
  private readonly places: Places;
  private readonly state: string;
  private readonly folder: string;

  /** @param state the agent's folder, whose owner the agent runs as */
  constructor(places: Places, state: string, folder = UNIT_FOLDER) {
    this.places = places;
    this.state = state;
    this.folder = folder;
  }

  path(unit: string): string {
    return join(this.folder, unit);
  }

  /**
   * Writes the units of a version that differ.
   * @param version its folder below `versions`
   * @param former the folder of the former version, some of whose units may be obsolete
   */
  async write(version: string, former?: string): Promise<UnitChanges> {
    const names = await this.names(version);
    const formerly = former === undefined ? undefined : await this.names(former);
    const changes: UnitChanges = { written: [], added: [], obsolete: [], withoutGroups: [] };
    const user = await ownerOf(this.state);
    for (const name of names) {
      const template = await readFile(join(this.share(version), name), 'utf8');
      const missing = await missingGroups(template);
      const text = renderUnit(template, { prefix: this.places.program, state: this.state, user }, missing);
      const standing = await readIfThere(this.path(name));
      changes.withoutGroups.push(...missing);
      if (standing === undefined || formerly?.includes(name) === false) changes.added.push(name);
      if (standing === text) continue;
      await writeAtomically(this.path(name), text, 0o644);
      changes.written.push(name);
    }
    for (const name of formerly ?? [])
      if (!names.includes(name) && (await readIfThere(this.path(name))) !== undefined) changes.obsolete.push(name);
    return changes;
  }

  private share(version: string): string {
    return join(this.places.version(version), 'share');
  }

  private async names(version: string): Promise<string[]> {
    return (await readdir(this.share(version))).filter((name) => UNIT.test(name)).sort();
  }
}

async function ownerOf(folder: string): Promise<string> {
  const { uid } = await stat(folder);
  const name = readPasswd().find((entry) => entry.uid === uid)?.name;
  if (name === undefined) throw new Error(`${folder} belongs to user ${uid}, whom this device does not know`);
  return name;
}

async function missingGroups(template: string): Promise<string[]> {
  const named = [...template.matchAll(/^SupplementaryGroups=(.*)$/gm)].map(([, group = '']) => group);
  const there = await Promise.all(
    named.map((group) => runProgram('getent', ['group', group], ASK_MS).then(Boolean, () => false)),
  );
  return named.filter((_group, index) => !there[index]);
}

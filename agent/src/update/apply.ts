import { randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { readSmall } from '../system/files.ts';
import { runProgram } from '../system/program.ts';
import { bounded, damaged } from './download.ts';
import { trustedKeys } from './keys.ts';
import type { Places, Pointer } from './places.ts';
import { readRecord, requestSchema, trialSchema, writeRecord, type Trial, type UpdateRequest } from './records.ts';
import { buildOf, refuseDowngrade, UpdateRefused, type Build, type Package, type Update } from './release.ts';
import { runtimeDigest, sha256Of, shareRuntime } from './runtime.ts';
import { Interrupted, type Service } from './systemd.ts';
import { flaps } from './confidence.ts';
import { weighCrashes } from './first.day.ts';
import type { TrialHooks, Verdict } from './trial.ts';
import { versionIn } from './updates.ts';

/** A device that goes down this often during a trial rolls back. */
const ATTEMPTS_MAX = 3;
const FRESH = { attempts: 1, crashes: { count: 0, weight: 0 } };
const UNPACK_MS = 10 * 60_000;

export interface ApplyParts {
  places: Places;
  service: Service;
  /** Watches the service until the trial has a verdict. */
  prove: (trial: Trial, hooks: TrialHooks) => Promise<Verdict>;
  /** The seconds that a version on trial must stay linked. */
  stay: number;
  log: Logger;
}

/**
 * Installs a version, as root: verifies the agent's download again, switches, and rolls back unless the new version reaches the hub
 * and stays linked. It also rolls back a version that crashes too often on its first day. If it is interrupted at any point, the next
 * run resumes.
 */
export async function applyUpdate(parts: ApplyParts): Promise<void> {
  const { places, log } = parts;
  const standing = await readRecord(places.trial, trialSchema);
  if (standing) return conduct(parts, { ...standing, attempts: standing.attempts + 1 });
  // An unreadable request would restart the updater in a loop.
  await rm(places.trial, { force: true });
  if (await crashed(parts)) return;
  const request = await readRecord(places.request, requestSchema);
  if (!request) return log.warn('there is no request that can be read');
  try {
    await conduct(parts, await prepare(places, request));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (!(error instanceof UpdateRefused)) log.error({ err: error }, 'update not put in place');
    await finish(parts, request, 'failed', error instanceof Error ? error.message : String(error));
  }
}

/** Weighs the crashes of a first day. @returns whether there were any */
async function crashed(parts: ApplyParts): Promise<boolean> {
  const { places, service, stay } = parts;
  const noted = await access(places.crashes).then(
    () => true,
    () => false,
  );
  // They don't count after the next boot.
  if (!noted || (await service.goingDown())) return noted;
  const back = await weighCrashes(places, stay);
  if (back) await writeRecord(places.trial, back, 0o644);
  await rm(places.crashes, { force: true });
  if (back) await conduct(parts, back);
  return true;
}

/** The folder of the version to run. @throws UpdateRefused */
async function prepare(places: Places, request: UpdateRequest): Promise<Trial> {
  const from = await places.folderOf('steady');
  const running = await versionIn(places, from);
  if (from === undefined || running === undefined) throw new UpdateRefused('this installation names no steady version');
  if (!request.back) {
    refuseDowngrade(request.version, running);
    return { ...request, from, to: await unpack(places, request.version, from), ...FRESH };
  }
  const to = await places.folderOf('previous');
  if (to === undefined || (await versionIn(places, to)) !== request.version)
    throw new UpdateRefused(`version ${request.version} is not kept on this device`);
  return { ...request, from, to, ...FRESH };
}

/** @param from the folder whose runtime a package without a runtime uses */
async function unpack(places: Places, version: string, from: string): Promise<string> {
  const build = buildOf(
    {
      manifest: Buffer.from(await readSmall(places.manifest)),
      signature: await readSmall(places.signature),
      keys: await trustedKeys(places),
    },
    version,
  );
  // The name that the installer uses, whatever the package.
  const folder = build.whole.sha256.slice(0, 16);
  const fresh = places.version(`${folder}.new`);
  await rm(fresh, { recursive: true, force: true });
  try {
    await mkdir(fresh, { mode: 0o755 });
    const archive = `${fresh}.tar.gz`;
    const brought = await bring(places, build, archive);
    await runProgram('tar', ['-xzf', archive, '-C', fresh], UNPACK_MS);
    await rm(archive);
    if ('runtime' in brought) await addRuntime(brought, places.version(from), fresh);
    if ((await readRecord(join(fresh, 'package.json'), requestSchema.pick({ version: true })))?.version !== version)
      throw new UpdateRefused(`the package of version ${version} holds another one`);
    await runProgram('sync', ['-f', fresh], UNPACK_MS);
    await rm(places.version(folder), { recursive: true, force: true });
    await rename(fresh, places.version(folder));
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(`${fresh}.tar.gz`, { force: true });
  }
  return folder;
}

/** Copies the signed file to where only root may write: the agent could replace its own file between check and use. */
async function bring(places: Places, { whole, updates }: Build, file: string): Promise<Package | Update> {
  const source = await open(places.package, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await source.stat()).isFile()) throw new UpdateRefused('the package is no file');
    const output = createWriteStream(file, { mode: 0o600 });
    await pipeline(source.createReadStream({ autoClose: false }), bounded(whole.size), output);
    const actual = await sha256Of(file);
    const brought = [whole, ...updates].find(({ sha256 }) => sha256 === actual);
    if (!brought) throw damaged(whole, actual);
    return brought;
  } finally {
    await source.close();
  }
}

/** The version's runtime must be the signed one, even if the local one was changed. */
async function addRuntime({ file, runtime }: Update, from: string, fresh: string): Promise<void> {
  await shareRuntime(from, fresh);
  if ((await runtimeDigest(fresh)) !== runtime)
    throw new UpdateRefused(`${file} is for another runtime than this device has`);
}

/** Switches to the version on trial, and keeps it or rolls back. */
async function conduct(parts: ApplyParts, trial: Trial): Promise<void> {
  const { places, service, prove, log } = parts;
  if (trial.why !== undefined) return goBack(parts, trial, trial.why);
  if ((await places.folderOf('steady')) === trial.to) return keep(parts, trial);
  await writeRecord(places.trial, trial, 0o644);
  if (trial.attempts > ATTEMPTS_MAX) return goBack(parts, trial, 'this device went down while it was tried');
  log.info({ version: trial.version, attempt: trial.attempts }, 'a version is tried');
  const verdict = await trying(trial, async () => {
    const runs = (await places.folderOf('current')) === trial.to && trial.attempts > 1;
    if (!runs) await point(places, 'current', trial.to);
    const replaced = await service.place(trial.to, trial.from);
    if (!runs || replaced) await service.restart();
    return prove(trial, {
      crashed: (crashes) => writeRecord(places.trial, { ...trial, crashes }, 0o644),
      recalled: () => isRecalled(places, trial),
    });
  });
  const judged = { ...trial, crashes: verdict.crashes };
  return verdict.good ? keep(parts, judged) : goBack(parts, judged, verdict.why);
}

/** During a trial, the agent leaves such a request for the former version. */
async function isRecalled(places: Places, trial: Trial): Promise<boolean> {
  const request = await readRecord(places.request, requestSchema);
  return request?.back === true && !trial.back && request.version === (await versionIn(places, trial.from));
}

async function trying({ crashes }: Trial, work: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { good: false, why: error instanceof Error ? error.message : String(error), crashes };
  }
}

async function keep(parts: ApplyParts, trial: Trial): Promise<void> {
  const { firstDay } = parts.places;
  if (trial.back) await rm(firstDay, { force: true });
  else await writeRecord(firstDay, { ...trial, since: new Date().toISOString() }, 0o644);
  await point(parts.places, 'previous', trial.from);
  await point(parts.places, 'steady', trial.to);
  await finish(parts, trial, 'done', '');
  await tidy(parts.places);
}

async function goBack(parts: ApplyParts, trial: Trial, why: string): Promise<void> {
  const { places, service, log } = parts;
  await point(places, 'current', trial.from);
  await point(places, 'steady', trial.from);
  await service
    .place(trial.from, trial.to)
    .catch((error: unknown) => log.error({ err: error }, 'units of the former version not put back'));
  // The version that is restored reads it.
  await finish(parts, trial, 'failed', why, flaps(trial.crashes) ? trial.crashes.count : 0);
  if (trial.why !== undefined) await rm(places.firstDay, { force: true });
  await service.restart().catch((error: unknown) => log.error({ err: error }, 'the former version does not start'));
  await tidy(places);
}

async function finish(
  { places, log }: ApplyParts,
  request: UpdateRequest,
  state: 'done' | 'failed',
  why: string,
  crashes = 0,
): Promise<void> {
  const { offer, version } = request;
  await writeRecord(places.outcome, { offer, version, state, why, crashes, at: new Date().toISOString() }, 0o644);
  await rm(places.trial, { force: true });
  if (state === 'done') log.info({ version }, 'update done');
  else log.error({ version, why }, 'update failed, the device is as it was');
}

/** Atomic: `current` points to a version at every moment. */
async function point(places: Places, name: Pointer, folder: string): Promise<void> {
  const link = places.pointer(name);
  const fresh = `${link}.${randomBytes(4).toString('hex')}`;
  await symlink(places.version(folder), fresh);
  await rename(fresh, link);
  await runProgram('sync', ['-f', places.program], UNPACK_MS);
}

/** Versions without a pointer to them. */
async function tidy(places: Places): Promise<void> {
  const kept = new Set(
    await Promise.all((['current', 'steady', 'previous'] as const).map((name) => places.folderOf(name))),
  );
  for (const folder of await readdir(join(places.program, 'versions')))
    if (!kept.has(folder)) await rm(places.version(folder), { recursive: true, force: true });
}

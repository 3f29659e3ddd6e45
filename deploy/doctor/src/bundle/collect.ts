import { examine } from '../examine.ts';
import { findings, reason, type Finding } from '../finding.ts';
import { readOptions, UsageError } from '../options.ts';
import { report } from '../report.ts';
import { within } from '../within.ts';
import { FILE_BYTES, type Archive } from './archive.ts';
import type { BundleArguments } from './arguments.ts';
import { environmentsOf, isService } from './environments.ts';
import type { Redactor } from './redact.ts';
import { describeSettings, secretsIn, type Environment } from './settings.ts';
import { logsIn, metricsOf } from './sources.ts';
import { readTar, type TarFile } from './tar.ts';

const { warn } = findings('bundle');
const ADVICE = 'The rest of the bundle is complete.';
const NAME = /^[\w-][\w.-]*(\/[\w-][\w.-]*){0,3}$/;
/** Time limit of the doctor's checks, which run concurrently. */
const EXAMINE_MS = 60_000;
const METRICS_MS = 30_000;
const INPUT_MS = 240_000;

/** Tools to collect a bundle. */
export interface Collection {
  archive: Archive;
  redactor: Redactor;
  args: BundleArguments;
  environment: NodeJS.ProcessEnv;
  /** Initially known environments, by service. */
  services?: Record<string, Environment>;
  stdin: AsyncIterable<Buffer>;
}

/** Collects everything. A source that fails leaves a finding. */
export async function collect({ archive, redactor, args, environment, services = {}, stdin }: Collection) {
  const found: Finding[] = [];
  const guarded = async (what: string, ms: number, work: () => Promise<void>) => {
    await within(ms, work()).catch((error: unknown) => found.push(warn(`${what}: ${reason(error)}`, ADVICE)));
  };
  redactor.learn([environment, ...Object.values(services)].flatMap((one) => secretsIn(one as Environment)));
  const configuration = async (all: Record<string, Environment>) => {
    redactor.learn(Object.values(all).flatMap(secretsIn));
    for (const [name, one] of Object.entries(all)) {
      if (isService(name)) await archive.add(`configuration/${name}.txt`, describeSettings(name, one));
    }
  };
  // Before the first output: attaching later would lose the pod's earlier output.
  if (args.input) {
    await guarded('input', INPUT_MS, async () => {
      for await (const file of readTar(stdin, FILE_BYTES)) {
        await take(file, { archive, configuration, found }).catch((error: unknown) =>
          found.push(warn(`${file.name}: ${reason(error)}`, ADVICE)),
        );
      }
    });
  }
  await archive.add('versions/doctor.txt', versions());
  await configuration(services);
  for (const ops of args.ops) {
    await guarded(`metrics of ${ops.name}`, METRICS_MS, async () => {
      for (const { name, text } of await metricsOf(ops)) await archive.add(name, text);
    });
  }
  const { logs } = args;
  if (logs !== undefined) {
    await guarded('logs', INPUT_MS, async () => {
      const since = new Date(Date.now() - args.sinceMs);
      for await (const { name, text, cut } of logsIn(logs, since)) await archive.add(name, text, cut);
    });
  }
  found.unshift(...(await examined(environment)));
  await archive.add('findings.txt', report(found, false));
  await archive.finish();
}

interface Taking {
  archive: Archive;
  configuration: (all: Record<string, Environment>) => Promise<void>;
  found: Finding[];
}

/** Adds a given file: variables of processes, failures of the collecting script, or a text. */
async function take({ name, bytes, size }: TarFile, { archive, configuration, found }: Taking): Promise<void> {
  if (!NAME.test(name)) throw new Error('expected a name of letters, digits, dots and dashes');
  const text = bytes.toString('utf8');
  const [, process] = /^environment\/([\w-]+)/.exec(name) ?? [];
  if (process !== undefined) return configuration(environmentsOf(process, text));
  if (name === 'failed.txt') {
    found.push(...text.split('\n').flatMap((line) => (line.trim() ? [warn(line.trim(), ADVICE)] : [])));
    return;
  }
  await archive.add(name, text, size - bytes.length);
}

async function examined(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    return await examine(readOptions(environment), EXAMINE_MS);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message
      .split('\n')
      .map((line) => findings('doctor').skip(line, 'Give it the environment of the services.'));
  }
}

const versions = () =>
  [
    `made: ${new Date().toISOString()}`,
    `node: ${process.version}`,
    `platform: ${process.platform} ${process.arch}`,
    '',
  ].join('\n');

import {
  type Copy,
  DockerfileParser,
  type Healthcheck,
  type ImageTemplate,
  type Instruction,
  type JSONInstruction,
  type PropertyInstruction,
} from 'dockerfile-ast';

/** What an image is started with, as the OCI image configuration names it; `Healthcheck` is Docker's addition to it. */
export interface ImageConfig {
  User?: string;
  ExposedPorts?: Record<string, object>;
  Env: string[];
  Entrypoint?: string[];
  Cmd?: string[];
  Volumes?: Record<string, object>;
  WorkingDir?: string;
  Labels: Record<string, string>;
  StopSignal?: string;
  Healthcheck?: { Test: string[]; Interval?: number; Timeout?: number; StartPeriod?: number; Retries?: number };
}

/** A layer: a folder of the context, or of another stage, and its place in the image. */
export interface CopyStep {
  stage: string | undefined;
  from: string;
  to: string;
  owner: string;
}

export interface ImagePlan {
  config: ImageConfig;
  copies: CopyStep[];
}

type Handler = (plan: ImagePlan, instruction: Instruction) => void;

const text = (instruction: Instruction) =>
  instruction
    .getArguments()
    .map((one) => one.getValue())
    .join(' ');
const words = (instruction: Instruction) =>
  (instruction as JSONInstruction).getJSONStrings().map((one) => one.getJSONValue());
const properties = (instruction: Instruction) =>
  (instruction as PropertyInstruction).getProperties().map((one) => [one.getName(), one.getValue() ?? ''] as const);

const UNITS: Record<string, number> = { ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/** A duration such as `10s`, in nanoseconds. */
function nanoseconds(duration: string): number {
  const [, count, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  if (!count) throw new Error(`HEALTHCHECK has the duration "${duration}": expected one such as 10s`);
  return Number(count) * (UNITS[unit] ?? 0);
}

function healthOf(instruction: Healthcheck): NonNullable<ImageConfig['Healthcheck']> {
  const flag = (name: string) =>
    instruction
      .getFlags()
      .find((one) => one.getName() === name)
      ?.getValue() ?? undefined;
  const duration = (name: string) => nanoseconds(flag(name) ?? '0s');
  const test = /\[.*\]$/s.exec(instruction.getTextContent())?.[0];
  if (!test) throw new Error('HEALTHCHECK has no command as a JSON list');
  return {
    Test: ['CMD', ...(JSON.parse(test) as string[])],
    Interval: duration('interval'),
    Timeout: duration('timeout'),
    StartPeriod: duration('start-period'),
    Retries: Number(flag('retries') ?? 0),
  };
}

function addEnvironment({ config }: ImagePlan, instruction: Instruction): void {
  for (const [name, value] of properties(instruction)) {
    config.Env = [...config.Env.filter((one) => !one.startsWith(`${name}=`)), `${name}=${value}`];
  }
}

/** A release has a folder for the base, and for each processor. */
function requireFollowed(stage: string | undefined, from: string): void {
  if (stage === 'base' && from === '/out') return;
  if (stage === undefined && /^\$\{TARGETARCH\}(\/|$)/.test(from)) return;
  throw new Error(`The Dockerfile copies ${from}${stage ? ` of ${stage}` : ''}, which releases can't follow`);
}

function addCopy({ copies }: ImagePlan, instruction: Instruction): void {
  const [from = '', to = ''] = instruction.getArguments().map((one) => one.getValue());
  const flag = (name: string) =>
    (instruction as Copy)
      .getFlags()
      .find((one) => one.getName() === name)
      ?.getValue();
  const stage = flag('from') ?? undefined;
  requireFollowed(stage, from);
  copies.push({ stage, from, to, owner: flag('chown') ?? '0:0' });
}

/** Everything that our Dockerfile uses. Another instruction is refused rather than left out. */
const HANDLERS: Record<string, Handler> = {
  FROM: () => undefined,
  ARG: () => undefined,
  COPY: addCopy,
  ENV: addEnvironment,
  LABEL: ({ config }, one) => Object.assign(config.Labels, Object.fromEntries(properties(one))),
  USER: ({ config }, one) => (config.User = text(one)),
  WORKDIR: ({ config }, one) => (config.WorkingDir = text(one)),
  ENTRYPOINT: ({ config }, one) => (config.Entrypoint = words(one)),
  CMD: ({ config }, one) => (config.Cmd = words(one)),
  EXPOSE: ({ config }, one) => (config.ExposedPorts = { ...config.ExposedPorts, [`${text(one)}/tcp`]: {} }),
  VOLUME: ({ config }, one) => (config.Volumes = { ...config.Volumes, [text(one)]: {} }),
  STOPSIGNAL: ({ config }, one) => (config.StopSignal = text(one)),
  HEALTHCHECK: ({ config }, one) => (config.Healthcheck = healthOf(one as Healthcheck)),
};

/** The stages from one that starts FROM scratch to the target. */
function stagesOf(file: string, target: string): ImageTemplate[] {
  const dockerfile = DockerfileParser.parse(file);
  const froms = dockerfile.getFROMs();
  const chain: ImageTemplate[] = [];
  for (let name = target; name !== 'scratch';) {
    const from = froms.find((one) => one.getBuildStage() === name);
    const stage = from && dockerfile.getContainingImage(from.getRange().start);
    if (!from || !stage) throw new Error(`The Dockerfile has no stage ${name}`);
    chain.unshift(stage);
    name = from.getImage() ?? '';
  }
  return chain;
}

/**
 * Reads how the Dockerfile makes a target, so that releases and `make images` start images alike.
 * @throws Error for an instruction that a release can't follow
 */
export function planOf(file: string, target: string): ImagePlan {
  const plan: ImagePlan = { config: { Env: [], Labels: {} }, copies: [] };
  for (const instruction of stagesOf(file, target).flatMap((stage) => stage.getInstructions())) {
    const handle = HANDLERS[instruction.getKeyword()];
    if (!handle)
      throw new Error(`The Dockerfile's target ${target} has ${instruction.getKeyword()}, which releases can't follow`);
    handle(plan, instruction);
  }
  return plan;
}

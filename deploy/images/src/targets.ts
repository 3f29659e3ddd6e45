/** The images, and the workspaces of which each is made. */
export const targets = {
  gateway: ['gateway'],
  identity: ['identity'],
  tenancy: ['tenancy'],
  devices: ['devices'],
  tunnels: ['tunnels'],
  migrate: ['identity', 'tenancy', 'devices'],
} as const;

export type Target = keyof typeof targets;

export const targetNames = Object.keys(targets) as Target[];

/** Processors as Docker names them, and as npm does. */
export const processors = { amd64: 'x64', arm64: 'arm64' } as const;

export type Processor = keyof typeof processors;

/** This machine's. @throws where images of it can't be made */
export function ownProcessor(): Processor {
  const found = (Object.keys(processors) as Processor[]).find((name) => processors[name] === process.arch);
  if (!found) throw new Error(`processor: ${process.arch} is none of ${Object.values(processors).join(', ')}`);
  return found;
}

/** The content of an image. */
interface Contents {
  /** Workspaces that run in it, with their runtime dependencies. */
  runs: readonly string[];
  /** Workspaces whose build it contains, with bundled dependencies. */
  holds?: readonly string[];
  /** Programs of its workspaces that `/usr/local/bin` has, by name. */
  commands?: Readonly<Record<string, string>>;
}

/** The images. */
const targets = {
  gateway: { runs: ['services/gateway'], holds: ['web'] },
  identity: { runs: ['services/identity'] },
  tenancy: { runs: ['services/tenancy'] },
  devices: { runs: ['services/devices'] },
  fleet: { runs: ['services/fleet'] },
  audit: { runs: ['services/audit'], commands: { 'warren-audit': 'services/audit/dist/verify.js' } },
  tunnels: { runs: ['services/tunnels'] },
  hub: {
    runs: ['services/hub'],
    holds: ['web'],
    commands: { 'warren-audit': 'services/hub/dist/verify.js' },
  },
  migrate: { runs: ['services/identity', 'services/tenancy', 'services/devices', 'services/fleet', 'services/audit'] },
  doctor: { runs: [] },
  test: { runs: ['deploy/acceptance'] },
  packages: { runs: [], holds: ['agent'] },
} as const satisfies Record<string, Contents>;

export type Target = keyof typeof targets;

export const targetNames = Object.keys(targets) as Target[];

export const contentsOf = (target: Target): Contents => targets[target];

/** Processors by Docker's name and npm's. */
export const processors = { amd64: 'x64', arm64: 'arm64' } as const;

export type Processor = keyof typeof processors;

/** Returns this machine's processor. @throws Error if it is unsupported */
export function ownProcessor(): Processor {
  const found = (Object.keys(processors) as Processor[]).find((name) => processors[name] === process.arch);
  if (!found) throw new Error(`processor: ${process.arch} is none of ${Object.values(processors).join(', ')}`);
  return found;
}

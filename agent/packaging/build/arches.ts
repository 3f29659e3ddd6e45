/** Processors with a package, as `uname -m` and systemd name them: x86_64, aarch64, armv7l. */
export const ARCHES = ['x64', 'arm64', 'armv7l'] as const;
export type Arch = (typeof ARCHES)[number];

/** The processor of this machine, if there are packages for it. */
export const ownArch = ARCHES.find((arch) => arch === process.arch);

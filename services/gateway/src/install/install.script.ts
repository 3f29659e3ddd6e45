import type { AgentPackage } from './signed.manifest.ts';

/** What a device's installer needs to know. */
export interface Installation {
  hub: string;
  accountId: string;
  token: string;
  packages: readonly AgentPackage[];
  /** Ed25519 public key of the releases, base64. */
  releaseKey: string;
}

/** None of these can end a quoted word of the shell, nor begin anything in one. */
const HARMLESS = /^[\w:/.?&=%~+[\]-]*$/;

/**
 * Renders the installer of one account from the template.
 * @throws Error for a value that is more than one shell word; callers have parsed all of them before
 */
export function installScript(template: string, { hub, accountId, token, packages, releaseKey }: Installation): string {
  const manifest = packages.map(({ os, arch, file, sha256, size }) => `${os}-${arch} ${file} ${sha256} ${size}`);
  const values: Record<string, string> = {
    HUB: harmless(hub),
    ACCOUNT: harmless(accountId),
    TOKEN: harmless(token),
    RELEASE_KEY: harmless(releaseKey),
    MANIFEST: manifest.map((line) => line.split(' ').map(harmless).join(' ')).join('\n'),
  };
  return template.replace(/@(HUB|ACCOUNT|TOKEN|MANIFEST|RELEASE_KEY)@/g, (_whole, name: string) => values[name] ?? '');
}

/**
 * A script that says why it installs nothing, and fails.
 * @param status what it ends with, as the installer does (sysexits(3))
 */
export function refusalScript(lines: readonly string[], status: number): string {
  return ['#!/bin/sh', ...lines.map((line) => `echo '${line.replaceAll("'", '’')}' >&2`), `exit ${status}`, ''].join(
    '\n',
  );
}

function harmless(text: string): string {
  if (!HARMLESS.test(text)) throw new Error('A value of the installer is not fit for a shell.');
  return text;
}

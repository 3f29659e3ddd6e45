import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@warren/infra/programs';
import { command } from '../command.ts';
import { root } from '../settings.ts';

/** Where compiled programs without a Debian package are kept; beside the build output, so a clean clone compiles them again. */
export const toolsFolder = join(root, '.warren/tools');

/** Where Go's own packages put it, which is in no PATH by itself. */
const usual = '/usr/local/go/bin/go';

/** Programs that the tests of the chart, the alert rules and backups use, at fixed versions. */
const tools: Record<string, string> = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  // Reads network policies as they are meant, with an engine that is not ours.
  cyclonus: 'github.com/mattfenwick/cyclonus/cmd/cyclonus@v0.5.6',
  // An S3 server over a folder.
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
};

/** For `make soak`: version 3 of Prometheus. Debian has version 2, and rules must mean the same to both. */
const soaked: Record<string, string> = {
  prometheus: 'github.com/prometheus/prometheus/cmd/prometheus@v0.316.0',
  promtool: 'github.com/prometheus/prometheus/cmd/promtool@v0.316.0',
};

/** Leaves the clients of clouds out of Prometheus, which are most of what it takes to compile; finding targets by DNS stays in. */
const TAGS = 'remove_all_sd,enable_dns_sd';

/** The path of Go, or undefined where this machine has none. */
export const findGo = () => findProgram('go') ?? (existsSync(usual) ? usual : undefined);

/**
 * Compiles what is missing of them.
 * @throws Error with go's message, or when go is missing
 */
export async function installGoTools(note: (text: string) => void): Promise<void> {
  const wanted = process.env['WARREN_SOAK'] === '1' ? { ...tools, ...soaked } : tools;
  const missing = Object.keys(wanted).filter((name) => !existsSync(join(toolsFolder, name)));
  if (missing.length === 0) return;
  const go = findGo();
  if (!go) throw new Error(`${missing.join(' and ')}: Go is missing, install it (https://go.dev/dl) to compile them`);
  await mkdir(toolsFolder, { recursive: true });
  // Go's cache outlives a clone, so only the first time takes long.
  const env = { ...process.env, GOBIN: toolsFolder, GOFLAGS: `-mod=mod -tags=${TAGS}` };
  for (const name of missing) {
    note(name);
    await command(go, ['install', wanted[name] ?? ''], { cwd: root, env });
  }
}

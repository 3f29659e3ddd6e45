import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { command } from '@warren/local/command';

export const docker = (...args: string[]) => command('docker', args);

/** Runs a script as root in a container. @returns what it printed */
export const inside = (container: string, script: string) => docker('exec', container, 'sh', '-ec', script);

/** Starts a program in a container; its log is `/var/log/{name}.log` there. */
export async function daemon(container: string, name: string, program: string, args: string[]): Promise<void> {
  const script = 'log=$1; shift; exec "$@" >>"$log" 2>&1';
  await docker('exec', '--detach', container, 'sh', '-c', script, 'sh', `/var/log/${name}.log`, program, ...args);
}

/** Writes a file in a container, and its folder. */
export async function write(container: string, path: string, text: string): Promise<void> {
  const script = 'umask 077; mkdir -p "$(dirname "$1")"; cat >"$1"';
  await command('docker', ['exec', '--interactive', container, 'sh', '-c', script, 'sh', path], { input: text });
}

/** Returns the address of a container on the cluster's network. */
export async function addressOf(container: string): Promise<string> {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  return (await docker('inspect', '--format', format, container)).trim();
}

/** Copies images of this machine's engine into the containerd of a node. */
export async function load(node: string, images: string[]): Promise<void> {
  const save = spawn('docker', ['save', ...images], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ctr = ['exec', '--interactive', node, 'ctr', '--namespace', 'k8s.io', 'images', 'import', '-'];
  const load = spawn('docker', ctr, { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  load.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(load, 'close') as Promise<[number | null]>;
  // ctr closes its input when it succeeds or fails; its exit code distinguishes them.
  await pipeline(save.stdout, load.stdin).catch(() => undefined);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ctr images import on ${node} ended with code ${code}\n${said.trim()}`);
}

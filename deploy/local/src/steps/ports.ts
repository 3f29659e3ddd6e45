import { setTimeout as sleep } from 'node:timers/promises';
import { portRefusal } from '@warren/infra/ports';
import { portVariable, type PortName, type Settings } from '../settings.ts';

/** How long the processes of a start that was killed may take to leave their ports, in milliseconds. */
const grace = 5000;

function wanted({ ports, given, host }: Settings): { name: PortName; host: string; port: number }[] {
  const names = (Object.keys(ports) as PortName[]).filter((name) => !given[name as keyof typeof given]);
  return names.map((name) => ({
    name,
    port: ports[name],
    host: ['gateway', 'idp'].includes(name) ? host : '127.0.0.1',
  }));
}

function advice(name: PortName, host: string, port: number, code: string): string {
  const other = `choose another: ${portVariable(name)}=${port + 1000} make start`;
  if (code === 'EADDRINUSE') return `Port ${port} (${name}) is in use: end the program that has it, or ${other}`;
  if (code === 'EACCES') return `Port ${port} (${name}) needs more rights than this user has: ${other}`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host} to listen on: check WARREN_HOST`;
  return `Port ${port} (${name}) of ${host} can't be listened on (${code}): ${other}`;
}

/** Makes sure that every port is free. @throws one line that says which is not, and what to do */
export async function checkPorts(settings: Settings): Promise<void> {
  const deadline = Date.now() + grace;
  for (const { name, host, port } of wanted(settings)) {
    let code = await portRefusal(host, port);
    while (code === 'EADDRINUSE' && Date.now() < deadline) {
      await sleep(200);
      code = await portRefusal(host, port);
    }
    if (code) throw new Error(advice(name, host, port, code));
  }
}

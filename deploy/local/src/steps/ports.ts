import { setTimeout as sleep } from 'node:timers/promises';
import { portRefusal } from '@warren/infra/ports';
import { moreReplicas, portsOfReplica, portVariable, type PortName, type Settings } from '../settings.ts';

/** How long the processes of a start that was killed may take to leave their ports, in milliseconds. */
const grace = 5000;

interface Wanted {
  name: PortName;
  host: string;
  port: number;
  /** The port of the first replica, which the variable sets. */
  first: number;
}

function wanted(settings: Settings): Wanted[] {
  const { ports, given, host } = settings;
  const names = (Object.keys(ports) as PortName[]).filter((name) => !given[name as keyof typeof given]);
  const all = [...names.map((name) => ({ name, replica: 1 })), ...moreReplicas(settings)];
  return all.map(({ name, replica }) => ({
    name,
    port: portsOfReplica(ports, replica)[name],
    first: ports[name],
    host: ['gateway', 'idp'].includes(name) ? host : '127.0.0.1',
  }));
}

function advice({ name, host, port, first }: Wanted, code: string): string {
  const other = `choose another: ${portVariable(name)}=${first + 1000} in front of the command`;
  if (code === 'EADDRINUSE') return `Port ${port} (${name}) is in use: end the program that has it, or ${other}`;
  if (code === 'EACCES') return `Port ${port} (${name}) needs more rights than this user has: ${other}`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host} to listen on: check WARREN_HOST`;
  return `Port ${port} (${name}) of ${host} can't be listened on (${code}): ${other}`;
}

/** Makes sure that every port is free. @throws one line that says which is not, and what to do */
export async function checkPorts(settings: Settings): Promise<void> {
  const deadline = Date.now() + grace;
  for (const one of wanted(settings)) {
    const { host, port } = one;
    let code = await portRefusal(host, port);
    while (code === 'EADDRINUSE' && Date.now() < deadline) {
      await sleep(200);
      code = await portRefusal(host, port);
    }
    if (code) throw new Error(advice(one, code));
  }
}

import { connect } from 'node:net';
import type { Dialled } from './connection.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import { Intake } from './intake.ts';

/** Connection pools of a service's replicas, by address. */
export class ReplicaConnections {
  private readonly known = new Map<string, Connections>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** @param address `http://host:port` */
  of(address: string): Connections {
    const known = this.known.get(address);
    if (known) return known;
    // Replicas come and go; idle ones are dropped.
    for (const [other, connections] of this.known) if (connections.empty) this.known.delete(other);
    const { hostname, port } = new URL(address);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const made = new Connections(() => dial(host, Number(port)), this.limits);
    this.known.set(address, made);
    return made;
  }
}

function dial(host: string, port: number): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    const intake = new Intake();
    const socket = connect({ host, port, noDelay: true, keepAlive: true, onread: intake.onread });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve({ stream: socket, intake });
    });
  });
}

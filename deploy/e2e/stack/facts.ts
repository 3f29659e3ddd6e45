/** Replicas of a copy that has several. */
type ReplicaName = 'gateway-2' | 'tunnels-2';

/** The processes of a copy, as the supervisor names them. */
export type ProcessName =
  | ReplicaName
  | 'postgres'
  | 'redis'
  | 'nats'
  | 'idp'
  | 'mail'
  | 'identity'
  | 'tenancy'
  | 'devices'
  | 'fleet'
  | 'audit'
  | 'tunnels'
  | 'gateway'
  | 'hub'
  | 'agent';

/** Facts about the copy under test. */
export interface Facts {
  hub: string;
  mail: string;
  idp: string;
  home: string;
  /** This machine, enrolled into the first customer's account. */
  device: { id: string; account: string };
  accounts: { id: string; name: string }[];
  operator: string;
  /** The database administrator's address. */
  database: string;
  redis: string;
  nats: string;
  /** The password of each user of NATS. */
  bus: Record<string, string>;
  /** The keys that each service signs its calls and verifies those of others with, as variables by service. */
  callers: Record<string, NodeJS.ProcessEnv>;
  /** The names of the processes of tunnels by the address at which gateways reach each. */
  tunnels: Record<string, ProcessName>;
  /** The process that runs each service: one of its name, or one for all. */
  runs: Record<string, ProcessName>;
  /** Addresses of health and metrics of each process. */
  ops: Record<string, string>;
}

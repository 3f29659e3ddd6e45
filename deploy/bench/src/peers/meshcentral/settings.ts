import { join } from 'node:path';

/** TCP ports of the server. */
export interface Ports {
  /** For people and agents. */
  hub: number;
  /** For the web services of devices. */
  pages: number;
}

/** The server's config.json: this machine alone, nothing but what is measured, nothing from the internet, and else what it does by itself. */
export function configuration({ hub, pages }: Ports): object {
  const offered = { cert: '127.0.0.1', port: hub, portBind: '127.0.0.1', relayPort: pages, relayPortBind: '127.0.0.1' };
  const absent = { exactPorts: true, WANonly: true, redirPort: 0, mpsPort: 0, webRTC: false, autoBackup: false };
  const outside = { selfUpdate: false, noAgentUpdate: 1, agentTimeStampServer: false };
  return { settings: { ...offered, ...absent, ...outside }, domains: { '': {} } };
}

const AGENTS: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'meshagent_x86-64',
  arm64: 'meshagent_aarch64',
  arm: 'meshagent_armhf',
};

/**
 * The agent's program for a processor, in the folder of the server's package.
 * @throws Error when the package has none
 */
export function agentProgram(folder: string, architecture: NodeJS.Architecture): string {
  const name = AGENTS[architecture];
  if (name === undefined)
    throw new Error(`it has no agent for ${architecture}, only for ${Object.keys(AGENTS).join()}`);
  return join(folder, 'agents', name);
}

/** What the file beside an agent's program must say: whom it belongs to, and where its server is. */
const NEEDED = ['MeshID', 'ServerID', 'MeshServer'];

/**
 * The settings that the server has for an agent, without the texts of its hidden window.
 * @throws Error when one is missing that the agent needs
 */
export function agentSettings(answer: string): string {
  const lines = answer.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('translation='));
  const missing = NEEDED.find((name) => !lines.some((line) => line.startsWith(`${name}=`)));
  if (missing !== undefined)
    throw new Error(`the server's settings for an agent have no ${missing}: ${lines.join(', ')}`);
  return `${lines.join('\r\n')}\r\n`;
}

/** A device as the server lists it, as far as it is asked about. */
interface Node {
  _id: string;
  /** Bits of what it is connected by; 1 is the agent's own link. */
  conn?: number;
  /** `core` names the script that its agent runs, which the server sends to it. */
  agent?: { core?: string };
}

/** Devices by the group that they are in. */
export type Groups = Record<string, Node[]>;

/** The id of the first device whose agent is linked and has been sent what it runs; before that it opens no terminal. */
export function readyNode(groups: Groups): string | undefined {
  const nodes = Object.values(groups).flat();
  return nodes.find(({ conn = 0, agent }) => (conn & 1) === 1 && agent?.core !== undefined)?._id;
}

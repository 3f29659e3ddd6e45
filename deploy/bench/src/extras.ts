import type { MeshCentral } from './peers/meshcentral/meshcentral.ts';

/** Peers that take long to get or to start, and so are measured only when they are asked for. */
export const extras = ['meshcentral'] as const;
export type Extra = (typeof extras)[number];

/** What it takes of the bench's lab. */
interface Lab {
  choice: { with: readonly Extra[] };
  atEnd(undo: () => unknown): void;
}

/** MeshCentral if it was asked for; when it can't be had, a note says why. It is stopped when the bench is over. */
export async function meshCentral(lab: Lab, notes: string[]): Promise<MeshCentral | undefined> {
  if (!lab.choice.with.includes('meshcentral')) return undefined;
  const module = await import('./peers/meshcentral/meshcentral.ts');
  const peer = new module.MeshCentral();
  lab.atEnd(() => peer.stop());
  try {
    await peer.start();
  } catch (error) {
    notes.push(`MeshCentral was left out: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
  notes.push('MeshCentral uses TLS on both of its links, which its agent demands; Warren here uses none.');
  return peer;
}

import type { MeshCentral } from './peers/meshcentral/meshcentral.ts';

/** Peers that take long to install or start, and are measured only on request. */
export const extras = ['meshcentral'] as const;
export type Extra = (typeof extras)[number];

/** The used parts of the lab. */
interface Lab {
  choice: { with: readonly Extra[] };
  atEnd(undo: () => unknown): void;
}

/** Starts MeshCentral if requested; a note has the reason of a failure. Stops it at the end of the bench. */
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

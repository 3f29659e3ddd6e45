import { z } from 'zod';
import type { Checkpoint } from './chain.ts';

const schema = z
  .object({
    checkpoint: z.object({
      kind: z.enum(['head', 'removal']),
      account: z.uuid(),
      sequence: z.string().regex(/^\d{1,18}$/),
      hash: z.hex().length(64),
      time: z.iso.datetime(),
      key: z.string(),
      signature: z.base64(),
    }),
  })
  .transform(({ checkpoint: { kind, account, sequence, hash, time, key, signature } }): Checkpoint => ({
    kind,
    accountId: account,
    sequence: BigInt(sequence),
    hash: Buffer.from(hash, 'hex'),
    time: new Date(time),
    keyId: key,
    signature: Buffer.from(signature, 'base64'),
  }));

/** A checkpoint as the fields of a line of the log. */
export function loggedCheckpoint({ kind, accountId, sequence, hash, time, keyId, signature }: Checkpoint) {
  return {
    checkpoint: {
      kind,
      account: accountId,
      sequence: String(sequence),
      hash: hash.toString('hex'),
      time: time.toISOString(),
      key: keyId,
      signature: signature.toString('base64'),
    },
  };
}

/** Reads the checkpoints among the lines of a log of the audit service; leaves other lines out. */
export function readCheckpoints(text: string): Checkpoint[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"checkpoint"')) return [];
    const { data } = schema.safeParse(jsonOf(line.slice(line.indexOf('{'))));
    return data ? [data] : [];
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

import type { Redactions } from '../redact/redactions.ts';
import type { Block } from './index.sql.ts';
import type { Line } from './screen.ts';

/** Text of one recording in the index, in characters. */
export const MOST_TEXT = 8 * 1_048_576;
/** Lines and characters of a block: PostgreSQL keeps larger rows in two places. */
const LINES = 32;
const CHARACTERS = 1_500;
/** Blocks of a chunk. */
const BLOCKS = 1_024;

/** Packs lines into blocks, redacted. @param space characters that are left for the recording */
export function blocksOf(
  lines: readonly Line[],
  sequence: number,
  space: number,
  redactions: Redactions,
): { blocks: Block[]; bytes: number } {
  const blocks: Block[] = [];
  let [bytes, inBlock] = [0, CHARACTERS];
  const until = redactions.deadline();
  for (const { atMs, offset, text } of lines) {
    const line = redactions.mask(text, until).replaceAll('\u0000', ' ').toWellFormed();
    if (bytes + line.length > space) break;
    let block = blocks.at(-1);
    if (!block || block.lines.length >= LINES || inBlock + line.length > CHARACTERS) {
      if (blocks.length === BLOCKS) break;
      block = { block: sequence * BLOCKS + blocks.length, atMs: [], offsets: [], lines: [] };
      blocks.push(block);
      inBlock = 0;
    }
    block.atMs.push(atMs);
    block.offsets.push(offset);
    block.lines.push(line);
    inBlock += line.length;
    bytes += line.length;
  }
  return { blocks, bytes };
}

/** Numbers and texts after the time of an event, by the number of its kind: output, resize, gap, snapshot, joined, left. */
const VALUES = ['b', 'nn', 'nb', 'nnnb', 'b', 'b'];
const OUTPUT = 0;

/** Reads the output from the events of a chunk, by their format and not by the product's code. @throws Error for other bytes */
export function outputOf(events: Buffer): Buffer[] {
  const output: Buffer[] = [];
  let at = 0;
  const number = () => {
    for (let value = 0, place = 1; ; place *= 0x80) {
      const byte = events.readUInt8(at++);
      value += (byte & 0x7f) * place;
      if (byte < 0x80) return value;
    }
  };
  const bytes = () => {
    const length = number();
    if (at + length > events.length) throw new Error('a chunk ends within an event');
    return events.subarray(at, (at += length));
  };
  while (at < events.length) {
    const kind = number();
    const values = VALUES[kind];
    if (values === undefined) throw new Error(`a chunk has an event of the unknown kind ${kind}`);
    number();
    for (const value of values) {
      if (value === 'n') number();
      else if (kind === OUTPUT) output.push(bytes());
      else bytes();
    }
  }
  return output;
}

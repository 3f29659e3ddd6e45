/** Pseudo-random numbers, the same in each run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Output as of programs: text, escape sequences, wide characters, the alternate screen, and bytes that are no text. */
export function outputOf(random: () => number, bytes: number): Buffer {
  const pieces = [
    () => Buffer.from(`line ${Math.floor(random() * 1e6)} of a log\r\n`),
    () => Buffer.from(`\x1b[3${Math.floor(random() * 8)};1mcoloured\x1b[0m\x1b[${Math.floor(random() * 40)};1H`),
    () => Buffer.from(`漢字🦊é${'-'.repeat(Math.floor(random() * 70))}`),
    () => Buffer.from('\x1b[?1049h\x1b[2J\x1b[?1049l'),
    () => Buffer.from([0xff, 0xfe, 0x00, 0xf0, 0x9f]),
    () => Buffer.from('y\r\n'.repeat(Math.floor(random() * 500))),
  ];
  const all: Buffer[] = [];
  for (let size = 0; size < bytes;) {
    const piece = pieces[Math.floor(random() * pieces.length)]!();
    all.push(piece);
    size += piece.length;
  }
  return Buffer.concat(all);
}

/** @throws Error with `text` unless `held` */
export function expect(held: boolean, text: string): asserts held {
  if (!held) throw new Error(text);
}

/** @throws Error that names what was expected and what came */
export function same(what: string, came: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(came), JSON.stringify(expected)];
  expect(a === b, `${what} is ${a}, expected ${b}`);
}

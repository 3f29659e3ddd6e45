/** A promise, and what settles it from outside. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
}

/** `Promise.withResolvers` for every runtime that packages carry: the one for 32-bit ARM is Node 20. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

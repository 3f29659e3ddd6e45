/** Stands for a CSS module in tests: each class is named as it is written. */
export default new Proxy<Record<string, string>>({}, { get: (_target, name) => String(name) });

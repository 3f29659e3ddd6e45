import { useSearchParams } from 'react-router';

/** One of some values, in the address under a name; the first one stands there as nothing. */
export function useChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (chosen: string) => void] {
  const [query, setQuery] = useSearchParams();
  const choose = (chosen: string) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (chosen === values[0]) next.delete(name);
        else next.set(name, chosen);
        return next;
      },
      { replace: true },
    );
  return [values.find((one) => one === query.get(name)) ?? values[0], choose];
}

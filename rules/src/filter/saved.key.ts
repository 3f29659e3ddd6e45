/** Characters of the key of a saved filter. */
const LONGEST = 48;
const KEY = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;
/** Of a name without letters and digits. */
const NAMELESS = 'filter';

/** Whether a text may be the key of a saved filter, by which other filters name it: letters and digits with dashes between, in lower case. */
export function isSavedKey(text: string): boolean {
  return text.length <= LONGEST && text === text.toLowerCase() && KEY.test(text);
}

/** Makes a key of a name: `Hot in the north` is `hot-in-the-north`. @param place makes another one if keys before are taken */
export function savedKeyOf(name: string, place = 1): string {
  const end = place === 1 ? '' : `-${place}`;
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const key = words.slice(0, LONGEST - end.length).replace(/^-+|-+$/g, '');
  return (isSavedKey(key) ? key : NAMELESS) + end;
}

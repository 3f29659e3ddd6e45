import type { Section, Value, Values } from './values.ts';

/** The place in README.md that the table of values takes. */
const MARKS = ['<!-- values -->', '<!-- /values -->'] as const;

/**
 * README.md with a new table of values.
 * @throws Error when it has no place for it
 */
export function withTable(readme: string, values: Values): string {
  const [start, end] = MARKS.map((mark) => readme.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`expected ${MARKS.join(' and ')}`);
  return `${readme.slice(0, start)}${MARKS[0]}\n\n${tableOf(values)}\n\n${readme.slice(end)}`;
}

function tableOf({ values, sections }: Values): string {
  const firsts = sections.map((section) => [firstOf(values, section), section] as const);
  const rows = values.flatMap((value) => [
    ...firsts.filter(([first]) => first === value).map(([, section]) => rowOfSection(section)),
    rowOf(value),
  ]);
  return ['| value | what | default |', '| --- | --- | --- |', ...rows].join('\n');
}

function firstOf(values: Value[], { path }: Section): Value | undefined {
  return values.find((value) => path.every((step, at) => value.path[at] === step));
}

function rowOfSection({ path, like, pod }: Section): string {
  const which = pod ? `The values of \`${like}\` that say so` : `Each value of \`${like}\``;
  return `| \`${path.join('.')}.*\` | ${which}, for \`${path.join('.')}\` alone. | |`;
}

function rowOf({ path, description, standard, choices, pod, example }: Value): string {
  const which = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
  const whose = pod ? ' Jobs and bundled servers have it too.' : '';
  const such = example === undefined ? '' : ` Example: \`${escape(example)}\`.`;
  return `| \`${path.join('.')}\` | ${escape(description)}${which}${whose}${such} | ${code(standard)} |`;
}

function code(standard: unknown): string {
  if (standard === '' || standard === null) return '';
  return `\`${escape(typeof standard === 'string' ? standard : JSON.stringify(standard))}\``;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}

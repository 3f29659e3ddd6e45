import type { Value } from './values.ts';

/** The place in README.md that the table of values takes. */
export const MARKS = ['<!-- values -->', '<!-- /values -->'] as const;

/**
 * README.md with the table of values made anew.
 * @throws Error when it has no place for it
 */
export function withTable(readme: string, values: Value[]): string {
  const [start, end] = MARKS.map((mark) => readme.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`expected ${MARKS.join(' and ')}`);
  return `${readme.slice(0, start)}${MARKS[0]}\n\n${tableOf(values)}\n\n${readme.slice(end)}`;
}

function tableOf(values: Value[]): string {
  const rows = values.map(({ path, description, standard, choices }) => {
    const which = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
    return `| \`${path.join('.')}\` | ${escape(description)}${which} | ${code(standard)} |`;
  });
  return ['| value | what | default |', '| --- | --- | --- |', ...rows].join('\n');
}

function code(standard: unknown): string {
  if (standard === '' || standard === null) return '';
  return `\`${escape(typeof standard === 'string' ? standard : JSON.stringify(standard))}\``;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}

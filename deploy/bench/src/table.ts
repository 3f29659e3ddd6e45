/** A row of figures; a missing one is shown as a dash. */
export interface Row {
  name: string;
  values: (number | undefined)[];
}

/** A Markdown table of figures, with their ratio to the first row unless that says nothing. */
export function table(head: string[], rows: Row[], { ratio = true }: { ratio?: boolean } = {}): string {
  const first = ratio ? (rows[0]?.values ?? []) : [];
  const cells = rows.map(({ name, values }) => [name, ...values.map((value, column) => cell(value, first[column]))]);
  const lines = [['', ...head], ['---', ...head.map(() => '---:')], ...cells];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) => `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function cell(value: number | undefined, first: number | undefined): string {
  if (value === undefined) return '–';
  const figure = Number.isInteger(value)
    ? String(value)
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
  return first === undefined || first === value ? figure : `${figure} (${(first / value).toFixed(2)})`;
}

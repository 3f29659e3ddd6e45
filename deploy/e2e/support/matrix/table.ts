import { subjects, type Subject } from './cast.ts';

/** What a row of a table says of one person: for the own account, and for another. */
interface Cell {
  own: string;
  other: string;
}

export interface Row {
  name: string;
  cells: Record<Subject, Cell>;
}

const split = (line: string) => line.split('|').map((cell) => cell.trim());

function cellOf(text: string): Cell {
  const [own = '', other = own] = text.split('/');
  return { own, other };
}

/** Reads a table whose columns are the subjects; a cell reads `own/other`, or one word for both. */
export function readTable(text: string): Row[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const [, ...columns] = split(head);
  if (columns.join() !== subjects.join()) throw new Error(`table: expected the columns ${subjects.join()}`);
  return lines.map((line) => {
    const [name = '', ...cells] = split(line);
    if (cells.length !== columns.length || cells.includes('')) throw new Error(`table: a cell is missing in ${name}`);
    return {
      name,
      cells: Object.fromEntries(subjects.map((one, at) => [one, cellOf(cells[at] ?? '')])) as Row['cells'],
    };
  });
}

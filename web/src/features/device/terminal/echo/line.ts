import type { Key } from './keys.ts';

/** One column of a row. */
export interface Cell {
  /** The drawn character; a space for a blank cell, empty for the second half of a wide character. */
  readonly char: string;
  /** Columns: 1, 2, or 0 for the second half of a wide character. */
  readonly width: number;
  /** Drawn dim or grey, as shells draw their suggestions. */
  readonly faint: boolean;
}

/** The row of the cursor, as it is or as it is predicted. */
export interface Line {
  readonly cells: readonly Cell[];
  /** The cursor's column. */
  readonly col: number;
  /** The leftmost column that is known to belong to the input. */
  readonly floor: number;
  /** The characters that predicted keys have put there, by column. */
  readonly touched: ReadonlyMap<number, string>;
}

const BLANK: Cell = { char: ' ', width: 1, faint: false };

/** Whether there is nothing to move or to overtype from a column on: blanks, or a shell's suggestion. */
const isFree = (cells: readonly Cell[], from: number): boolean =>
  cells.slice(from).every(({ char, faint }) => char === ' ' || faint);

/** Moves touched columns from `col` on by `by`. */
const moved = (touched: ReadonlyMap<number, string>, col: number, by: number): Map<number, string> =>
  new Map([...touched].map(([at, char]) => [at >= col ? at + by : at, char]));

/**
 * Predicts the row after a key.
 * @param inserts whether the program inserts in the middle of a line; it overwrites otherwise
 * @returns null when the effect can't be known, such as at the edges of the row
 */
export function after(line: Line, key: Key, inserts: boolean): Line | null {
  switch (key.kind) {
    case 'char':
      return typed(line, key.char, inserts);
    case 'backspace':
      return erased(line, inserts);
    case 'left':
      return line.cells[line.col - 1]?.width === 1 ? at(line, line.col - 1) : null;
    case 'right': {
      const narrow = line.cells[line.col]?.width === 1 && line.col + 1 < line.cells.length;
      return narrow && !isFree(line.cells, line.col) ? at(line, line.col + 1) : null;
    }
    case 'other':
      return null;
  }
}

const at = (line: Line, col: number): Line => ({ ...line, col, floor: Math.min(line.floor, col) });

function typed(line: Line, char: string, inserts: boolean): Line | null {
  const { cells, col } = line;
  // Programs differ in what they do with the last column.
  if (col + 1 >= cells.length) return null;
  const cell: Cell = { char, width: 1, faint: false };
  if (isFree(cells, col) || !inserts) {
    if (cells[col]?.width !== 1) return null;
    return { ...line, cells: cells.with(col, cell), col: col + 1, touched: new Map(line.touched).set(col, char) };
  }
  if (cells.at(-1)?.char !== ' ') return null;
  const touched = moved(line.touched, col, 1).set(col, char);
  return { ...line, cells: cells.slice(0, -1).toSpliced(col, 0, cell), col: col + 1, touched };
}

function erased(line: Line, inserts: boolean): Line | null {
  const { cells } = line;
  const col = line.col - 1;
  if (cells[col]?.width !== 1 || line.col >= cells.length) return null;
  const right = cells.slice(line.col);
  // How a suggestion changes, and whether a program that overwrites moves the rest, is unknown.
  if (right.some(({ faint }) => faint) || (!inserts && !isFree(cells, line.col))) return null;
  const shifted = [...cells.toSpliced(col, 1), BLANK];
  const touched = new Map([...line.touched].filter(([place]) => place !== col));
  return { ...at(line, col), cells: shifted, touched: moved(touched, col, -1).set(col, shifted[col]?.char ?? ' ') };
}

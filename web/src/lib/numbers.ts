const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const tenths = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats a number with the separators of the reader's locale, and at most one decimal. */
export const number = (value: number): string => whole.format(value);

/** Formats a number likewise, always with one decimal. */
export const decimal = (value: number): string => tenths.format(value);

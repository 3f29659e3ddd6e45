import classes from './Hint.module.css';

const sides = { right: classes.right, below: classes.below };

/**
 * Builds a tooltip without a script, for the first load. For elements with an accessible label.
 * @param text without one there is no tooltip
 * @param own the element's own class
 */
export const hint = (text: string | undefined, side: keyof typeof sides, own = '') => ({
  className: `${own} ${classes.hint} ${sides[side]}`,
  'data-hint': text,
});

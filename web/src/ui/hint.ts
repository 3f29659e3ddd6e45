import classes from './Hint.module.css';

const sides = { right: classes.right, below: classes.below };

/**
 * A tooltip without a script, for what the first load shows. For elements with a label for assistive technology.
 * @param text none is shown without one
 * @param own the element's own class
 */
export const hint = (text: string | undefined, side: keyof typeof sides, own = '') => ({
  className: `${own} ${classes.hint} ${sides[side]}`,
  'data-hint': text,
});

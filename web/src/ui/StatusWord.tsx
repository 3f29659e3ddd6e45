import classes from './StatusWord.module.css';

/** Active or Inactive, as a word with a shape. */
export function StatusWord({ status }: { status: string }) {
  return (
    <span className={classes.root} data-active={status === 'Active' || undefined}>
      <span className={classes.mark} aria-hidden />
      {status}
    </span>
  );
}

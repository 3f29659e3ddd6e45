import classes from './Found.module.css';

/** A line with what was searched for marked in it. */
export function Found({ line, search }: { line: string; search: string }) {
  const at = line.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return <span className={classes.line}>{line}</span>;
  const end = at + search.length;
  return (
    <span className={classes.line}>
      {line.slice(0, at)}
      <mark className={classes.found}>{line.slice(at, end)}</mark>
      {line.slice(end)}
    </span>
  );
}

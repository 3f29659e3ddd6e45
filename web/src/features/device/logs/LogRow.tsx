import { memo } from 'react';
import { bytes } from '../../../lib/format.ts';
import { logs as text } from '../../../lib/messages/logs.ts';
import type { LogLine } from '../../../sockets/logs/codec.ts';
import classes from './Logs.module.css';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

const toneOf = (priority: number) => (priority <= 3 ? 'bad' : priority === 4 ? 'warn' : 'plain');
const sourceOf = ({ identifier, unit, pid }: LogLine) => `${identifier || unit || '–'}${pid > 0 ? `[${pid}]` : ''}`;

/** The copied form of a line. */
export const plainLine = (line: LogLine): string => `${line.time} ${sourceOf(line)}: ${line.message}`;

/** One line: time, severity as a word and a shape, source, message. */
export const LogRow = memo(function LogRow({ line }: { line: LogLine }) {
  const at = new Date(line.time);
  return (
    <li className={classes.row} data-tone={toneOf(line.priority)}>
      <span className={classes.meta}>
        <time dateTime={line.time} title={exact.format(at)}>
          {clock.format(at)}
        </time>
        <span className={classes.priority}>
          <span className={classes.mark} aria-hidden />
          {text.priorities[line.priority] ?? line.priority}
        </span>
        <span className={classes.source} title={line.unit}>
          {sourceOf(line)}
        </span>
      </span>
      <span className={classes.message}>
        {line.message}
        {line.cut > 0 ? <em className={classes.cut}> {text.cut(bytes(line.cut))}</em> : null}
      </span>
    </li>
  );
});

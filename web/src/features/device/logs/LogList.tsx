import { Button } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { time } from '../../../lib/format.ts';
import { logs as text } from '../../../lib/messages/logs.ts';
import type { LogsClient, LogsSnapshot } from '../../../sockets/logs/client.ts';
import { hasRoom } from '../../../sockets/logs/lines.ts';
import { LogRow } from './LogRow.tsx';
import classes from './Logs.module.css';

const NEAR_PX = 24;

interface LogListProps {
  label: string;
  logs: LogsSnapshot;
  client: LogsClient;
}

/** The lines. It follows the newest until a scroll upwards, and keeps its position when older ones are prepended. */
export function LogList({ label, logs, client }: LogListProps) {
  const box = useRef<HTMLDivElement | null>(null);
  const [following, setFollowing] = useState(true);
  const before = useRef({ first: '', height: 0 });
  useLayoutEffect(() => {
    const at = box.current;
    if (!at) return;
    const first = logs.list[0]?.cursor ?? '';
    if (following) at.scrollTop = at.scrollHeight;
    else if (first !== before.current.first) at.scrollTop += at.scrollHeight - before.current.height;
    before.current = { first, height: at.scrollHeight };
  }, [logs.list, following]);

  const onScroll = () => {
    const at = box.current;
    if (!at) return;
    const atEnd = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX;
    if (atEnd !== following) {
      setFollowing(atEnd);
      client.follow(atEnd);
    }
    if (at.scrollTop < NEAR_PX && !atEnd) client.loadOlder();
  };
  const toLatest = () => {
    setFollowing(true);
    client.latest();
  };
  return (
    <div className={classes.frame}>
      <div ref={box} className={classes.list} onScroll={onScroll} tabIndex={0} role="region" aria-label={label}>
        <Past logs={logs} client={client} />
        <ol className={classes.lines}>
          {logs.list.map((line) => (
            <LogRow key={line.cursor} line={line} />
          ))}
        </ol>
      </div>
      {following && !logs.missed ? null : (
        <Button className={classes.latest} size="xs" onClick={toLatest}>
          {text.latest}
        </Button>
      )}
    </div>
  );
}

/** The row above the first line. */
function Past({ logs, client }: Pick<LogListProps, 'logs' | 'client'>) {
  if (!logs.loaded) return null;
  if (logs.loadingOlder) return <p className={classes.past}>{text.loadingOlder}</p>;
  if (logs.olderFailed) return <p className={classes.past}>{logs.olderFailed}</p>;
  if (logs.older === '') return logs.list.length > 0 ? <p className={classes.past}>{text.begin}</p> : null;
  if (!hasRoom(logs)) return <p className={classes.past}>{text.full}</p>;
  return (
    <p className={classes.past}>
      <Button size="compact-xs" variant="subtle" onClick={() => client.loadOlder()}>
        {logs.list.length === 0 && logs.reached ? text.searchOn(time(logs.reached)) : text.loadOlder}
      </Button>
    </p>
  );
}

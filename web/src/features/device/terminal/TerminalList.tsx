import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { terminalsApi } from '../../../lib/api/generated/terminals.ts';
import type { Terminal } from '../../../lib/api/generated/terminals.ts';
import { ago } from '../../../lib/format.ts';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import { failed } from '../../../lib/toast.ts';
import { Failure } from '../../../ui/Failure.tsx';
import { useNow } from '../../../ui/useNow.ts';
import type { TerminalControl } from './useTerminal.ts';
import classes from './TerminalList.module.css';

const LOOK_MS = 4_000;

interface TerminalListProps {
  device: string;
  terminal: TerminalControl;
  onClose: () => void;
}

/** The person's own terminals on the device: attach, take over from another window, or end. */
export function TerminalList({ device, terminal, onClose }: TerminalListProps) {
  const listed = terminalsApi.useListTerminalsQuery(
    { id: device },
    { pollingInterval: LOOK_MS, refetchOnMountOrArgChange: true },
  );
  const now = useNow(LOOK_MS);
  const { data, error, isLoading, refetch } = listed;
  const show = (session: string | null, takesOver = false) => {
    terminal.show(session, takesOver);
    onClose();
  };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {text.lead}
      </Text>
      {isLoading ? <Loader size={20} role="status" aria-label={text.title} /> : null}
      {error ? <Failure title={text.failed} error={error} retry={refetch} /> : null}
      {data && !error ? (
        <ul className={classes.list}>
          {data.terminals.map((one) => (
            <Row
              key={one.session}
              device={device}
              one={one}
              own={terminal.session}
              now={now}
              onShow={show}
              onEnded={() => void refetch()}
            />
          ))}
        </ul>
      ) : null}
      {data?.terminals.length === 0 ? <Text size="sm">{text.none}</Text> : null}
      <Group justify="flex-end">
        <Button size="xs" variant="default" onClick={() => show(null)}>
          {text.another}
        </Button>
      </Group>
    </Stack>
  );
}

interface RowProps {
  device: string;
  one: Terminal;
  /** The terminal that this window shows. */
  own: string | null;
  now: number;
  onShow: (session: string, takesOver?: boolean) => void;
  onEnded: () => void;
}

function Row({ device, one, own, now, onShow, onEnded }: RowProps) {
  const [asking, setAsking] = useState(false);
  const here = one.session === own;
  const elsewhere = one.attached === 'Yes' && !here;
  const name = one.command || text.unknown;
  const about = text.about(ago(one.started_at, now), ago(one.used_at, now), one.cols, one.rows);
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.what}>
        <span className="mono">{name}</span>
        <span className={classes.state} data-here={here || undefined}>
          {here ? text.here : elsewhere ? text.elsewhere : text.waiting}
        </span>
        <span className={classes.about}>{about}</span>
      </div>
      {asking ? (
        <Ending device={device} session={one.session} onKept={() => setAsking(false)} onEnded={onEnded} />
      ) : (
        <Group gap={6} wrap="nowrap">
          {here ? null : (
            <Button size="xs" variant="default" onClick={() => onShow(one.session)}>
              {elsewhere ? text.join : text.open}
            </Button>
          )}
          {elsewhere ? (
            <Button size="xs" variant="default" onClick={() => onShow(one.session, true)}>
              {text.takeOver}
            </Button>
          ) : null}
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {text.end}
          </Button>
        </Group>
      )}
    </li>
  );
}

interface EndingProps {
  device: string;
  session: string;
  onKept: () => void;
  onEnded: () => void;
}

/** Asks for a confirmation, since the running program is lost. */
function Ending({ device, session, onKept, onEnded }: EndingProps) {
  const [end, { isLoading }] = terminalsApi.useEndTerminalMutation();
  const act = async () => {
    try {
      await end({ id: device, session }).unwrap();
    } catch (error) {
      failed(error, text.endFailed);
      onKept();
    }
    onEnded();
  };
  return (
    <div className={classes.asking} role="alertdialog" aria-label={text.endQuestion}>
      <Text size="xs">{text.endQuestion}</Text>
      <Group gap={6} wrap="nowrap" justify="flex-end">
        <Button size="xs" variant="default" data-autofocus onClick={onKept}>
          {text.keep}
        </Button>
        <Button size="xs" color="red" loading={isLoading} onClick={() => void act()}>
          {text.endConfirm}
        </Button>
      </Group>
    </div>
  );
}

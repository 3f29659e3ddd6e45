import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { terminalsApi } from '../../../lib/api/generated/terminals.ts';
import type { TerminalList as Listed } from '../../../lib/api/types.ts';
import { bytes } from '../../../lib/format.ts';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import { Failure } from '../../../ui/Failure.tsx';
import { useNow } from '../../../ui/useNow.ts';
import { ObservableRow, TerminalRow } from './TerminalRow.tsx';
import type { TerminalControl } from './useTerminal.ts';
import classes from './TerminalList.module.css';

const LOOK_MS = 4_000;

interface TerminalListProps {
  device: string;
  terminal: TerminalControl;
  onClose: () => void;
}

/** The person's own terminals on the device: attach, take over from another window, rename, pin, or end; and those to observe. */
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
            <TerminalRow
              key={one.session}
              device={device}
              one={one}
              capacity={data.capacity}
              own={terminal.session}
              now={now}
              onShow={show}
              onChanged={refetch}
            />
          ))}
        </ul>
      ) : null}
      {data?.terminals.length === 0 ? <Text size="sm">{text.none}</Text> : null}
      {data && data.terminals.length > 0 ? <About list={data} /> : null}
      <Group justify="flex-end">
        <Button size="xs" variant="default" onClick={() => show(null)}>
          {text.another}
        </Button>
      </Group>
      {data && data.observable.length > 0 ? <Observable device={device} list={data.observable} now={now} /> : null}
    </Stack>
  );
}

/** Terminals of others, which the account lets the person observe. */
function Observable({ device, list, now }: { device: string; list: Listed['observable']; now: number }) {
  const title = useId();
  return (
    <Stack component="section" gap={4} aria-labelledby={title}>
      <Text id={title} component="h3" size="sm" fw={600}>
        {text.observable}
      </Text>
      <Note>{text.observableLead}</Note>
      <ul className={classes.list}>
        {list.map((one) => (
          <ObservableRow key={one.terminal.session} device={device} one={one} now={now} />
        ))}
      </ul>
    </Stack>
  );
}

/** What the terminals take, and why none can be pinned. */
function About({ list: { terminals, capacity } }: { list: Listed }) {
  if (!capacity) return <Note>{text.tooOld}</Note>;
  const taken = terminals.reduce((sum, { memory }) => sum + (memory?.bytes ?? 0), 0);
  const { pin_days: days, terminals: count, memory } = capacity;
  return (
    <>
      {days === 0 ? <Note>{text.pinsOff}</Note> : null}
      {days === null ? <Note>{text.pinsUnknown}</Note> : null}
      <Note>{text.memoryOfAll(bytes(taken), bytes(memory / count), count, bytes(memory))}</Note>
    </>
  );
}

const Note = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
);

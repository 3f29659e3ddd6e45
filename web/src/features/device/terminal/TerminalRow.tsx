import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconPinFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { terminalsApi } from '../../../lib/api/generated/terminals.ts';
import type { ObservableTerminal, Terminal, TerminalList } from '../../../lib/api/types.ts';
import { ago, bytes, duration } from '../../../lib/format.ts';
import { terminals as text } from '../../../lib/messages/terminals.ts';
import { failed } from '../../../lib/toast.ts';
import { linkTo } from './link.ts';
import { PinButton } from './PinButton.tsx';
import { RenameTerminal } from './RenameTerminal.tsx';
import classes from './TerminalList.module.css';

interface TerminalRowProps {
  device: string;
  one: Terminal;
  capacity: TerminalList['capacity'];
  /** The terminal that this window shows. */
  own: string | null;
  now: number;
  onShow: (session: string, takesOver?: boolean) => void;
  /** It was changed or ended. */
  onChanged: () => unknown;
}

/** One of the person's terminals. */
export function TerminalRow({ device, one, capacity, own, now, onShow, onChanged }: TerminalRowProps) {
  const [mode, setMode] = useState<'shown' | 'naming' | 'ending'>('shown');
  const here = one.session === own;
  const elsewhere = one.attached === 'Yes' && !here;
  const label = one.name || one.command || text.unknown;
  const pencil = useRef<HTMLButtonElement>(null);
  const wasNaming = useRef(false);
  useEffect(() => {
    if (wasNaming.current && mode === 'shown') pencil.current?.focus();
    wasNaming.current = mode === 'naming';
  }, [mode]);
  const naming = mode === 'naming';
  return (
    <li className={classes.row} aria-label={label}>
      <div className={classes.what}>
        {naming ? (
          <RenameTerminal device={device} one={one} onLeave={() => setMode('shown')} onRenamed={onChanged} />
        ) : (
          <Name one={one} />
        )}
        <span className={classes.state} data-here={here || undefined}>
          {here ? text.here : elsewhere ? text.elsewhere : waiting(one)}
        </span>
        <About one={one} now={now} />
      </div>
      {mode === 'ending' ? (
        <Ending device={device} session={one.session} onKept={() => setMode('shown')} onEnded={onChanged} />
      ) : (
        <Group gap={6} wrap="nowrap">
          {!naming && capacity ? (
            <Group gap={2} wrap="nowrap">
              <Tooltip label={text.renameTip}>
                <ActionIcon
                  ref={pencil}
                  size={28}
                  variant="subtle"
                  color="gray"
                  aria-label={text.rename(label)}
                  onClick={() => setMode('naming')}
                >
                  <IconPencil size={16} />
                </ActionIcon>
              </Tooltip>
              <PinButton device={device} one={one} label={label} days={capacity.pin_days} onChanged={onChanged} />
            </Group>
          ) : null}
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
          <Button size="xs" variant="subtle" color="red" onClick={() => setMode('ending')}>
            {text.end}
          </Button>
        </Group>
      )}
    </li>
  );
}

/** A terminal of somebody else, which opens in another window. */
export function ObservableRow({ device, one, now }: { device: string; one: ObservableTerminal; now: number }) {
  const { owner, terminal } = one;
  return (
    <li
      className={classes.row}
      aria-label={text.observableOf(owner, terminal.name || terminal.command || text.unknown)}
    >
      <div className={classes.what}>
        <Name one={terminal} />
        <span className={classes.state}>{owner}</span>
        <About one={terminal} now={now} />
      </div>
      <Button
        component="a"
        href={linkTo(device, terminal.session)}
        target="_blank"
        rel="noopener"
        size="xs"
        variant="default"
      >
        {text.observe}
      </Button>
    </li>
  );
}

/** The name that its person gave it, before what runs in it. */
function Name({ one: { name, command } }: { one: Terminal }) {
  const program = command || text.unknown;
  if (name === '') return <span className="mono">{program}</span>;
  return (
    <span>
      <span className={classes.name}>{name}</span> <span className={`mono ${classes.program}`}>{program}</span>
    </span>
  );
}

function About({ one, now }: { one: Terminal; now: number }) {
  const { started_at: started, used_at: used, cols, rows, memory, pin_days: days, ends_in: left } = one;
  const about = [text.about(ago(started, now), ago(used, now), cols, rows)];
  if (memory) about.push(text.memory(bytes(memory.bytes)));
  return (
    <>
      <span className={classes.about}>{about.join(' · ')}</span>
      {days > 0 ? (
        <span className={classes.about}>
          <IconPinFilled size={12} aria-hidden />
          {text.pinned(days, left === null ? null : duration(left))}
        </span>
      ) : null}
    </>
  );
}

/** A pinned one says elsewhere when it ends. */
const waiting = ({ pin_days: days, ends_in: left }: Terminal) =>
  days > 0 || left === null ? text.waiting : text.waitingFor(duration(left));

interface EndingProps {
  device: string;
  session: string;
  onKept: () => void;
  onEnded: () => unknown;
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

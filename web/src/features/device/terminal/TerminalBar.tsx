import { ActionIcon, Group, Popover, SegmentedControl, Switch, Text, Tooltip } from '@mantine/core';
import { IconAdjustments, IconBolt, IconMinus, IconPlus, IconSearch } from '@tabler/icons-react';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { messages } from '../../../lib/messages.ts';
import { useNetwork } from '../../../lib/network.ts';
import { terminals as lasting } from '../../../lib/messages/terminals.ts';
import { part } from '../../../ui/part.tsx';
import { useNow } from '../../../ui/useNow.ts';
import { ECHO_MODES } from './echo/predictor.ts';
import type { EchoMode } from './echo/predictor.ts';
import { PeopleButton } from './PeopleButton.tsx';
import { statusText, tone } from './status-text.ts';
import { TerminalsButton } from './TerminalsButton.tsx';
import type { PreferenceControl } from './usePreferences.ts';
import type { TerminalControl } from './useTerminal.ts';
import frame from '../Session.module.css';
import classes from './Terminal.module.css';

const RecordedMark = part(async () => (await import('../RecordedMark.tsx')).RecordedMark);

const text = messages.terminal;

interface TerminalBarProps {
  lead: ReactNode;
  name: string;
  /** What the person calls the terminal; may be empty. */
  title: string;
  /** Its id; null for a guest, who has no other terminals. */
  device: string | null;
  /** Id of the hint how to leave the terminal. */
  hint: string;
  terminal: TerminalControl;
  preferences: PreferenceControl;
}

/** One thin bar: the device, the connection's status, the round-trip time, and the terminal's tools. */
export function TerminalBar({ lead, name, title, device, hint, terminal, preferences }: TerminalBarProps) {
  const { status, echo } = terminal;
  const interrupted = useNetwork().state !== 'online' && status.state === 'connected';
  return (
    <div className={frame.bar}>
      {lead}
      <span
        className={frame.state}
        data-tone={interrupted ? 'wait' : tone(status)}
        data-state={status.state}
        role="status"
      >
        <span className={frame.dot} aria-hidden />
        <span className={frame.stateText}>{interrupted ? messages.network.session : statusText(status, name)}</span>
      </span>
      {title === '' ? null : <span className={classes.title}>{title}</span>}
      <Away terminal={terminal} />
      {terminal.sharing.typist ? (
        <span className={classes.typist}>{lasting.types(terminal.sharing.typist)}</span>
      ) : null}
      <div className={frame.right}>
        <span id={hint} className={classes.leave}>
          {text.leave}
        </span>
        {terminal.localEcho && status.state === 'connected' ? (
          <Tooltip label={lasting.localEchoActive}>
            <span className={classes.localEcho} role="img" aria-label={lasting.localEchoActive}>
              <IconBolt size={14} aria-hidden />
            </span>
          </Tooltip>
        ) : null}
        {terminal.sharing.recording && status.state === 'connected' ? (
          <Suspense>
            <RecordedMark kind="terminal" recording={terminal.sharing.recording} guest={device === null} />
          </Suspense>
        ) : null}
        <Tooltip label={text.echoTitle}>
          <span className={`mono ${frame.latency}`}>
            {status.state === 'connected' && echo !== null ? text.echo(Math.round(echo)) : ''}
          </span>
        </Tooltip>
        <Tooltip label={`${text.search} (Ctrl+Shift+F)`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text.search}
            aria-pressed={terminal.searching}
            onClick={() => terminal.setSearching(!terminal.searching)}
          >
            <IconSearch size={17} />
          </ActionIcon>
        </Tooltip>
        {device === null ? null : (
          <>
            <PeopleButton device={device} terminal={terminal} />
            <TerminalsButton device={device} terminal={terminal} />
          </>
        )}
        <TerminalSettings preferences={preferences} />
      </div>
    </div>
  );
}

/** How long the shell has been unreachable, and that it is back. */
function Away({ terminal }: { terminal: TerminalControl }) {
  const { away } = terminal.status;
  if (away) return <Counting since={away.since} tries={away.tries} />;
  if (!terminal.back || terminal.gap > 0 || terminal.unsure > 0) return null;
  return (
    <span className={classes.back} role="status">
      {lasting.back}
    </span>
  );
}

function Counting({ since, tries }: { since: number; tries: number }) {
  const now = useNow(1_000);
  return <span className={classes.away}>{lasting.away(tries, Math.max(0, Math.floor((now - since) / 1_000)))}</span>;
}

function TerminalSettings({ preferences }: { preferences: PreferenceControl }) {
  const { fontSize, smaller, larger, screenReader, setScreenReader, localEcho, setLocalEcho } = preferences;
  return (
    <Popover position="bottom-end" width={272} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={text.settings}>
          <IconAdjustments size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Group justify="space-between" wrap="nowrap" px={4} pb={8}>
          <Text size="sm">{text.fontSize(fontSize)}</Text>
          <ActionIcon.Group>
            <ActionIcon variant="default" aria-label={text.fontSmaller} disabled={!smaller} onClick={() => smaller?.()}>
              <IconMinus size={15} />
            </ActionIcon>
            <ActionIcon variant="default" aria-label={text.fontLarger} disabled={!larger} onClick={() => larger?.()}>
              <IconPlus size={15} />
            </ActionIcon>
          </ActionIcon.Group>
        </Group>
        <Switch
          px={4}
          size="xs"
          label={text.screenReader}
          checked={screenReader}
          onChange={(event) => setScreenReader(event.currentTarget.checked)}
        />
        <Text size="sm" px={4} pt={12} pb={4}>
          {lasting.localEcho}
        </Text>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={lasting.localEcho}
          value={localEcho}
          data={ECHO_MODES.map((value) => ({ value, label: lasting.localEchoModes[value] }))}
          onChange={(mode) => setLocalEcho(mode as EchoMode)}
        />
        <Text size="xs" c="dimmed" px={4} pt={4}>
          {lasting.localEchoHelp}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}

import { ActionIcon, CopyButton, Select, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { nameOf } from '../../../lib/device-access.ts';
import { logs as text } from '../../../lib/messages/logs.ts';
import { messages } from '../../../lib/messages.ts';
import { useNetwork } from '../../../lib/network.ts';
import type { LogFilter, LogsSnapshot, LogsStatus } from '../../../sockets/logs/client.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { LogList } from './LogList.tsx';
import { plainLine } from './LogRow.tsx';
import { useLogs } from './useLogs.ts';
import classes from './Logs.module.css';

const TYPING_MS = 300;
const TEXT_MAX = 200;
const KERNEL = 'kernel';

/** The device's journal, live, by unit and text. */
export function LogsPanel({ device }: { device: Device }) {
  const [logs, client] = useLogs(device.id, device.status === 'Connected');
  const [filter, setFilter] = useState<LogFilter>({ unit: '', text: '' });
  const search = useDebouncedCallback((next: LogFilter) => client.choose(next), TYPING_MS);
  const change = (next: LogFilter) => {
    setFilter(next);
    if (next.unit === filter.unit) return search(next);
    search.cancel();
    client.choose(next);
  };
  const { status } = logs;
  const nothing = status.state !== 'failed' && logs.loaded && logs.list.length === 0;
  return (
    <div className={classes.root}>
      <div className={classes.tools}>
        <UnitSelect
          units={logs.units}
          unit={filter.unit}
          onOpen={() => client.loadUnits()}
          onChange={(unit) => change({ ...filter, unit })}
        />
        <TextInput
          className={classes.text}
          size="xs"
          type="search"
          aria-label={text.filter}
          placeholder={text.filter}
          maxLength={TEXT_MAX}
          value={filter.text}
          onChange={(event) => change({ ...filter, text: event.currentTarget.value })}
        />
        <Copy logs={logs} />
      </div>
      <State status={status} />
      {logs.notice ? (
        <Text size="xs" c="dimmed">
          {logs.notice}
        </Text>
      ) : null}
      {status.state === 'failed' ? (
        <Failure title={text.failed} reason={status.reason} retry={() => client.connect()} />
      ) : null}
      {nothing ? <Nothing filtered={filter.unit !== '' || filter.text !== ''} /> : null}
      {logs.list.length === 0 && (status.state === 'failed' || (nothing && logs.older === '')) ? null : (
        <LogList label={text.label(nameOf(device))} logs={logs} client={client} />
      )}
    </div>
  );
}

/** Whether the view is live; a failure is shown below instead. */
function State({ status }: { status: LogsStatus }) {
  const interrupted = useNetwork().state !== 'online' && status.state === 'live';
  if (status.state === 'failed') return null;
  return (
    <p className={classes.state} role="status" data-state={interrupted ? 'lost' : status.state}>
      <span className={classes.dot} aria-hidden />
      {interrupted ? messages.network.session : text[status.state]}
      {status.state === 'lost' && status.reason ? ` ${status.reason}` : ''}
    </p>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <Empty title={filtered ? text.emptyFilter : text.empty} text={filtered ? text.emptyFilterText : text.emptyText} />
  );
}

interface UnitSelectProps {
  units: string[];
  unit: string;
  onOpen: () => void;
  onChange: (unit: string) => void;
}

function UnitSelect({ units, unit, onOpen, onChange }: UnitSelectProps) {
  const data = [{ value: KERNEL, label: text.kernel }, ...units.map((name) => ({ value: name, label: name }))];
  return (
    <Select
      className={classes.unit}
      size="xs"
      aria-label={text.unit}
      placeholder={text.allUnits}
      searchable
      clearable
      limit={100}
      nothingFoundMessage={text.noUnit}
      data={data}
      value={unit || null}
      onDropdownOpen={onOpen}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

function Copy({ logs }: { logs: LogsSnapshot }) {
  return (
    <CopyButton value={logs.list.map(plainLine).join('\n')}>
      {({ copied, copy }) => {
        const label = copied ? messages.common.copied : text.copy;
        return (
          <Tooltip label={label}>
            <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={copy}>
              <IconCopy size={17} />
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}

import { Anchor, Button } from '@mantine/core';
import { IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { auditApi } from '../../../lib/api/audit.ts';
import type { AuditStream } from '../../../lib/api/types.ts';
import { auditStreams as text } from '../../../lib/messages/audit-streams.ts';
import { number } from '../../../lib/numbers.ts';
import { failed, refused, succeeded } from '../../../lib/toast.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { EnableSwitch } from '../../../ui/EnableSwitch.tsx';
import { RowMenu, type RowAction } from '../../../ui/RowMenu.tsx';
import { When } from '../../../ui/When.tsx';
import classes from './streams.module.css';

interface StreamColumnsOptions {
  edit: (stream: AuditStream) => void;
  rotate: (stream: AuditStream) => void;
  remove: (stream: AuditStream) => void;
}

/** The columns of the list of streams. */
export function streamColumns(options: StreamColumnsOptions): Column<AuditStream>[] {
  return [
    {
      id: 'on',
      label: text.columns.on,
      width: 'var(--switch-width)',
      render: (stream) => <Enabled stream={stream} />,
    },
    {
      id: 'stream',
      label: text.columns.stream,
      render: (stream) => <Stream stream={stream} onOpen={options.edit} />,
    },
    {
      id: 'state',
      label: text.columns.state,
      width: '26%',
      wideOnly: true,
      render: (stream) => <State stream={stream} />,
    },
    {
      id: 'waiting',
      label: text.columns.waiting,
      width: '16%',
      wideOnly: true,
      roomyOnly: true,
      render: (stream) => <Waiting stream={stream} />,
    },
    {
      id: 'delivered',
      label: text.columns.delivered,
      width: 100,
      align: 'right',
      wideOnly: true,
      roomyOnly: true,
      render: ({ delivered }) => number(delivered),
    },
    {
      id: 'test',
      label: text.test,
      hiddenLabel: true,
      width: 108,
      align: 'right',
      wideOnly: true,
      render: (stream) => <Test stream={stream} />,
    },
    {
      id: 'actions',
      label: text.columns.actions,
      hiddenLabel: true,
      width: 56,
      align: 'right',
      render: (stream) => <Actions stream={stream} options={options} />,
    },
  ];
}

interface OfStream {
  stream: AuditStream;
}

function Enabled({ stream: { id, name, enabled } }: OfStream) {
  const [change, { isLoading }] = auditApi.useUpdateAuditStreamMutation();
  return (
    <EnableSwitch
      label={text.enable(name)}
      enabled={enabled}
      disabled={isLoading}
      change={(on) => change({ id, updateAuditStream: { enabled: on } }).unwrap()}
    />
  );
}

function Stream({ stream, onOpen }: OfStream & { onOpen: (stream: AuditStream) => void }) {
  const { name, kind, url } = stream;
  return (
    <span className={classes.two}>
      <Anchor component="button" type="button" size="sm" onClick={() => onOpen(stream)}>
        {name}
      </Anchor>
      <span className={classes.note} title={url}>
        {text.kinds[kind]}, <span className="mono">{url}</span>
      </span>
      <span className={classes.stacked}>
        <State stream={stream} />
      </span>
    </span>
  );
}

function stateOf({ enabled, failingSince, lastDelivery }: AuditStream): keyof typeof text.states {
  if (!enabled) return 'paused';
  if (failingSince) return 'failing';
  return lastDelivery ? 'delivering' : 'new';
}

/** How deliveries go, with the last error while they fail. */
function State({ stream }: OfStream) {
  const { failingSince, lastDelivery, lastError, skipped, formerSecretUntil } = stream;
  const state = stateOf(stream);
  const isFailing = state === 'failing';
  const at = isFailing ? failingSince : lastDelivery;
  return (
    <span className={classes.two} title={(isFailing && lastError) || undefined}>
      <span className={classes.state} data-state={state}>
        {text.states[state]}
      </span>
      {at ? (
        <span className={classes.note}>
          {isFailing ? text.since : text.last} <When at={at} />
          {isFailing && lastError ? `: ${lastError}` : null}
        </span>
      ) : null}
      {formerSecretUntil ? (
        <span className={classes.note}>
          {text.formerUntil} <When at={formerSecretUntil} />
        </span>
      ) : null}
      {skipped > 0 ? <span className={classes.note}>{text.skipped(skipped)}</span> : null}
    </span>
  );
}

function Waiting({ stream: { waiting, waitingSince } }: OfStream) {
  return (
    <span className={classes.two}>
      <span>{text.waiting(waiting)}</span>
      {waiting > 0 && waitingSince ? (
        <span className={classes.note}>
          {text.oldest} <When at={waitingSince} />
        </span>
      ) : null}
    </span>
  );
}

function useTest({ id, name }: AuditStream): { test: () => void; isBusy: boolean } {
  const [send, { isLoading }] = auditApi.useTestAuditStreamMutation();
  const test = () =>
    void send({ id })
      .unwrap()
      .then(
        ({ delivered, reason }) =>
          delivered ? succeeded(text.testSent, text.testDelivered(name)) : refused(text.testFailed(name, reason ?? '')),
        (error: unknown) => failed(error),
      );
  return { test, isBusy: isLoading };
}

function Test({ stream }: OfStream) {
  const { test, isBusy } = useTest(stream);
  return (
    <Button size="compact-sm" variant="default" loading={isBusy} aria-label={text.testOf(stream.name)} onClick={test}>
      {text.test}
    </Button>
  );
}

function Actions({ stream, options }: OfStream & { options: StreamColumnsOptions }) {
  const { test } = useTest(stream);
  const actions: RowAction[] = [
    { label: text.edit, icon: IconPencil, act: () => options.edit(stream) },
    { label: text.test, icon: IconSend, act: test },
    ...(stream.kind === 'webhook' ? [{ label: text.rotate, icon: IconKey, act: () => options.rotate(stream) }] : []),
    { label: text.remove, icon: IconTrash, danger: true, act: () => options.remove(stream) },
  ];
  return <RowMenu name={stream.name} actions={actions} />;
}

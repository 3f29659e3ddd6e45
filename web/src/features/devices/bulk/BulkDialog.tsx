import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { bulkApi } from '../../../lib/api/bulk.ts';
import { errorText } from '../../../lib/api/errors.ts';
import type { StartBulkJob } from '../../../lib/api/types.ts';
import { bulk } from '../../../lib/messages/bulk.ts';
import { trackedJobs } from '../../../lib/tracked-jobs.ts';
import { AccountPicker, type PickedAccount } from '../../../ui/AccountPicker.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { isDangerous, needsCount, type BulkAction } from './bulk-actions.ts';

const text = bulk.dialog;

const NAMED = 5;
const MOST_DEVICES = 50_000;

/** Devices of a job. */
export interface BulkTarget {
  /** By id, or all that a filter finds. */
  devices: Pick<StartBulkJob, 'ids' | 'filter' | 'account'>;
  count: number;
  /** Of the first ones. */
  names: readonly string[];
  /** The account of the list; empty where it is of all accounts. */
  account: string;
}

interface BulkDialogProps {
  action: BulkAction;
  target: BulkTarget;
  onDone: () => void;
  onClose: () => void;
}

/** Says which devices an action is for and what will happen, and starts it. */
export function BulkDialog({ action, target: { devices, count, names, account }, onDone, onClose }: BulkDialogProps) {
  const [start, state] = bulkApi.useStartBulkJobMutation();
  const [typed, setTyped] = useState('');
  const [to, setTo] = useState<PickedAccount | null>(null);
  const counted = needsCount(action, count);
  const shown = names.slice(0, NAMED);
  const isTooMany = count > MOST_DEVICES;
  const ready = !isTooMany && (!counted || typed.trim() === String(count)) && (action !== 'move' || to !== null);
  const confirm = async () => {
    const answer = await start({
      startBulkJob: {
        ...devices,
        action,
        ...(action === 'move' && to ? { target: to.id } : {}),
        ...(devices.ids ? {} : { at_most: count }),
      },
    });
    if (answer.error) return;
    trackedJobs.add(answer.data.id);
    onDone();
  };
  const problem = isTooMany ? text.tooMany(MOST_DEVICES) : state.error && errorText(state.error, text.failed);
  return (
    <DialogForm
      problem={problem}
      confirm={text.confirm[action]}
      danger={isDangerous(action)}
      disabled={!ready}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <div>
        {devices.ids ? null : <Text c="dimmed">{text.allOf(count)}</Text>}
        <Text fw={600}>
          {shown.join(', ')}
          {count > shown.length ? ` ${text.more(count - shown.length)}` : ''}
        </Text>
        <List mt={8} spacing={2}>
          {text.effects[action].map((effect) => (
            <List.Item key={effect}>{effect}</List.Item>
          ))}
        </List>
      </div>
      {action === 'move' ? <AccountPicker label={text.target} except={account} value={to} onChange={setTo} /> : null}
      {counted ? (
        <TextInput
          data-autofocus
          autoComplete="off"
          inputMode="numeric"
          label={text.typeCount(count)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
    </DialogForm>
  );
}

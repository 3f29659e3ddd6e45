import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { messages } from '../lib/messages.ts';
import { failed } from '../lib/toast.ts';
import { DialogForm } from './DialogForm.tsx';

interface ConfirmationProps {
  lead: string;
  /** What is lost, one by one. */
  losses?: readonly string[];
  note?: string;
  /** A name that has to be typed first. */
  typed?: string;
  confirm: string;
  dismiss?: string;
  danger?: boolean;
  /** Performs it; a rejection is shown as a toast, and the dialog stays. */
  act: () => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
}

/** Asks once more before something is lost, and says what. */
export function Confirmation(props: ConfirmationProps) {
  const { lead, losses, note, typed, act, onDone } = props;
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    act()
      .then(onDone, (error: unknown) => failed(error))
      .finally(() => setBusy(false));
  };
  return (
    <DialogForm
      confirm={props.confirm}
      {...(props.dismiss ? { dismiss: props.dismiss } : {})}
      danger={props.danger ?? true}
      disabled={typed !== undefined && name.trim() !== typed}
      busy={busy}
      onConfirm={confirm}
      onCancel={props.onCancel}
    >
      <div>
        <Text>{lead}</Text>
        {losses ? (
          <List mt={8} spacing={2}>
            {losses.map((loss) => (
              <List.Item key={loss}>{loss}</List.Item>
            ))}
          </List>
        ) : null}
      </div>
      {note ? <Text c="dimmed">{note}</Text> : null}
      {typed === undefined ? null : (
        <TextInput
          data-autofocus
          autoComplete="off"
          label={messages.forms.typeName(typed)}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
    </DialogForm>
  );
}

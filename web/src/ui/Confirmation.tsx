import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { messages } from '../lib/messages.ts';
import { failed } from '../lib/toast.ts';
import { DialogForm } from './DialogForm.tsx';

interface ConfirmationProps {
  lead: string;
  /** The items that are lost. */
  losses?: readonly string[];
  note?: string;
  /** A name that the user must type first. */
  typed?: string;
  confirm: string;
  dismiss?: string;
  danger?: boolean;
  /** Performs the action; a rejection shows a toast and keeps the dialog open. */
  act: () => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before something is lost, and lists it. */
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

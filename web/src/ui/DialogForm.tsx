import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useContext, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { messages } from '../lib/messages.ts';
import { SessionHeldContext } from '../lib/session.ts';
import { SessionEnded } from './SessionEnded.tsx';

interface DialogFormProps {
  /** The hub's error. */
  problem?: string | undefined;
  confirm: string;
  /** Label of the cancel button, if "Cancel" would be ambiguous. */
  dismiss?: string;
  /** The action can't be undone. */
  danger?: boolean;
  disabled?: boolean;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** The content of a dialog: the hub's error, a body and two buttons. Enter confirms. */
export function DialogForm(props: DialogFormProps) {
  const [touched, setTouched] = useState(false);
  const held = useContext(SessionHeldContext);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!props.disabled && !props.busy) props.onConfirm();
  };
  return (
    <form
      noValidate
      data-unsent={(touched && !props.busy) || undefined}
      data-sending={(touched && props.busy) || undefined}
      onInput={() => setTouched(true)}
      onPaste={() => setTouched(true)}
      onSubmit={submit}
    >
      <Stack gap="md">
        {held ? <SessionEnded inline /> : null}
        {props.problem ? (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
            {props.problem}
          </Alert>
        ) : null}
        {props.children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onCancel}>
            {props.dismiss ?? messages.common.cancel}
          </Button>
          <Button
            type="submit"
            // A first field has the focus instead.
            data-autofocus
            loading={props.busy}
            disabled={props.disabled ?? false}
            {...(props.danger ? { color: 'red' } : {})}
          >
            {props.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { guestLinks as text } from '../../lib/messages/guests.ts';
import { CommandBox } from '../CommandBox.tsx';
import { Dialog } from '../Dialog.tsx';
import type { DialogControl } from '../useDialog.ts';
import { NewGuestLink } from './NewGuestLink.tsx';

/** Creates a guest link to a device, and shows it once. */
export function GuestLinkDialog({ control }: { control: DialogControl<Device> }) {
  return (
    <Dialog control={control} title={text.dialog}>
      {(device) => <Steps device={device} onClose={control.close} />}
    </Dialog>
  );
}

function Steps({ device, onClose }: { device: Device; onClose: () => void }) {
  const [url, setUrl] = useState<string>();
  if (url === undefined) return <NewGuestLink device={device} onCreated={setUrl} onCancel={onClose} />;
  return (
    <Stack>
      <Text>{text.created}</Text>
      <CommandBox command={url} label={text.copy} />
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {text.done}
        </Button>
      </Group>
    </Stack>
  );
}

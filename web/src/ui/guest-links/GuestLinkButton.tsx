import { Button, Group, Stack, Text } from '@mantine/core';
import { IconUserShare } from '@tabler/icons-react';
import { useState } from 'react';
import type { Device } from '../../lib/api/types.ts';
import { guestLinks as text } from '../../lib/messages/guests.ts';
import { CommandBox } from '../CommandBox.tsx';
import { Dialog } from '../Dialog.tsx';
import { useDialog } from '../useDialog.ts';
import { NewGuestLink } from './NewGuestLink.tsx';

/** Creates a guest link to a device, and shows it once. */
export function GuestLinkButton({ device }: { device: Device }) {
  const dialog = useDialog<Device>();
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconUserShare size={15} aria-hidden />}
        onClick={() => dialog.open(device)}
      >
        {text.action}
      </Button>
      <Dialog control={dialog} title={text.dialog}>
        {(subject) => <Steps device={subject} onClose={dialog.close} />}
      </Dialog>
    </>
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

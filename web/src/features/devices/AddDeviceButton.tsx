import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { messages } from '../../lib/messages.ts';
import { ModalFrame } from '../../ui/ModalFrame.tsx';
import { AddDevice } from './AddDevice.tsx';

interface AddDeviceButtonProps {
  account: string;
  accountName: string;
  opened: boolean;
  onOpen: (opened: boolean) => void;
}

export function AddDeviceButton({ account, accountName, opened, onOpen }: AddDeviceButtonProps) {
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen(true)}>
        {messages.devices.add}
      </Button>
      <ModalFrame focusTitle opened={opened} onClose={() => onOpen(false)} title={messages.addDevice.title} size={600}>
        <AddDevice account={account} accountName={accountName} />
      </ModalFrame>
    </>
  );
}

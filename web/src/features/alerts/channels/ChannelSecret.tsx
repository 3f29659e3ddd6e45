import { Button, Group, Stack, Text } from '@mantine/core';
import { channels as text } from '../../../lib/messages/channels.ts';
import { CommandBox } from '../../../ui/CommandBox.tsx';

/** A signing secret, which is not shown again. */
export function ChannelSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack>
      <Text>{text.secretLead}</Text>
      <CommandBox command={secret} label={text.secretCopy} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{text.secretDone}</Button>
      </Group>
    </Stack>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { CommandBox } from './CommandBox.tsx';

interface SigningSecretProps {
  secret: string;
  text: { secretLead: string; secretCopy: string; secretDone: string };
  onClose: () => void;
}

/** A signing secret, which is not shown again. */
export function SigningSecret({ secret, text, onClose }: SigningSecretProps) {
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

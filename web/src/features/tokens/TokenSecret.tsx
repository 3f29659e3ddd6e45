import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { tokens as text } from '../../lib/messages/tokens.ts';
import { CommandBox } from '../../ui/CommandBox.tsx';

/** A new token, which is not shown again. */
export function TokenSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack>
      <Text>{text.secretLead}</Text>
      <CommandBox command={secret} label={text.secretCopy} />
      <Text size="sm" c="dimmed">
        {text.secretHow}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {`curl -H "Authorization: Bearer $WARREN_TOKEN" ${location.origin}/api/devices`}
      </Code>
      <Group justify="flex-end">
        <Button onClick={onClose}>{text.secretDone}</Button>
      </Group>
    </Stack>
  );
}

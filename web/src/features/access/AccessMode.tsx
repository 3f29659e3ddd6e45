import { Button, Group, Paper, Text } from '@mantine/core';
import type { Access } from '../../lib/api/types.ts';
import { access as text } from '../../lib/messages/access.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { SwitchMode } from './SwitchMode.tsx';

interface AccessModeProps {
  account: string;
  access: Access;
  manages: boolean;
}

/** The access mode, and the button that switches it. */
export function AccessMode({ account, access: { mode, switchable }, manages }: AccessModeProps) {
  const dialog = useDialog<Access['mode']>();
  const { name, about } = text.modes[mode];
  const other = mode === 'explicit' ? 'default' : 'explicit';
  const title = other === 'explicit' ? text.toExplicit : text.toDefault;
  return (
    <Paper withBorder p="md" maw={820} component="section" aria-label={text.mode}>
      <Group justify="space-between" gap="md">
        <div>
          <Text fw={600} role="status">
            {name}
          </Text>
          <Text c="dimmed">{switchable ? about : text.operator}</Text>
        </div>
        {manages && switchable ? (
          <Button variant="default" onClick={() => dialog.open(other)}>
            {title}
          </Button>
        ) : null}
      </Group>
      <Dialog control={dialog} title={title} focusTitle>
        {(to) => <SwitchMode account={account} mode={to} onClose={dialog.close} />}
      </Dialog>
    </Paper>
  );
}

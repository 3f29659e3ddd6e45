import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { messages } from '../lib/messages.ts';
import classes from './CommandBox.module.css';

/** A command to copy. Long ones wrap, so that all of it can be read before it is run. */
export function CommandBox({ command, label, disabled }: { command: string; label: string; disabled?: boolean }) {
  return (
    <div className={classes.box} data-disabled={disabled || undefined}>
      <code className={classes.code}>{command}</code>
      <CopyButton value={command} timeout={2000}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? messages.common.copied : label}>
            <ActionIcon variant="default" size="lg" aria-label={label} onClick={copy} disabled={disabled ?? false}>
              {copied ? <IconCheck size={18} color="var(--state-good)" /> : <IconCopy size={18} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}

import { ActionIcon, Tooltip } from '@mantine/core';
import { IconExternalLink, IconReload } from '@tabler/icons-react';
import { web } from '../../lib/messages/web.ts';

/** What the bar above a web service offers: load it again, and open it in a tab. */
export function WebActions({ address, onReload }: { address: string; onReload: () => void }) {
  return (
    <>
      <Tooltip label={web.reload}>
        <ActionIcon variant="subtle" color="gray" aria-label={web.reload} onClick={onReload}>
          <IconReload size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={web.newTab}>
        <ActionIcon
          component="a"
          href={`${window.location.protocol}//${address}/`}
          target="_blank"
          rel="noreferrer"
          variant="subtle"
          color="gray"
          aria-label={web.newTab}
        >
          <IconExternalLink size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

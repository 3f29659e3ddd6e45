import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { audit as text } from '../../lib/messages/audit.ts';
import { inMain } from '../../ui/in-main.ts';

const FORMATS = [
  { format: 'csv', label: text.exportCsv },
  { format: 'ndjson', label: text.exportNdjson },
] as const;

/** Downloads every event that matches, in a format of choice. */
export function ExportMenu({ query }: { query: Record<string, string> }) {
  return (
    <Menu position="bottom-end" shadow="md" {...inMain()}>
      <Menu.Target>
        <Button
          variant="default"
          title={text.exportHint}
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {text.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, label }) => (
          <Menu.Item
            key={format}
            component="a"
            download
            href={`/api/audit/export?${new URLSearchParams({ ...query, format })}`}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

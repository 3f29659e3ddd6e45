import { ActionIcon, Menu, SimpleGrid, Tooltip } from '@mantine/core';
import { IconCommand } from '@tabler/icons-react';
import { desktop } from '../../../lib/messages/desktop.ts';
import type { DesktopKey } from '../../../sockets/desktop/keys.ts';
import { inBar } from './in-bar.ts';
import type { DesktopControl } from './useDesktop.ts';

const text = desktop.keys;
const FUNCTIONS = Array.from({ length: 12 }, (_, index): DesktopKey => `F${index + 1}`);

/** Keys that the browser or the local computer would handle itself. */
export function KeysMenu({ desktop: control, disabled }: { desktop: DesktopControl; disabled: boolean }) {
  const press = (keys: readonly DesktopKey[]) => control.screen()?.press(keys);
  const items: [string, readonly DesktopKey[]][] = [
    ...Object.entries(text.chords),
    ...text.single.map((key): [string, readonly DesktopKey[]] => [key, [key]]),
  ];
  return (
    <Menu position="bottom-end" shadow="md" width={220} returnFocus={false} {...inBar}>
      <Tooltip label={text.menu}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={text.menu} disabled={disabled}>
            <IconCommand size={18} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {items.map(([label, keys]) => (
          <Menu.Item key={label} onClick={() => press(keys)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label aria-hidden>{text.functions}</Menu.Label>
        <SimpleGrid role="group" aria-label={text.functions} cols={4} spacing={0}>
          {FUNCTIONS.map((key) => (
            <Menu.Item key={key} px={4} ta="center" closeMenuOnClick={false} onClick={() => press([key])}>
              {key}
            </Menu.Item>
          ))}
        </SimpleGrid>
      </Menu.Dropdown>
    </Menu>
  );
}

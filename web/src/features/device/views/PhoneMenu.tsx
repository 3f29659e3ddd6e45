import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconLayoutRows, IconPlus, IconX } from '@tabler/icons-react';
import { Fragment, useRef } from 'react';
import type { Device } from '../../../lib/api/types.ts';
import { nameOf } from '../../../lib/device-access.ts';
import { deviceViews as text } from '../../../lib/messages/device-views.ts';
import { messages } from '../../../lib/messages.ts';
import { inMain } from '../../../ui/in-main.ts';
import { ActionItem, type RowAction } from '../../../ui/RowMenu.tsx';
import type { ViewsControl } from './useViews.ts';
import { MOST_TERMINALS, numberOf } from './view-state.ts';
import { labelOf } from './ViewTabs.tsx';
import classes from './DeviceViews.module.css';

interface PhoneMenuProps {
  device: Device;
  views: ViewsControl;
  /** Groups of actions on the device. */
  actions: readonly RowAction[][];
}

/** On a phone, the actions of the head and the tools of the tabs, at the bottom, where the thumb is. Not drawn on wider screens. */
export function PhoneMenu({ device, views, actions }: PhoneMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const choose = (act: () => void) => {
    // A dialog returns the focus to the button.
    button.current?.focus();
    act();
  };
  // The tabs' own are nearest to the thumb.
  const groups = [...actions, viewActions(views)].filter(({ length }) => length > 0);
  return (
    <span className={classes.phone}>
      <Menu
        position="top-end"
        width={264}
        shadow="md"
        classNames={{ dropdown: classes.menu ?? '', item: classes.item ?? '' }}
        {...inMain()}
      >
        <Menu.Target>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            size={44}
            aria-label={messages.forms.actionsFor(nameOf(device))}
          >
            <IconDots size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {groups.map((group, index) => (
            <Fragment key={group[0]?.label}>
              {index > 0 ? <Menu.Divider /> : null}
              {group.map((action) => (
                <ActionItem key={action.label} action={action} choose={choose} />
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}

/** What can be done with the tabs. */
function viewActions(views: ViewsControl): RowAction[] {
  const { current, state, newTerminal } = views;
  const number = numberOf(current);
  const isSplit = number !== undefined && state.splits[number] !== undefined;
  const isClosable = state.open.includes(current) || (number ?? 0) > 1;
  return [
    {
      label: text.newTerminal,
      icon: IconPlus,
      unavailable: newTerminal ? undefined : text.most(MOST_TERMINALS),
      act: () => newTerminal?.(),
    },
    // A second pane has a button that closes it.
    ...(number === undefined || isSplit
      ? []
      : [{ label: text.splits.below, icon: IconLayoutRows, act: () => views.split('below') }]),
    ...(isClosable
      ? [{ label: text.close(labelOf(current, views)), icon: IconX, act: () => views.close(current) }]
      : []),
  ];
}

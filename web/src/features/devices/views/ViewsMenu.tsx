import { Button, Menu } from '@mantine/core';
import {
  IconBookmark,
  IconBookmarkPlus,
  IconCheck,
  IconChevronDown,
  IconLink,
  IconPencil,
  IconReplace,
  IconTrash,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import type { SavedFilter } from '../../../lib/api/types.ts';
import { fleet } from '../../../lib/messages/fleet.ts';
import { useSession } from '../../../lib/session.ts';
import { failed } from '../../../lib/toast.ts';
import { inMain } from '../../../ui/in-main.ts';
import { undoable } from '../../../ui/undoable.tsx';
import type { Views } from './useViews.ts';
import { mayChange, queryOf } from './view.ts';
import classes from './ViewsMenu.module.css';

const text = fleet.views;

interface ViewsMenuProps {
  views: Views;
  onSave: () => void;
  onRename: (view: SavedFilter) => void;
  onReplace: () => void;
  onUses: (view: SavedFilter) => void;
}

/** The saved views of the list: opens one, saves what the list shows as one or in place of one, renames and deletes the open one. */
export function ViewsMenu({ views, onSave, onRename, onReplace, onUses }: ViewsMenuProps) {
  const session = useSession();
  const remove = useDelete(views);
  const button = useRef<HTMLButtonElement>(null);
  const { current, canSave, isUnsaved } = views;
  const isOwn = current !== undefined && mayChange(session, current);
  const replaceable = views.views?.some((view) => mayChange(session, view)) ?? false;
  const choose = (act: () => void) => {
    // The item goes away with the menu; a dialog returns the focus to the button.
    button.current?.focus();
    act();
  };
  return (
    <Menu position="bottom-start" width={260} shadow="md" middlewares={{ size: { padding: 8 } }} {...inMain()}>
      <Menu.Target>
        <Button
          ref={button}
          variant="default"
          className={classes.button}
          leftSection={<IconBookmark size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={current ? text.menuOf(current.name, isUnsaved) : text.menu}
        >
          {current?.name ?? text.menu}
          {current && isUnsaved ? <span className={classes.changed} aria-hidden /> : null}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <div className={classes.views}>
          <Listed views={views} />
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconBookmarkPlus size={16} aria-hidden />}
          disabled={!canSave}
          onClick={() => choose(onSave)}
        >
          {text.saveAs}
        </Menu.Item>
        {replaceable ? (
          <Menu.Item
            leftSection={<IconReplace size={16} aria-hidden />}
            disabled={!canSave}
            onClick={() => choose(onReplace)}
          >
            {text.replaceOther}
          </Menu.Item>
        ) : null}
        {current && current.key !== null ? (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => choose(() => onUses(current))}>
            {text.usesOf(current.name)}
          </Menu.Item>
        ) : null}
        {isOwn ? (
          <>
            <Menu.Item
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => choose(() => onRename(current))}
            >
              {text.renameOf(current.name)}
            </Menu.Item>
            <Menu.Item
              c="var(--state-bad)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => choose(() => remove(current))}
            >
              {text.remove(current.name)}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function Listed({ views: { views, failed: isFailed, current } }: { views: Views }) {
  if (isFailed) return <Menu.Label>{text.notLoaded}</Menu.Label>;
  if (!views || views.length === 0) return <Menu.Label>{views ? text.none : text.loading}</Menu.Label>;
  const parts = [
    { label: text.own, views: views.filter(({ scope }) => scope === 'person') },
    { label: text.shared, views: views.filter(({ scope }) => scope === 'account') },
  ];
  return (
    <>
      <Menu.Item component={Link} to={{ search: '' }}>
        {text.all}
      </Menu.Item>
      {parts.map((part) =>
        part.views.length === 0 ? null : (
          <div key={part.label} role="group" aria-label={part.label}>
            <Menu.Label>{part.label}</Menu.Label>
            {part.views.map((view) => (
              <Menu.Item
                key={view.id}
                component={Link}
                to={{ search: queryOf(view) }}
                aria-current={view.id === current?.id || undefined}
                rightSection={view.id === current?.id ? <IconCheck size={14} aria-hidden /> : null}
                classNames={{ itemLabel: classes.name }}
                title={view.filter}
              >
                {view.name}
              </Menu.Item>
            ))}
          </div>
        ),
      )}
    </>
  );
}

/** Deletes a view, with a way back. */
function useDelete({ open }: Views): (view: SavedFilter) => void {
  const [remove] = deviceActionsApi.useDeleteFilterMutation();
  const [save] = deviceActionsApi.useSaveFilterMutation();
  return ({ id, account, name, filter, sort, order, columns, scope, key }) => {
    const again = { name, filter, sort: sort as 'status', order, columns, scope };
    const undo = () =>
      save({ saveFilter: account === null ? again : { ...again, account, ...(key !== null && { key }) } }).unwrap();
    remove({ id })
      .unwrap()
      .then(
        () => {
          open(undefined);
          undoable(text.removed, name, undo);
        },
        (error: unknown) => failed(error),
      );
  };
}

import { ActionIcon, CloseButton, Tooltip, VisuallyHidden } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconLayoutColumns,
  IconLayoutDashboard,
  IconLayoutRows,
  IconLogs,
  IconPlus,
  IconTerminal2,
  IconWorldShare,
} from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { deviceViews as text } from '../../../lib/messages/device-views.ts';
import type { ViewsControl } from './useViews.ts';
import { MOST_TERMINALS, numberOf, type Split, type ViewId } from './view-state.ts';
import classes from './DeviceViews.module.css';

const ICONS = {
  overview: IconLayoutDashboard,
  desktop: IconDeviceDesktop,
  web: IconWorldShare,
  logs: IconLogs,
} as const;

/** The name of a view; of a terminal what its person calls it. */
export function labelOf(view: ViewId, { titles }: Pick<ViewsControl, 'titles'>): string {
  const number = numberOf(view);
  return number === undefined ? text[view as keyof typeof ICONS] : titles[number] || text.terminal(number);
}

/** The tabs of the page: links, so that each opens in another window too. On a phone they are at the bottom, beside a menu. */
export function ViewTabs({ views, children }: { views: ViewsControl; children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [views.current]);
  return (
    <div className={classes.strip}>
      <nav aria-label={text.label} className={classes.nav}>
        <ul ref={list} className={classes.tabs}>
          {views.views.map((view) => (
            <Tab key={view} view={view} views={views} />
          ))}
        </ul>
      </nav>
      <Tools views={views} />
      {children}
    </div>
  );
}

function Tab({ view, views }: { view: ViewId; views: ViewsControl }) {
  const label = labelOf(view, views);
  const number = numberOf(view) ?? 0;
  const Icon = number === 0 ? ICONS[view as keyof typeof ICONS] : IconTerminal2;
  const open = views.state.open.includes(view);
  const current = view === views.current;
  return (
    <li className={classes.tab} data-current={current || undefined}>
      <Link to={views.hrefOf(view)} aria-current={current ? 'page' : undefined} className={classes.link}>
        <Icon size={16} aria-hidden />
        <span className={classes.word}>{label}</span>
        {number > 1 ? (
          <span className={classes.number} aria-hidden>
            {number}
          </span>
        ) : null}
        {open ? (
          <>
            <span className={classes.dot} aria-hidden />
            <VisuallyHidden>{text.running}</VisuallyHidden>
          </>
        ) : null}
      </Link>
      {open || number > 1 ? (
        <CloseButton
          size={24}
          iconSize={14}
          className={classes.close ?? ''}
          aria-label={text.close(label)}
          onClick={() => views.close(view)}
        />
      ) : null}
    </li>
  );
}

function Tools({ views }: { views: ViewsControl }) {
  const number = numberOf(views.current);
  const split = number === undefined ? undefined : views.state.splits[number];
  const add = views.newTerminal;
  return (
    <div className={classes.tools} role="toolbar" aria-label={text.tools}>
      {number === undefined ? null : (
        <>
          <SplitButton to="right" keys="E" icon={IconLayoutColumns} current={split} views={views} />
          <SplitButton to="below" keys="O" icon={IconLayoutRows} current={split} views={views} />
        </>
      )}
      <Tooltip label={add ? `${text.newTerminal} (Ctrl+Shift+S)` : text.most(MOST_TERMINALS)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={text.newTerminal}
          disabled={!add}
          onClick={() => add?.()}
        >
          <IconPlus size={18} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

interface SplitButtonProps {
  to: Split;
  keys: string;
  icon: typeof IconLayoutRows;
  current: Split | undefined;
  views: ViewsControl;
}

/** Splits the terminal, moves its second pane, or joins it again. */
function SplitButton({ to, keys, icon: Icon, current, views }: SplitButtonProps) {
  const label = text.splits[to];
  return (
    <Tooltip label={`${label} (Ctrl+Shift+${keys})`}>
      <ActionIcon
        variant={current === to ? 'light' : 'subtle'}
        color={current === to ? 'teal' : 'gray'}
        size={34}
        aria-label={label}
        aria-pressed={current === to}
        onClick={() => views.split(current === to ? null : to)}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconBuilding,
  IconFile,
  IconSearch,
  IconServer2,
  IconTerminal2,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../lib/client.ts';
import { SEARCH_MINIMUM } from '../../lib/list-state.ts';
import { messages } from '../../lib/messages.ts';
import { useFindings } from './useFindings.ts';
import classes from './Palette.module.css';

const text = messages.palette;
const PAUSE_MS = 150;
const icons = {
  pages: IconFile,
  accounts: IconBuilding,
  users: IconUser,
  groups: IconUsersGroup,
  devices: IconServer2,
  actions: IconTerminal2,
};

const [store, actions] = createSpotlight();
const LIST = 'palette-list';

/** Marks the first hit as chosen, for which Mantine has no API. */
function chooseFirst(): void {
  const hits = document.querySelectorAll(`#${LIST} [data-action]`);
  hits.forEach((hit, index) => hit.toggleAttribute('data-selected', index === 0));
  store.setState((state) => ({ ...state, selected: 0 }));
}

/** Finds any page, account, user, group or device by name. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [client] = useClient();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query, PAUSE_MS);
  const { findings, busy } = useFindings(opened ? asked : '', client);
  useEffect(() => {
    if (opened) actions.open();
    else actions.close();
  }, [opened]);
  // The first hit is always chosen, so that Enter opens it and the arrows start there.
  const hits = findings.flatMap(({ kind, found }) => found.map(({ id }) => `${kind} ${id}`)).join();
  useEffect(() => {
    if (opened && hits !== '') chooseFirst();
  }, [opened, hits]);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const short = query.trim().length < SEARCH_MINIMUM;
  // Enter opens the first hit of what was typed: it waits for it, and takes none of what was typed before.
  const settled = asked === query && !busy;
  const [awaited, setAwaited] = useState(false);
  const first = findings[0]?.found[0]?.to;
  const openFirst = useEffectEvent(() => {
    setAwaited(false);
    if (first !== undefined) go(first);
  });
  useEffect(() => {
    if (awaited && settled) openFirst();
  }, [awaited, settled]);
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={(typed) => {
        setQuery(typed);
        setAwaited(false);
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      overlayProps={{ blur: 0 }}
      maxHeight={440}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': text.open } }}
    >
      <Spotlight.Search
        placeholder={text.placeholder}
        aria-label={text.open}
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || short || settled) return;
          event.stopPropagation();
          event.preventDefault();
          setAwaited(true);
        }}
      />
      <Spotlight.ActionsList id={LIST}>
        {findings.map((group) => {
          const Icon = icons[group.kind];
          return (
            <Spotlight.ActionsGroup
              key={group.kind}
              label={group.label}
              classNames={{ actionsGroup: classes.group ?? '' }}
            >
              {group.found.map((one) => (
                <Spotlight.Action
                  key={one.id}
                  className={classes.action ?? ''}
                  label={one.label}
                  description={one.note ?? ''}
                  leftSection={<Icon size={18} aria-hidden />}
                  onClick={() => go(one.to)}
                />
              ))}
            </Spotlight.ActionsGroup>
          );
        })}
        {short ? (
          <Spotlight.Empty>{text.hint}</Spotlight.Empty>
        ) : findings.length === 0 && !busy && asked === query ? (
          <Spotlight.Empty>{text.nothing}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

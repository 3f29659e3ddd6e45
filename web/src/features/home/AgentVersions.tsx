import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { updatesApi } from '../../lib/api/updates.ts';
import { messages } from '../../lib/messages.ts';
import { updates } from '../../lib/messages/updates.ts';
import { number } from '../../lib/numbers.ts';
import classes from './HomePage.module.css';

const text = messages.home;
const SHOWN = 5;

/** How many devices run which version of the agent. */
export function AgentVersions({ account, to }: { account: string | undefined; to: string }) {
  const { data } = updatesApi.useListAgentVersionsQuery(account ? { account } : {});
  const versions = data?.versions ?? [];
  const more = versions.length - SHOWN;
  return (
    <section className={classes.card} aria-label={text.versions}>
      <h2 className={classes.cardHead}>{text.versions}</h2>
      {data ? (
        <ul className={classes.list}>
          {versions.slice(0, SHOWN).map(({ version, devices }) => (
            <li key={version} className={classes.item}>
              {version ? (
                <Anchor
                  component={Link}
                  to={`${to}?${new URLSearchParams({ filter: `agent=${version}` }).toString()}`}
                  size="sm"
                  className={`mono ${classes.itemName}`}
                >
                  {version}
                </Anchor>
              ) : (
                <Text size="sm" className={classes.itemName}>
                  {updates.unknownVersion}
                </Text>
              )}
              <span className={classes.count}>{number(devices)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <div className={classes.counts}>
          <Skeleton height={96} />
        </div>
      )}
      {more > 0 ? (
        <div className={classes.item}>
          <Anchor component={Link} to="/updates" size="sm">
            {text.versionsMore(more)}
          </Anchor>
        </div>
      ) : null}
    </section>
  );
}

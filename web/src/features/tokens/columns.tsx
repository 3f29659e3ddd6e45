import { Button } from '@mantine/core';
import type { Token } from '../../lib/api/types.ts';
import { tokens as text } from '../../lib/messages/tokens.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Email } from '../../ui/Email.tsx';
import { Expires } from '../../ui/tokens/Expires.tsx';
import { When } from '../../ui/When.tsx';
import classes from './tokens.module.css';

interface TokenColumnsOptions {
  /** Whose each is. */
  withOwner: boolean;
  revoke: (token: Token) => void;
}

/** The columns of a list of tokens. */
export function tokenColumns({ withOwner, revoke }: TokenColumnsOptions): Column<Token>[] {
  const owner: Column<Token> = {
    id: 'owner',
    label: text.columns.owner,
    width: '22%',
    wideOnly: true,
    render: ({ owner: { service_account: program, email } }) =>
      program ? <span title={email}>{text.serviceAccount(program)}</span> : <Email address={email} />,
  };
  return [
    { id: 'token', label: text.columns.token, render: (token) => <Name token={token} withOwner={withOwner} /> },
    ...(withOwner ? [owner] : []),
    {
      id: 'may',
      label: text.columns.may,
      width: '18%',
      roomyOnly: true,
      wideOnly: true,
      render: (token) => <May token={token} />,
    },
    { id: 'used', label: text.columns.used, width: '16%', wideOnly: true, render: (token) => <Used token={token} /> },
    {
      id: 'expires',
      label: text.columns.expires,
      width: '14%',
      wideOnly: true,
      render: (token) => <Expires at={token.expires_at} />,
    },
    {
      id: 'actions',
      label: text.columns.actions,
      hiddenLabel: true,
      width: 104,
      align: 'right',
      render: (token) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={text.revokeOf(token.name)}
          onClick={() => revoke(token)}
        >
          {text.revoke}
        </Button>
      ),
    },
  ];
}

function Name({ token, withOwner }: { token: Token; withOwner: boolean }) {
  return (
    <span className={classes.two}>
      <span>{token.name}</span>
      <span className={`${classes.note} mono`}>{token.hint}…</span>
      <span className={classes.stacked}>
        {withOwner ? <>{token.owner.service_account || token.owner.email} · </> : null}
        <Used token={token} short /> · {text.expiresShort} <Expires at={token.expires_at} />
      </span>
      <span className={classes.stackedEarlier}>{mayOf(token).join(' · ')}</span>
    </span>
  );
}

/** The permissions by number; by name on hover. */
function May({ token }: { token: Token }) {
  const [permissions, limit] = mayOf(token);
  return (
    <span className={classes.two} title={token.permissions.join(', ')}>
      <span>{permissions}</span>
      {limit ? <span className={classes.note}>{limit}</span> : null}
    </span>
  );
}

const mayOf = ({ permissions, filter }: Token) => [
  text.permissions(permissions.length),
  ...(filter === '' ? [] : [text.forDevices(filter)]),
];

function Used({ token: { used_at: at, used_from: from }, short = false }: { token: Token; short?: boolean }) {
  if (short)
    return at === null ? (
      text.neverUsedShort
    ) : (
      <>
        {text.usedShort} <When at={at} />
      </>
    );
  if (at === null) return text.neverUsed;
  return (
    <span className={classes.two}>
      <When at={at} />
      {from === '' ? null : <span className={classes.note}>{text.from(from)}</span>}
    </span>
  );
}

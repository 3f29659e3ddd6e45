import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Token } from '../../lib/api/types.ts';
import { tokensApi } from '../../lib/api/tokens.ts';
import { messages } from '../../lib/messages.ts';
import { tokens } from '../../lib/messages/tokens.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useDialog } from '../../ui/useDialog.ts';
import { tokenColumns } from './columns.tsx';
import { NewToken } from './NewToken.tsx';
import { RevokeToken } from './RevokeToken.tsx';
import { TokenSecret } from './TokenSecret.tsx';

const text = tokens.own;
const steps = [
  { label: messages.nav.home, to: '/' },
  { label: messages.profile.title, to: '/profile' },
];
const keyOf = ({ id }: Token) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** The person's API tokens. */
export function OwnTokensPage() {
  const { currentData, error, refetch } = tokensApi.useListOwnTokensQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const creating = useDialog<'new'>();
  const secret = useDialog<string>();
  const revoking = useDialog<Token>();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => creating.open('new')}>
      {tokens.create}
    </Button>
  );
  const hasSome = (currentData?.tokens.length ?? 0) > 0;
  return (
    <Page title={text.title} trail={<Trail steps={steps} />} actions={hasSome ? create : null}>
      <Text size="sm" c="dimmed" mb="md" maw={720}>
        {text.lead}
      </Text>
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <DataTable
          label={text.title}
          columns={tokenColumns({ withOwner: false, revoke: revoking.open })}
          rows={currentData?.tokens}
          rowKey={keyOf}
          state={ORDER}
          onSort={unsorted}
          empty={<Empty title={text.empty} text={text.emptyText} action={create} />}
        />
      )}
      <Dialog control={creating} title={tokens.create}>
        {() => <NewToken onClose={creating.close} onCreated={secret.open} />}
      </Dialog>
      <Dialog control={secret} title={tokens.secret}>
        {(shown) => <TokenSecret secret={shown} onClose={secret.close} />}
      </Dialog>
      <Dialog control={revoking} title={tokens.revokeTitle}>
        {(token) => <RevokeToken own token={token} onClose={revoking.close} />}
      </Dialog>
    </Page>
  );
}

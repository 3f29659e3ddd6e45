import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle, IconPlus } from '@tabler/icons-react';
import { GROUP_RULE_LIMITS } from '@warren/rules/group-rules';
import type { GroupRule, GroupRuleList } from '../../../lib/api/types.ts';
import { groupRulesApi } from '../../../lib/api/group-rules.ts';
import { groupRules as text } from '../../../lib/messages/group-rules.ts';
import { failed } from '../../../lib/toast.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { AddGroupRule } from './AddGroupRule.tsx';
import { groupRuleColumns } from './columns.tsx';
import { settingOf, swapped } from './rules.ts';

const keyOf = ({ id }: GroupRule) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** The rules by which groups of identity providers map to groups of an account. */
export function GroupRules({ account }: { account: string }) {
  const { currentData, error, refetch } = groupRulesApi.useListGroupRulesQuery(
    { id: account },
    { refetchOnMountOrArgChange: true },
  );
  const [set, setting] = groupRulesApi.useSetGroupRulesMutation();
  const adding = useDialog<'new'>();
  const removing = useDialog<GroupRule>();
  const rules = currentData?.rules ?? [];
  const store = (list: GroupRuleList, wanted: readonly GroupRule[]) =>
    set({ id: account, setGroupRules: settingOf(list, wanted) }).unwrap();
  const move = (rule: GroupRule, by: -1 | 1) => {
    if (!currentData || setting.isLoading) return;
    store(currentData, swapped(rules, rule, by)).catch((problem: unknown) => failed(problem, text.moveFailed));
  };
  const add = <AddButton list={currentData} onAdd={() => adding.open('new')} />;
  return (
    <Stack component="section" gap="sm" mt="xl" aria-labelledby="group-rules">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Title order={2} size="h4" id="group-rules">
          {text.title}
        </Title>
        {rules.length > 0 ? add : null}
      </Group>
      <Text size="sm" c="dimmed" maw={720}>
        {text.lead}
      </Text>
      {currentData?.members_provisioned ? (
        <Alert color="yellow" variant="light" role="status" maw={720} icon={<IconInfoCircle size={18} />}>
          {text.membersProvisioned}
        </Alert>
      ) : null}
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <DataTable
          label={text.list}
          columns={groupRuleColumns({ account, rules, move, remove: removing.open })}
          rows={currentData?.rules}
          rowKey={keyOf}
          state={ORDER}
          onSort={unsorted}
          busy={setting.isLoading}
          empty={<Empty title={text.empty} text={text.emptyText} action={add} />}
        />
      )}
      <Dialog control={adding} title={text.add}>
        {() => (currentData ? <AddGroupRule account={account} list={currentData} onClose={adding.close} /> : null)}
      </Dialog>
      <Dialog control={removing} title={text.removeTitle}>
        {(rule) => (
          <Confirmation
            lead={text.removeLead(rule.value, rule.group.name)}
            {...(rule.users > 0 && { losses: [text.removeLoss(rule.users, rule.group.name)] })}
            confirm={text.removeTitle}
            act={async () => {
              if (currentData)
                await store(
                  currentData,
                  rules.filter(({ id }) => id !== rule.id),
                );
            }}
            onDone={removing.close}
            onCancel={removing.close}
          />
        )}
      </Dialog>
    </Stack>
  );
}

function AddButton({ list, onAdd }: { list: GroupRuleList | undefined; onAdd: () => void }) {
  const isFull = (list?.rules.length ?? 0) >= GROUP_RULE_LIMITS.perAccount;
  const hasNone = list?.providers.length === 0;
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={!list || isFull || hasNone}
      title={hasNone ? text.noProviders : isFull ? text.full(GROUP_RULE_LIMITS.perAccount) : ''}
      onClick={onAdd}
    >
      {text.add}
    </Button>
  );
}

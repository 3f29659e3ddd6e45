import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ALL } from '../../../lib/access.ts';
import { mayManageAlerts } from '../../../lib/alert-access.ts';
import { alertsApi } from '../../../lib/api/alerts.ts';
import type { AlertRule } from '../../../lib/api/types.ts';
import { alertRules as text } from '../../../lib/messages/alerts.ts';
import { useSession } from '../../../lib/session.ts';
import { failed } from '../../../lib/toast.ts';
import { Confirmation } from '../../../ui/Confirmation.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty } from '../../../ui/Empty.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { ListFooter } from '../../../ui/ListFooter.tsx';
import { undoable } from '../../../ui/undoable.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { AlertsFrame, PickAccount } from '../AlertsFrame.tsx';
import { useAlertScope } from '../useAlertScope.ts';
import { ruleColumns } from './columns.tsx';
import { bodyOf, defaultOf, type RuleContent } from './rule-form.ts';
import { RuleForm } from './RuleForm.tsx';

const keyOf = ({ id }: AlertRule) => id;
const ORDER = { sort: '', order: 'asc' } as const;
const unsorted = () => undefined;

/** The rules of an account, which say when alerts open. */
export function RulesPage() {
  const session = useSession();
  const { account } = useAlertScope();
  const form = useDialog<AlertRule | 'new'>();
  const manages = account !== ALL && mayManageAlerts(session, account);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open('new')}>
      {text.create}
    </Button>
  );
  return (
    <AlertsFrame title={text.title} below actions={manages ? create : null}>
      {account === ALL ? (
        <PickAccount why={text.pick} />
      ) : (
        <Rules account={account} manages={manages} onEdit={form.open} />
      )}
      <Dialog control={form} title={form.subject === 'new' ? text.create : text.edit}>
        {(rule) => <RuleForm account={account} rule={rule === 'new' ? null : rule} onClose={form.close} />}
      </Dialog>
    </AlertsFrame>
  );
}

interface RulesProps {
  account: string;
  manages: boolean;
  onEdit: (rule: AlertRule) => void;
}

function Rules({ account, manages, onEdit }: RulesProps) {
  const { to } = useAlertScope();
  const { currentData, error, refetch } = alertsApi.useListAlertRulesQuery({ account });
  const removing = useDialog<AlertRule>();
  const reset = useReset();
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  return (
    <>
      <DataTable
        label={text.title}
        columns={ruleColumns({
          alerts: to('/alerts'),
          actions: manages ? { edit: onEdit, reset, remove: removing.open } : null,
        })}
        rows={currentData?.rules}
        rowKey={keyOf}
        state={ORDER}
        onSort={unsorted}
        empty={<Empty title={text.none} text={text.noneText} />}
      />
      {currentData ? (
        <ListFooter total={currentData.rules.length} page={1} limit={currentData.rules.length || 1} onPage={unsorted} />
      ) : null}
      <Dialog control={removing} title={text.remove}>
        {(rule) => <RemoveRule rule={rule} onClose={removing.close} />}
      </Dialog>
    </>
  );
}

/** Makes a default rule as it was at first, which can be undone. */
function useReset(): (rule: AlertRule) => void {
  const [change] = alertsApi.useChangeAlertRuleMutation();
  return (rule) => {
    const usual = defaultOf(rule);
    if (!usual) return;
    const put = (content: RuleContent) => change({ id: rule.id, changeAlertRule: bodyOf(content) }).unwrap();
    void put(usual).then(
      () => undoable(text.resetDone, text.resetDetail(usual.name), () => put(rule)),
      (error: unknown) => failed(error),
    );
  };
}

function RemoveRule({ rule, onClose }: { rule: AlertRule; onClose: () => void }) {
  const [remove] = alertsApi.useDeleteAlertRuleMutation();
  return (
    <Confirmation
      lead={text.removeLead(rule.name)}
      losses={text.removeLosses(rule.openAlerts)}
      confirm={text.remove}
      act={() => remove({ id: rule.id }).unwrap()}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

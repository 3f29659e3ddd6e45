import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AccessRules } from '../../../lib/api/types.ts';
import { requestsApi } from '../../../lib/api/requests.ts';
import { accessRequests } from '../../../lib/messages/access-requests.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { useDialog } from '../../../ui/useDialog.ts';
import { RulesForm } from './RulesForm.tsx';

const text = accessRequests.rules;

/** The rules of an account about access requests and recent sign-ins, and the button that changes them. */
export function RulesPanel({ account, manages }: { account: string; manages: boolean }) {
  const { currentData: rules, error, refetch } = requestsApi.useGetAccessRulesQuery({ id: account });
  const dialog = useDialog<AccessRules>();
  if (error && !rules) return <Failure title={text.failed} error={error} retry={refetch} />;
  if (!rules) return <Skeleton height={96} />;
  return (
    <Paper withBorder p="md" maw={820} component="section" aria-label={text.title}>
      <Group justify="space-between" gap="md">
        <div>
          <Text fw={600}>{rules.requests ? text.on(approversOf(rules)) : text.off}</Text>
          <Text c="dimmed">{aboutOf(rules)}</Text>
        </div>
        <Group gap="xs">
          {rules.requests ? (
            <Button component={Link} to={`/requests/${account}`} variant="default">
              {text.show}
            </Button>
          ) : null}
          {manages ? (
            <Button variant="default" onClick={() => dialog.open(rules)}>
              {text.edit}
            </Button>
          ) : null}
        </Group>
      </Group>
      <Dialog control={dialog} title={text.title}>
        {(present) => <RulesForm account={account} rules={present} onClose={dialog.close} />}
      </Dialog>
    </Paper>
  );
}

function approversOf({ approver_group: group, approver_group_name: name }: AccessRules): string {
  return group === null ? text.managers : text.group(name);
}

function aboutOf(rules: AccessRules) {
  const { requests, longest_minutes: longest, second_approver: second, recent_sign_in: recent } = rules;
  const { guest_links: guests, terminal_pin_days: pinDays, observe_terminals: observe } = rules;
  const names = (['terminals', 'manage', 'grants'] as const).filter((name) => recent[name]);
  const what = names.map((name) => text.recentFor[name]).join(', ');
  return [
    ...(requests ? [text.longest(accessRequests.duration(longest)), ...(second ? [text.second] : [])] : []),
    guests ? text.guestLinksOn : text.guestLinksOff,
    pinDays > 0 ? text.pinsOn(pinDays) : text.pinsOff,
    observe ? text.observeOn : text.observeOff,
    names.length > 0 ? text.recent(accessRequests.duration(recent.minutes), what) : text.recentOff,
  ].join(' ');
}

import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { domainsApi } from '../../lib/api/domains.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { AccountDomain } from '../../lib/api/types.ts';
import { domains as text } from '../../lib/messages/domains.ts';
import { CommandBox } from '../../ui/CommandBox.tsx';
import { When } from '../../ui/When.tsx';

type State = keyof typeof text.states;

const WARNING = { color: 'var(--state-warn)', borderColor: 'currentcolor' };

function stateOf({ verified_at: verified, lost_at: lost }: AccountDomain): State {
  if (verified === null) return 'pending';
  return lost === null ? 'verified' : 'lost';
}

interface DomainItemProps {
  account: string;
  domain: AccountDomain;
  /** Not given for people who may not verify a domain without its record. */
  onConfirm?: ((domain: AccountDomain) => void) | undefined;
  onRemove: (domain: AccountDomain) => void;
}

/** A domain: its state, and the record to publish while it is not proved. */
export function DomainItem({ account, domain, onConfirm, onRemove }: DomainItemProps) {
  const [check, checking] = domainsApi.useCheckDomainMutation();
  const { domain: name, id } = domain;
  const state = stateOf(domain);
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={2} size="h4">
              {name}
            </Title>
            <Badge variant="default" tt="none" fw={400} radius="sm" {...(state === 'lost' && { style: WARNING })}>
              {text.states[state]}
            </Badge>
          </Group>
          <Group gap="xs">
            {domain.proof === 'operator' ? null : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={text.checkOf(name)}
                loading={checking.isLoading}
                onClick={() => void check({ id: account, domain: id })}
              >
                {text.check}
              </Button>
            )}
            {onConfirm && state === 'pending' ? (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={text.confirmOf(name)}
                onClick={() => onConfirm(domain)}
              >
                {text.confirm}
              </Button>
            ) : null}
            <Button
              size="compact-sm"
              variant="default"
              aria-label={text.removeOf(name)}
              onClick={() => onRemove(domain)}
            >
              {text.remove}
            </Button>
          </Group>
        </Group>
        {state === 'verified' ? null : <TxtRecord domain={domain} lead={state === 'lost' ? text.lost : text.publish} />}
        {checking.error ? (
          <Text size="sm" c="var(--state-bad)" role="alert">
            {errorText(checking.error, text.checkFailed)}
          </Text>
        ) : null}
        <Facts domain={domain} />
      </Stack>
    </Paper>
  );
}

function TxtRecord({ domain: { domain, record, value }, lead }: { domain: AccountDomain; lead: string }) {
  return (
    <Stack gap={6}>
      <Text size="sm">{lead}</Text>
      <Text size="sm" fw={500}>
        {text.record}
      </Text>
      <CommandBox command={record} label={text.copyRecord(domain)} />
      <Text size="sm" fw={500}>
        {text.value}
      </Text>
      <CommandBox command={value} label={text.copyValue(domain)} />
    </Stack>
  );
}

/** When and how it was verified, and what the last check found. */
function Facts({ domain }: { domain: AccountDomain }) {
  const { verified_at: verified, proof, checked_at: checked, finding } = domain;
  return (
    <Text size="sm" c="dimmed" component="div" role="status">
      {verified === null ? null : (
        <div>
          {text.verified} {proof === 'dns' ? text.byDns : text.byOperator}, <When at={verified} />
        </div>
      )}
      {checked === null || finding === null ? null : (
        <div>
          {text.lastCheck} <When at={checked} />: {text.findings[finding]}
        </div>
      )}
    </Text>
  );
}

import { Select, Switch, TextInput } from '@mantine/core';
import { SERVICE_ACCOUNT_LIMITS, SERVICE_ACCOUNT_ROLES, serviceAccountName } from '@warren/rules/service-accounts';
import { useState } from 'react';
import { errorText } from '../../../lib/api/errors.ts';
import type { ServiceAccount } from '../../../lib/api/types.ts';
import { tokensApi } from '../../../lib/api/tokens.ts';
import { serviceAccounts as text } from '../../../lib/messages/service-accounts.ts';
import { succeeded } from '../../../lib/toast.ts';
import { problemOf } from '../../../lib/validate.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';

const nameProblem = (name: string) => (name.trim() === '' ? text.nameMissing : problemOf(serviceAccountName, name));

interface ServiceAccountFormProps {
  account: string;
  /** The one to change; a new one without it. */
  serviceAccount?: ServiceAccount;
  onClose: () => void;
}

/** Creates a service account, or changes all of one but its name. */
export function ServiceAccountForm({ account, serviceAccount, onClose }: ServiceAccountFormProps) {
  const [create, creation] = tokensApi.useCreateServiceAccountMutation();
  const [update, change] = tokensApi.useUpdateServiceAccountMutation();
  const [name, setName] = useState(serviceAccount?.name ?? '');
  const [description, setDescription] = useState(serviceAccount?.description ?? '');
  const [role, setRole] = useState<ServiceAccount['role']>(serviceAccount?.role ?? 'Member');
  const [active, setActive] = useState(serviceAccount?.status !== 'Inactive');
  const [tried, setTried] = useState(false);
  const problem = nameProblem(name);
  const confirm = async () => {
    setTried(true);
    if (problem !== undefined) return;
    const content = { description: description.trim(), role };
    const answer = serviceAccount
      ? await update({
          id: account,
          serviceAccount: serviceAccount.id,
          updateServiceAccount: { ...content, status: active ? 'Active' : 'Inactive' },
        })
      : await create({ id: account, createServiceAccount: { name: name.trim(), ...content } });
    if (answer.error) return;
    onClose();
    succeeded(serviceAccount ? text.edited : text.created, answer.data.result.name);
  };
  const failure = serviceAccount ? change.error : creation.error;
  return (
    <DialogForm
      problem={failure && errorText(failure, serviceAccount ? text.editFailed : text.createFailed)}
      confirm={serviceAccount ? text.editConfirm : text.createConfirm}
      busy={creation.isLoading || change.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        readOnly={serviceAccount !== undefined}
        label={text.name}
        description={text.nameHelp}
        maxLength={SERVICE_ACCOUNT_LIMITS.name}
        autoComplete="off"
        value={name}
        error={tried ? problem : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={text.description}
        maxLength={SERVICE_ACCOUNT_LIMITS.description}
        autoComplete="off"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Select
        label={text.role}
        description={text.roleHelp}
        data={[...SERVICE_ACCOUNT_ROLES]}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value as ServiceAccount['role'])}
      />
      {serviceAccount ? (
        <Switch
          label={text.active}
          description={text.activeHelp}
          checked={active}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      ) : null}
    </DialogForm>
  );
}

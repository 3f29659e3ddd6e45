import { TextInput } from '@mantine/core';
import { claimedDomain } from '@warren/rules/domains';
import { useState } from 'react';
import { domainsApi } from '../../lib/api/domains.ts';
import { errorText } from '../../lib/api/errors.ts';
import { domains as text } from '../../lib/messages/domains.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';

/** Claims a domain for an account. */
export function AddDomain({ account, onClose }: { account: string; onClose: () => void }) {
  const [claim, state] = domainsApi.useClaimDomainMutation();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const parsed = claimedDomain.safeParse(name);
  const confirm = async () => {
    setTried(true);
    if (!parsed.success) return;
    const answer = await claim({ id: account, claimDomain: { domain: parsed.data } });
    if (!answer.error) onClose();
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.addFailed)}
      confirm={text.add}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={text.name}
        description={text.nameHelp}
        maxLength={253}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        error={tried && !parsed.success ? text.nameWrong : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

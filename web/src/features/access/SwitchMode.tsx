import { ScrollArea, Skeleton, Table, Text } from '@mantine/core';
import { accessApi } from '../../lib/api/access.ts';
import { errorText } from '../../lib/api/errors.ts';
import type { Access, AccessPreview } from '../../lib/api/types.ts';
import { access as text } from '../../lib/messages/access.ts';
import { succeeded } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { Failure } from '../../ui/Failure.tsx';

interface SwitchModeProps {
  account: string;
  mode: Access['mode'];
  onClose: () => void;
}

/** Switches the access mode; explicit grants after a look at who loses what. */
export function SwitchMode({ account, mode, onClose }: SwitchModeProps) {
  const [set, state] = accessApi.useSetAccessModeMutation();
  const isExplicit = mode === 'explicit';
  const preview = accessApi.usePreviewAccessQuery({ id: account }, { skip: !isExplicit });
  const confirm = async () => {
    const answer = await set({ id: account, setAccessMode: { mode } });
    if (answer.error) return;
    onClose();
    succeeded(text.switched, text.switchedDetail);
  };
  return (
    <DialogForm
      problem={state.error && errorText(state.error, text.switchFailed)}
      confirm={isExplicit ? text.explicitConfirm : text.defaultConfirm}
      danger={isExplicit}
      disabled={isExplicit && !preview.currentData}
      busy={state.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{isExplicit ? text.previewLead : text.defaultLead}</Text>
      {!isExplicit ? null : preview.error ? (
        <Failure title={text.previewFailed} error={preview.error} retry={preview.refetch} />
      ) : preview.currentData ? (
        <Preview preview={preview.currentData} />
      ) : (
        <Skeleton height={120} />
      )}
    </DialogForm>
  );
}

function Preview({ preview: { devices, total, members, service_accounts: programs } }: { preview: AccessPreview }) {
  if (total === 0 && programs.length === 0) return <Text role="status">{text.previewNone}</Text>;
  const losing = members.filter((member) => member.devices < devices).length;
  return (
    <div>
      <Text role="status" fw={600} mb={8}>
        {text.previewSummary(losing, members.length)}
      </Text>
      <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, 'aria-label': text.members }}>
        <Table aria-label={text.members}>
          <Table.Tbody>
            {members.map((member) => (
              <Table.Tr key={member.id}>
                <Table.Td>{member.name || member.email}</Table.Td>
                <Table.Td ta="right">{text.keeps(member.devices, devices)}</Table.Td>
              </Table.Tr>
            ))}
            {programs.map((program) => (
              <Table.Tr key={program.id}>
                <Table.Td>{text.program(program.name)}</Table.Td>
                <Table.Td ta="right">{text.keeps(program.devices, devices)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {members.length < total ? (
        <Text size="sm" c="dimmed" mt={8}>
          {text.previewMore(members.length, total)}
        </Text>
      ) : null}
    </div>
  );
}

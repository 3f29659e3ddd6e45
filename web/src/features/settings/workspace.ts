import type { Workspace } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Field } from '../../ui/Fields.tsx';

const text = messages.settings;

/** The hub's report on itself, field by field; switches as Yes and No. */
export function workspaceFields(workspace: Workspace): Field[] {
  const features = Object.entries(workspace.features).map(([name, on]) => ({
    label: text.feature(name),
    value: on ? text.yes : text.no,
  }));
  return [
    { label: text.version, value: `${workspace.product} ${workspace.version}` },
    { label: text.hub, value: workspace.hub_url, mono: true },
    { label: text.deviceDomain, value: workspace.device_domain, mono: true },
    { label: text.operator, value: workspace.operator_account_name },
    ...features,
  ];
}

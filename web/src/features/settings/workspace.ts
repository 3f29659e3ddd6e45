import type { Workspace } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import type { Field } from '../../ui/Fields.tsx';

const labels: Record<string, string> = {
  version: messages.settings.version,
  hub: messages.settings.hub,
  device_domain: messages.settings.deviceDomain,
  operator_account: messages.settings.operator,
  features: messages.settings.features,
};

const named = (key: string) => labels[key] ?? (key.charAt(0).toUpperCase() + key.slice(1)).replaceAll('_', ' ');

/** What the hub tells of itself, field by field; switches as Yes and No. */
export function workspaceFields(workspace: Workspace): Field[] {
  return Object.entries(workspace).map(([key, value]) => ({
    label: named(key),
    value: shown(value),
    mono: key !== 'features',
  }));
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.join(', ') || '–';
  if (typeof value === 'object' && value !== null) {
    return (
      Object.entries(value)
        .map(([key, inner]) => `${named(key)}: ${shown(inner)}`)
        .join(', ') || '–'
    );
  }
  return value === null || value === undefined || value === '' ? '–' : String(value);
}

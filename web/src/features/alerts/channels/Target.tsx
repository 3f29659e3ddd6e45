import { TagsInput, TextInput } from '@mantine/core';
import { email as emailRule } from '@warren/rules/emails';
import { channels as text } from '../../../lib/messages/channels.ts';
import { problemOf } from '../../../lib/validate.ts';
import type { ChannelContent } from './channel-form.ts';

const MOST_ADDRESSES = 10;

interface TargetProps {
  content: ChannelContent;
  /** The stored URL, shortened. */
  stored: string | undefined;
  problem: string | undefined;
  onChange: (change: Partial<ChannelContent>) => void;
}

/** Where a channel leads: addresses, or a URL, which is not shown again. */
export function Target({ content, stored, problem, onChange }: TargetProps) {
  const { kind, addresses, url } = content;
  if (kind === 'mail') {
    const wrong = addresses.find((one) => problemOf(emailRule, one) !== undefined);
    return (
      <TagsInput
        required
        label={text.addresses}
        description={text.addressesHelp}
        maxTags={MOST_ADDRESSES}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        value={addresses}
        error={wrong === undefined ? problem : `${wrong}: ${problemOf(emailRule, wrong)}`}
        onChange={(next) => onChange({ addresses: [...new Set(next.map((one) => one.trim().toLowerCase()))] })}
      />
    );
  }
  return (
    <TextInput
      type="url"
      required={stored === undefined}
      label={text.url[kind]}
      description={stored === undefined ? text.urlHelp : text.urlKept(stored)}
      autoComplete="off"
      spellCheck={false}
      value={url}
      error={problem}
      onChange={(event) => onChange({ url: event.currentTarget.value })}
    />
  );
}

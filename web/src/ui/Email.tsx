import { messages } from '../lib/messages.ts';
import { Copied } from './Copied.tsx';

/** A person's e-mail address in a table, with a button that copies it. */
export function CopiedEmail({ address, of }: { address: string; of: string }) {
  return (
    <Copied inRow label={messages.common.emailOf(of)} value={address}>
      <Email address={address} />
    </Copied>
  );
}

/** An e-mail address that wraps before its `@` instead of inside a word. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

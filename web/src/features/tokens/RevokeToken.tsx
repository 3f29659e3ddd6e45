import type { Token } from '../../lib/api/types.ts';
import { tokensApi } from '../../lib/api/tokens.ts';
import { tokens as text } from '../../lib/messages/tokens.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';

interface RevokeTokenProps {
  token: Token;
  /** It is the person's own. */
  own: boolean;
  onClose: () => void;
}

/** Asks before a token is revoked: it can't be undone. */
export function RevokeToken({ token: { id, name }, own, onClose }: RevokeTokenProps) {
  const [revokeOwn] = tokensApi.useRevokeOwnTokenMutation();
  const [revoke] = tokensApi.useRevokeTokenMutation();
  return (
    <Confirmation
      lead={text.revokeLead(name)}
      losses={text.revokeLosses}
      confirm={text.revokeTitle}
      act={() => (own ? revokeOwn({ id }) : revoke({ id })).unwrap()}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

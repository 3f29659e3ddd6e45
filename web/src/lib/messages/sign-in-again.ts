/** The texts of the dialog that asks for a recent sign-in; a part of the one catalogue. */
export const signInAgain = {
  title: 'Sign in again',
  lead: 'This needs a recent sign-in. Your identity provider will ask who you are, and you come back to this page.',
  leadTyped:
    'This needs a recent sign-in. Sign in in the new tab, then come back to this one: what you have typed stays here.',
  confirm: 'Sign in again',
  confirmTyped: 'Open sign-in',
};

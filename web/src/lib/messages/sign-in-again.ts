/** The texts of the dialog that asks for a recent sign-in; a part of the one catalogue. */
export const signInAgain = {
  title: 'Sign in again',
  lead: 'This needs a recent sign-in. Your identity provider will ask who you are, and you come back to this page. What you have typed here is not kept.',
  confirm: 'Sign in again',
};

/** Id of the element that says how the keyboard leaves the terminal. */
export const LEAVE_HINT_ID = 'terminal-leave-hint';

/** What became of an attempt. Texts are for people, and carry no secret. */
export type Outcome =
  | { delivered: true; remark?: string }
  | {
      delivered: false;
      reason: string;
      /** The receiver says that it exists no more. */
      gone?: boolean;
      /** How long the receiver asks to be left alone. */
      retryAfterMs?: number;
    };

/**
 * A text on one line in which all can be seen: no control, invisible formatting or line separating characters, and no lone surrogates.
 * The two joiners are left where they spell something: behind a letter or mark that is not ASCII (Persian and Indic scripts), or an
 * emoji (Unicode Standard Annex #31, section 2.3, and Technical Standard #51, section 2.3).
 */
export const PRINTABLE =
  /^(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<![ -~])[\u200c\u200d])*$/u;

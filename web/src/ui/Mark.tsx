import type { SVGProps } from 'react';

/** Warren's mark: burrows from above, open to one side, and the way out. Has the colour of the text. */
export function Mark({ size = 24, ...rest }: { size?: number } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.4}
      strokeLinecap="round"
      aria-hidden
      {...rest}
    >
      <path d="M16.8 4.6A9.6 9.6 0 1 0 16.8 19.4" />
      <path d="M14 8.3A4.8 4.8 0 1 0 14 15.7" />
      <path d="M10.8 12H22" />
    </svg>
  );
}

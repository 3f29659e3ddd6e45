declare module 'subset-font' {
  interface Options {
    targetFormat?: 'sfnt' | 'woff' | 'woff2';
    variationAxes?: Record<string, number | { min: number; max: number; default?: number }>;
    keepFeatures?: readonly string[];
  }

  /** Makes a font of the characters in `text` alone. */
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>;
}

import { createTheme, defaultVariantColorsResolver, Loader } from '@mantine/core';
import type { CSSVariablesResolver, MantineColorsTuple, VariantColorsResolver } from '@mantine/core';
import { messages } from '../lib/messages.ts';
import { MarkLoader } from './MarkLoader.tsx';
import classes from './theme.module.css';

const teal: MantineColorsTuple = [
  '#eef8f6',
  '#d6efea',
  '#abdfd6',
  '#78cabd',
  '#47b5a6',
  '#279a8d',
  '#17877b',
  '#0f766e',
  '#0d625b',
  '#0b4e49',
];

const gray: MantineColorsTuple = [
  '#f6f8f7',
  '#eef2f0',
  '#e2e8e5',
  '#d2dad6',
  '#b4bfb9',
  '#8e9a94',
  '#66726c',
  '#48524d',
  '#303834',
  '#1a211e',
];

const dark: MantineColorsTuple = [
  '#dbe2de',
  '#bcc6c1',
  '#9eaaa4',
  '#707c76',
  '#3b4541',
  '#2b3430',
  '#1f2623',
  '#131816',
  '#0e1211',
  '#090c0b',
];

/** For destructive actions; dark enough for white text in both schemes. */
const red: MantineColorsTuple = [
  '#fdf0ee',
  '#fbdcd8',
  '#f5b5ad',
  '#f2867c',
  '#c93a2c',
  '#c23325',
  '#bb2b1e',
  '#b42318',
  '#98190f',
  '#7a120a',
];

/** Chooses the text colour on the accent for each scheme; Mantine's choice is for the light scheme only. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const onAccent = input.variant === 'filled' && (!input.color || input.color === 'teal');
  return onAccent ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
};

export const theme = createTheme({
  variantColorResolver: variantColors,
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  colors: { teal, gray, dark, red },
  black: '#1a211e',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Plain objects: a reference to a component would load it before a screen needs it.
  components: {
    Combobox: { defaultProps: { keepMounted: false } },
    Loader: Loader.extend({ defaultProps: { loaders: { ...Loader.defaultLoaders, mark: MarkLoader }, type: 'mark' } }),
    // Focuses the first item: the placeholder for the focus is no valid child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': messages.common.close },
        transitionProps: { duration: 120 },
        // Otherwise the head of a dialog is a second banner landmark.
        attributes: { header: { role: 'presentation' } },
      },
      classNames: { title: classes.modalTitle, content: classes.modalContent },
    },
    Skeleton: { defaultProps: { radius: 'xs' } },
    Table: { defaultProps: { verticalSpacing: 0, horizontalSpacing: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, transitionProps: { duration: 100 } } },
  },
});

/** Colours in addition to Mantine's: surfaces, and three for states. */
export const variables: CSSVariablesResolver = (t) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': t.colors.gray[7],
    '--mantine-color-placeholder': t.colors.gray[6],
    '--mantine-color-anchor': t.colors.teal[7],
    '--mantine-color-error': '#b42318',
    '--surface': '#ffffff',
    '--surface-sunken': t.colors.gray[0],
    '--surface-hover': t.colors.gray[1],
    '--line': t.colors.gray[2],
    '--line-strong': t.colors.gray[3],
    '--hint-surface': t.colors.gray[9],
    '--hint-text': t.colors.gray[0],
    '--accent': t.colors.teal[7],
    '--accent-quiet': t.colors.teal[0],
    '--state-good': '#1a7a3c',
    '--state-warn': '#9a5b00',
    '--state-bad': '#b42318',
    '--state-warn-quiet': '#fdf5e6',
    '--state-bad-quiet': '#fdf0ee',
  },
  dark: {
    '--mantine-color-dimmed': t.colors.dark[2],
    '--mantine-color-placeholder': t.colors.dark[2],
    '--mantine-color-anchor': t.colors.teal[3],
    '--mantine-color-error': '#f2867c',
    '--mantine-color-default-border': t.colors.dark[4],
    '--surface': t.colors.dark[7],
    '--surface-sunken': t.colors.dark[8],
    '--surface-hover': t.colors.dark[6],
    '--line': '#252d2a',
    '--line-strong': t.colors.dark[4],
    '--hint-surface': t.colors.gray[2],
    '--hint-text': t.colors.gray[9],
    '--accent': t.colors.teal[4],
    '--accent-quiet': '#12302c',
    '--state-good': '#6fce8f',
    '--state-warn': '#e6b455',
    '--state-bad': '#f2867c',
    '--state-warn-quiet': '#2a2213',
    '--state-bad-quiet': '#2f1917',
  },
});

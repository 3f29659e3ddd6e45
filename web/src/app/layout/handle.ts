/** A route's settings for the layout around it. */
export interface RouteHandle {
  name: string;
  /** The screen takes the whole window below the bar, without a page's margins. */
  full?: boolean;
  /** The page may stand alone, without sidebar and bar: `?screen` in the address. */
  screen?: boolean;
}

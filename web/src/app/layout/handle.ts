/** A route's settings for the layout around it. */
export interface RouteHandle {
  name: string;
  /** The screen takes the whole window below the bar, without a page's margins. */
  full?: boolean;
}

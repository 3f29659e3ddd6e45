import { expect, type Locator, type Page } from '@playwright/test';

/** The desktop of a device. */
export class DesktopPage {
  readonly status: Locator;
  readonly canvas: Locator;
  readonly notice: Locator;

  readonly page: Page;

  /** @param screen the live desktop, or one that a recording shows */
  constructor(page: Page, screen = page.getByRole('group', { name: /^Desktop of/ })) {
    this.page = page;
    this.status = page.locator('[role=status][data-state]');
    this.canvas = screen.locator('canvas');
    this.notice = page.getByRole('alert');
  }

  async open(device: string): Promise<void> {
    await this.page.goto(`/device/rdp/${device}`);
  }

  async openShown(device: string): Promise<void> {
    await this.open(device);
    await this.expectShown();
  }

  async expectShown(): Promise<void> {
    await expect(this.status).toHaveAttribute('data-state', 'connected');
    await expect(this.canvas).toBeVisible();
  }

  /** The colour of one pixel of the desktop, as `r,g,b`. */
  pixel(x: number, y: number): Promise<string> {
    return this.canvas.evaluate(
      (canvas, at) => {
        const context = (canvas as HTMLCanvasElement).getContext('2d');
        return [...(context?.getImageData(at.x, at.y, 1, 1).data ?? [])].slice(0, 3).join();
      },
      { x, y },
    );
  }

  /** Sees a colour at one pixel, near enough: JPEG does not keep colours to the bit. */
  async expectPixel(colour: readonly number[], x: number, y: number): Promise<void> {
    await expect
      .poll(async () => {
        const seen = (await this.pixel(x, y)).split(',').map(Number);
        return Math.max(...colour.map((value, index) => Math.abs(value - (seen[index] ?? 255))));
      })
      .toBeLessThan(16);
  }

  /** Width and height of the desktop as it came, before it was made to fit. */
  size(): Promise<string> {
    return this.canvas.evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      return `${width}x${height}`;
    });
  }

  tool(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}

import { jest } from '@jest/globals';

interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

class FakeImageData implements Pixels {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height = data.length / 4 / width,
  ) {}
}

/** The part of a 2D context that noVNC draws with. */
class FakeContext {
  fillStyle = '';
  imageSmoothingEnabled = true;
  private drawn: Pixels = { width: 0, height: 0, data: new Uint8ClampedArray() };

  constructor(private readonly canvas: HTMLCanvasElement) {}

  /** Empty after each change of the size, as a canvas is. */
  get pixels(): Pixels {
    const { width, height } = this.canvas;
    if (width !== this.drawn.width || height !== this.drawn.height)
      this.drawn = { width, height, data: new Uint8ClampedArray(width * height * 4) };
    return this.drawn;
  }

  putImageData(image: Pixels, x: number, y: number): void {
    this.copy(image, [0, 0, image.width, image.height], x, y);
  }

  getImageData(x: number, y: number, width: number, height: number): Pixels {
    const part = new FakeImageData(new Uint8ClampedArray(width * height * 4), width, height);
    copy(this.pixels, [x, y, width, height], part, 0, 0);
    return part;
  }

  drawImage(from: HTMLCanvasElement, ...place: number[]): void {
    const [x = 0, y = 0, width = 0, height = 0, toX = 0, toY = 0] = place;
    this.copy(contextOf(from).pixels, [x, y, width, height], toX, toY);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const [red = 0, green = 0, blue = 0] = (this.fillStyle.match(/\d+/g) ?? []).map(Number);
    const one = new FakeImageData(Uint8ClampedArray.of(red, green, blue, 255), 1, 1);
    for (let down = 0; down < height; down++)
      for (let across = 0; across < width; across++) this.copy(one, [0, 0, 1, 1], x + across, y + down);
  }

  private copy(from: Pixels, place: readonly [number, number, number, number], x: number, y: number): void {
    copy(from, place, this.pixels, x, y);
  }
}

/** Copies what is inside of both. */
function copy(
  from: Pixels,
  [left, top, width, height]: readonly [number, number, number, number],
  to: Pixels,
  x: number,
  y: number,
): void {
  const columns = Math.min(width, from.width - left, to.width - x);
  const rows = Math.min(height, from.height - top, to.height - y);
  for (let row = 0; columns > 0 && row < rows; row++) {
    const begin = ((top + row) * from.width + left) * 4;
    to.data.set(from.data.slice(begin, begin + columns * 4), ((y + row) * to.width + x) * 4);
  }
}

const contexts = new WeakMap<HTMLCanvasElement, FakeContext>();

function contextOf(canvas: HTMLCanvasElement): FakeContext {
  const known = contexts.get(canvas) ?? new FakeContext(canvas);
  contexts.set(canvas, known);
  return known;
}

/** Gives jsdom a canvas to draw on with noVNC. */
export function fakeCanvas(): void {
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    return contextOf(this) as never;
  });
  Object.assign(window, { ImageData: FakeImageData, isSecureContext: true });
}

/** The pixels of a canvas in hexadecimal, 4 bytes each. */
export const pixelsOf = (canvas: HTMLCanvasElement): string =>
  Buffer.from(contextOf(canvas).pixels.data).toString('hex');

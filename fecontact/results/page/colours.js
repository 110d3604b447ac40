// Colours: of the page's scheme (light or dark), and ramps from values to colours.

const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const SIGNED = ["#0072b2", "#7fb8d8", "#f2f2f2", "#eaae7f", "#d55e00"];
const STATUS = [["open", "#bbbbbb"], ["stick", "#0072b2"], ["slip", "#e69f00"]];

/** A colour of style.css by its name, in the scheme that is shown now. */
function themed(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function rgbOf(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** 256 colours through the given ones: as CSS, as bytes (rgba) and as pixels of an ImageData. */
function ramp(stops) {
  const rgb = stops.map(rgbOf), bytes = new Uint8Array(4 * 256);
  const css = Array.from({ length: 256 }, (_, n) => {
    const at = (n / 255) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
    const mix = rgb[i].map((c, j) => Math.round(c + (at - i) * (rgb[i + 1][j] - c)));
    bytes.set([...mix, 255], 4 * n);
    return `rgb(${mix.join(",")})`;
  });
  return { css, bytes, pixels: new Uint32Array(bytes.buffer) };
}

/** The same colours in so many bands: contour bands where values are shown by them. */
function banded(colours, bands) {
  const place = (n) => Math.round(((Math.min(bands - 1, Math.floor((n / 256) * bands)) + 0.5) / bands) * 255);
  const css = Array.from({ length: 256 }, (_, n) => colours.css[place(n)]), bytes = new Uint8Array(4 * 256);
  for (let n = 0; n < 256; n++) bytes.set(colours.bytes.subarray(4 * place(n), 4 * place(n) + 4), 4 * n);
  return { css, bytes, pixels: new Uint32Array(bytes.buffer) };
}

const BANDS = 10;
const RAMPS = { sequential: ramp(VIRIDIS), signed: ramp(SIGNED) };

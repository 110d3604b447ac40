"use strict";
// Inverse of fecontact.results.report.packing: base64 of gzip, and named typed arrays in one block.

async function unpackBytes(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function unpackArrays(packed) {
  const kinds = { Float32Array, Float64Array, Int16Array, Uint8Array, Uint32Array };
  const block = await unpackBytes(packed.data);
  const arrays = {};
  for (const { name, type, offset, length } of packed.arrays) {
    arrays[name] = new kinds[type](block, offset, length);
  }
  return arrays;
}

/** Sums over time in place: of each array (frames, n) the differences between frames are packed. */
function accumulate(array, frames) {
  const stride = array.length / frames;
  for (let i = stride; i < array.length; i++) array[i] += array[i - stride];
  return array;
}

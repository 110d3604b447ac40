// Triangles coloured by nodal values, by the graphics card.

const BODY_VERTEX = `#version 300 es
in vec2 place; in float level; uniform vec2 size; out float at;
void main() { at = level; gl_Position = vec4(2.0 * place.x / size.x - 1.0, 1.0 - 2.0 * place.y / size.y, 0.0, 1.0); }`;
const BODY_FRAGMENT = `#version 300 es
precision mediump float; in float at; uniform sampler2D colours; uniform vec4 flat_colour; uniform bool plain; out vec4 colour;
void main() { colour = plain || at < -1e5 ? flat_colour : texture(colours, vec2(clamp(at, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)); }`;

class GlPainter {
  /** A painter, or null without a graphics card: painter_software.js is faster than an
   *  emulated card. */
  static make() {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", { antialias: true, failIfMajorPerformanceCaveat: true });
    return gl && !isImitated(gl) ? new GlPainter(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.name = "WebGL";
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, BODY_VERTEX], [gl.FRAGMENT_SHADER, BODY_FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    this.at = Object.fromEntries(["size", "flat_colour", "plain"].map((n) => [n, gl.getUniformLocation(program, n)]));
    this.places = this.attribute(program, "place", 2);
    this.levels = this.attribute(program, "level", 1);
    this.elements = new Map();  // index arrays that are on the card
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    for (const size of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, size, gl.NEAREST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  attribute(program, name, size) {
    const gl = this.gl, buffer = gl.createBuffer(), at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
    return buffer;
  }

  begin(width, height) {
    const gl = this.gl;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(this.at.size, width, height);
  }

  /** places: (x, y) of the nodes in pixels; levels: 0…1 into the ramp, below −1e5 grey. */
  triangles(corners, places, levels, colours, grey) {
    const gl = this.gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colours.bytes);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.places);
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.levels);
    gl.bufferData(gl.ARRAY_BUFFER, levels, gl.DYNAMIC_DRAW);
    gl.uniform1i(this.at.plain, 0);
    gl.uniform4f(this.at.flat_colour, ...rgbOf(grey).map((c) => c / 255), 1);
    this.use(corners);
    gl.drawElements(gl.TRIANGLES, corners.length, gl.UNSIGNED_INT, 0);
  }

  /** Lines between pairs of nodes, after `triangles` and at the same positions. */
  lines(ends) {
    const gl = this.gl;
    gl.uniform1i(this.at.plain, 1);
    gl.uniform4f(this.at.flat_colour, 0.1, 0.1, 0.1, 0.35);
    this.use(ends);
    gl.drawElements(gl.LINES, ends.length, gl.UNSIGNED_INT, 0);
  }

  use(indices) {
    const gl = this.gl;
    if (!this.elements.has(indices)) {
      this.elements.set(indices, gl.createBuffer());
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.elements.get(indices));
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.elements.get(indices));
  }

  end() {}
}

/** True if WebGL is emulated by the processor. */
function isImitated(gl) {
  const known = gl.getExtension("WEBGL_debug_renderer_info");
  return /SwiftShader|llvmpipe|softpipe|Software|Basic Render/i.test(known ? gl.getParameter(known.UNMASKED_RENDERER_WEBGL) : "");
}

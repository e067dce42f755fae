const CELL = { width: 8.4, height: 20 };
const PADDING = 18;
const FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
const SECONDS_PER_LINE = 0.06;

/** Colours of the terminal by their number, on a light and on a dark background. */
const COLORS = {
  0: ["#57606a", "#8b949e"],
  1: ["#b3261e", "#ff7b72"],
  2: ["#1a7f37", "#56d364"],
  3: ["#8a6100", "#e3b341"],
  4: ["#0a58ca", "#79c0ff"],
  5: ["#8250df", "#d2a8ff"],
  6: ["#0b7285", "#56d4dd"],
  7: ["#57606a", "#c9d1d9"],
};

/** Lines of a terminal, with escape sequences, as a picture whose text can be selected. */
export function renderSvg(lines, { columns, title }) {
  const spans = lines.map(readSpans);
  const width = Math.round(columns * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<!-- Made by scripts/record.mjs from a real terminal. Do not edit. -->
<title>${escapeXml(title)}</title>
<style>${style(spans)}</style>
<rect class="screen" width="${width}" height="${height}" rx="8"/>
${spans.map(renderLine).join("\n")}
</svg>
`;
}

/** The text of such a picture, line by line. */
export function textOfSvg(svg) {
  return [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, inner]) =>
    unescapeXml(inner.replaceAll(/<[^>]*>/g, "")).trimEnd(),
  );
}

/** The text of lines of a terminal. */
export function textOfLines(lines) {
  return lines.map((line) =>
    readSpans(line)
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
}

function renderLine(spans, index) {
  const y = PADDING + index * CELL.height + 14;
  let column = 0;
  const parts = spans.map(({ text, classes }) => {
    const x = round(PADDING + column * CELL.width);
    const cells = widthOf(text);
    column += cells;
    const name = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
    const length = round(cells * CELL.width);
    return `<tspan x="${x}" textLength="${length}"${name}>${escapeXml(text)}</tspan>`;
  });
  return `<text y="${y}" style="--line:${index}">${parts.join("") || "<tspan> </tspan>"}</text>`;
}

/** Runs of text that look alike. Links and other sequences are left out. */
function readSpans(line) {
  const spans = [];
  let look = { bold: false, dim: false, italic: false, underline: false, color: undefined };
  const pieces = line.replaceAll(OTHER_SEQUENCES, "").split(STYLE_SEQUENCE);
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 1) look = applyStyle(look, piece);
    else if (piece !== "") spans.push({ text: piece, classes: classesOf(look) });
  }
  const last = spans.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  return spans.filter(({ text }) => text !== "");
}

// oxlint-disable-next-line no-control-regex
const STYLE_SEQUENCE = /\u001B\[([\d;]*)m/;
const OTHER_SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B\[[\d;?]*[A-LN-Za-ln-z]|[\u000E\u000F]/g;

function applyStyle(look, codes) {
  let next = { ...look };
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) {
      next = { bold: false, dim: false, italic: false, underline: false, color: undefined };
    } else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 39) next.color = undefined;
    else if (code >= 30 && code <= 37) next.color = code - 30;
    else if (code >= 90 && code <= 97) next.color = code - 90;
  }
  return next;
}

function classesOf({ bold, dim, italic, underline, color }) {
  const flags = { bold, dim, italic, underline };
  const names = Object.keys(flags).filter((name) => flags[name]);
  return color === undefined ? names : [...names, `color-${color}`];
}

function style(spans) {
  const used = new Set(spans.flat().flatMap(({ classes }) => classes));
  const colors = Object.entries(COLORS).filter(([number]) => used.has(`color-${number}`));
  const fills = (index) =>
    colors.map(([number, pair]) => `.color-${number}{fill:${pair[index]}}`).join("");
  return [
    `text{font:14px ${FONT};fill:#1f2328;white-space:pre}`,
    ".screen{fill:#fbfbfc;stroke:#d0d7de}",
    ".bold{font-weight:600}.dim{opacity:.72}.italic{font-style:italic}.underline{text-decoration:underline}",
    fills(0),
    `@media(prefers-color-scheme:dark){text{fill:#e6edf3}.screen{fill:#0d1117;stroke:#30363d}${fills(1)}}`,
    `@media(prefers-reduced-motion:no-preference){text{animation:line .2s calc(var(--line)*${SECONDS_PER_LINE}s) both}@keyframes line{from{opacity:0}}}`,
  ].join("\n");
}

/** Cells of a terminal: Chinese, Japanese and Korean characters and most pictures take two. */
function widthOf(text) {
  let cells = 0;
  for (const character of text) {
    const isWide =
      /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
    cells += isWide.test(character) ? 2 : /\p{Mn}/u.test(character) ? 0 : 1;
  }
  return cells;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escapeXml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function unescapeXml(text) {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

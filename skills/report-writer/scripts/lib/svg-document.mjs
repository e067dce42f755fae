import { escapeXml } from "./escape-xml.mjs";
import { fit, plainText, widthOf } from "./plain-text.mjs";

export const WIDTH = 720;
/** Each has a contrast of 3 to 1 or more with the light and with the dark paper. */
export const COLORS = [
  "#2f7fd6",
  "#c96f12",
  "#238c5f",
  "#c04a93",
  "#7d62cf",
  "#9a7a14",
  "#d14a56",
  "#1f8a9c",
  "#76808c",
];
const FONT = `13px system-ui,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif`;
const STYLE = `text{font:${FONT};fill:#1f2328}.h{font-size:16px;font-weight:600}.m{fill:#57606a;font-size:12px}.p{fill:#fff}.g{stroke:#d8dee4}.a{stroke:#57606a}.s{stroke:#fff}@media(prefers-color-scheme:dark){text{fill:#e6e9ed}.m{fill:#a3acb8}.p{fill:#15181d}.g{stroke:#333a44}.a{stroke:#a3acb8}.s{stroke:#15181d}}`;

/** A picture with its own paper, in the colours that the reader prefers; no script, no link. */
export function svgDocument({ height, title, description, body }) {
  const heading = escapeXml(title);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">${heading}</title>
<desc id="d">${escapeXml(description)}</desc>
<style>${STYLE}</style>
<rect class="p" width="${WIDTH}" height="${height}" rx="6"/>
${[text(20, 30, fit(plainText(title), 72), { class: "h" }), ...body].join("\n")}
</svg>
`;
}

export function text(x, y, content, { class: kind, anchor } = {}) {
  const look =
    (kind === undefined ? "" : ` class="${kind}"`) +
    (anchor === undefined ? "" : ` text-anchor="${anchor}"`);
  return `<text x="${place(x)}" y="${place(y)}"${look}>${escapeXml(content)}</text>`;
}

export function line(x1, y1, x2, y2, kind) {
  return `<path class="${kind}" d="M${place(x1)} ${place(y1)}L${place(x2)} ${place(y2)}"/>`;
}

export function emptyBody(height) {
  return [text(WIDTH / 2, height / 2 + 10, "no data", { class: "m", anchor: "middle" })];
}

/** With one digit after the point; what is off the paper by far stays near it. */
export function place(value) {
  return Number(Math.max(-9999, Math.min(9999, value)).toFixed(1));
}

/** About, in pixels of the small type. */
export function pixels(content) {
  return widthOf(content) * 7;
}

import { extensionOf } from "../context/file-kind.ts";

const COMPILED = new Set([
  "pyc",
  "pyo",
  "so",
  "dylib",
  "dll",
  "exe",
  "class",
  "node",
  "scr",
  "com",
  "o",
]);
const SOURCES =
  /^(?:md|mdx|markdown|txt|rst|html?|svg|py|pyw|sh|bash|zsh|js|mjs|cjs|ts|tsx|jsx|rb|pl|php|ps1|psm1|bat|cmd|lua|json|jsonc|ya?ml|toml|ini|cfg|conf|env|xml|plist|service)$/;
const READABLE = /[\t -~]{6,}/g;

/**
 * The text of bytes that are no plain UTF-8: a source with a few bad bytes, UTF-16 without a mark, or
 * the readable parts of compiled code. Undefined for what has nothing to read.
 */
export function decodeText(path: string, bytes: Uint8Array): string | undefined {
  const extension = extensionOf(path);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A shell runs what has a mark in its first line, whatever bytes come later.
  if (buffer.subarray(0, 2).toString("latin1") === "#!")
    return buffer.toString("utf8").replaceAll("\0", " ");
  if (COMPILED.has(extension)) return (buffer.toString("latin1").match(READABLE) ?? []).join("\n");
  if (!SOURCES.test(extension) && extension !== "") return undefined;
  const encoding = wideEncoding(buffer);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(buffer);
  if (extension === "" && buffer.includes(0)) return undefined;
  return buffer.toString("utf8").replaceAll("\0", " ");
}

/** ASCII in UTF-16 has a zero in every other byte. */
function wideEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, 512);
  if (sample.length < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const enough = (sample.length / 2) * 0.6;
  if (odd > enough || (bytes[0] === 0xff && bytes[1] === 0xfe)) return "utf-16le";
  return even > enough || (bytes[0] === 0xfe && bytes[1] === 0xff) ? "utf-16be" : undefined;
}

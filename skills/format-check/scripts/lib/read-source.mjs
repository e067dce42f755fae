import { readFile, stat } from "node:fs/promises";

const MAX_BYTES = 64 * 1024 * 1024;

/** The text of a file, or undefined after a finding that says why there is none. */
export async function readSource(file, findings) {
  const { size } = await stat(file);
  if (size > MAX_BYTES) {
    throw new Error(
      `${file} is larger than ${MAX_BYTES / 1024 / 1024} MB, the most for this format`,
    );
  }
  const bytes = await readFile(file);
  if (!isText(bytes, findings)) return undefined;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (hasMark) findings.warning(1, 1, "the file begins with a byte order mark (BOM)");
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

function isText(bytes, findings) {
  const isWide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide) {
    findings.error(1, 1, "the file is UTF-16; save it as UTF-8");
    return false;
  }
  const zero = bytes.indexOf(0);
  if (zero !== -1) {
    findings.error(...placeOf(bytes, zero), "a NUL byte: this is a binary file, not a text");
    return false;
  }
  const wrong = firstWrongByte(bytes);
  if (wrong === undefined) return true;
  findings.error(...placeOf(bytes, wrong), "this byte is not UTF-8; save the file as UTF-8");
  return false;
}

function firstWrongByte(bytes) {
  const isRight = (part) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(part, { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return undefined;
  } catch {
    let [low, high] = [0, bytes.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if (isRight(bytes.subarray(0, half + 1))) low = half + 1;
      else high = half;
    }
    return Math.min(low, bytes.length - 1);
  }
}

function placeOf(bytes, at) {
  let [line, start] = [1, 0];
  for (let i = bytes.indexOf(10); i !== -1 && i < at; i = bytes.indexOf(10, i + 1)) {
    line++;
    start = i + 1;
  }
  return [line, bytes.subarray(start, at).toString("utf8").length + 1];
}

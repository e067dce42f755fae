import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const MAX_LINE = 16 * 1024 * 1024;

/** The first line in which two files of any size differ; undefined when there is none. */
export async function firstDifferentLine(pathA, pathB, keyOf) {
  const [a, b] = [linesOf(pathA), linesOf(pathB)];
  try {
    for (let number = 1; ; number++) {
      const [left, right] = [await a.next(), await b.next()];
      if (left.done && right.done) return undefined;
      if (left.done || right.done) return { number, left: left.value, right: right.value };
      if (keyOf(left.value) === keyOf(right.value)) continue;
      return { number, left: left.value, right: right.value };
    }
  } finally {
    await a.return();
    await b.return();
  }
}

async function* linesOf(path) {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isFirst = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const text = rest + decoder.write(chunk);
    const parts = (isFirst ? text.replace(/^\ufeff/, "") : text).split("\n");
    isFirst = false;
    rest = parts.pop();
    for (const part of parts) yield part.endsWith("\r") ? part.slice(0, -1) : part;
    if (rest.length > MAX_LINE) throw new Error(`${path} has a line of more than 16 MB`);
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}

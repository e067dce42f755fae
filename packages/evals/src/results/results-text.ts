import type { EvalResults } from "./eval-results.ts";

const CHUNK_LENGTH = 64 * 1024;

/**
 * The text of a results file, as `JSON.stringify(results, null, 1)` would give it with the trials last, in pieces: the whole of it may be
 * many times what is in memory.
 */
export function* resultsText({ trials, ...head }: EvalResults): Generator<string> {
  const around = JSON.stringify({ ...head, trials: [] }, null, 1);
  const end = around.lastIndexOf("]");
  let text = around.slice(0, end);
  let isFirst = true;
  for (const trial of trials) {
    text += `${isFirst ? "" : ","}\n  ${JSON.stringify(trial, null, 1).replaceAll("\n", "\n  ")}`;
    isFirst = false;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = "";
  }
  yield `${text}${isFirst ? "" : "\n "}${around.slice(end)}\n`;
}

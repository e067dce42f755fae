import type { ModelView } from "../model.ts";
import { attachedFiles } from "./attached-files.ts";
import { readRequest } from "./read-request.ts";

type Said = Pick<ModelView, "request" | "attachments" | "history">;

const MAX_REQUEST = 2000;
const MAX_PATHS = 20;
const MAX_EXCHANGES = 20;
/** Words that stand for something that was said before. */
const REFERS =
  /\b(?:it|its|them|they|this|that|these|those|same|again|instead|also|too|now)\b|^\s{0,5}(?:and|or|but|then|what about|how about|und|oder|dann|jetzt|auch)\b|\b(?:davon|daraus|darin|dasselbe|nochmal|noch einmal|stattdessen|diese[rsnm]?)\b|它|这个|那个|这些|那些|同样|再|也|上面|刚才|其中/iu;

/** The request and the files that were given with it, as one text to choose by. */
export function topicOf({ request, ...given }: Said): string {
  const paths = attachedFiles(given).slice(0, MAX_PATHS);
  const start = request.slice(0, MAX_REQUEST);
  return paths.length === 0 ? request : `${start}\n${paths.join(" ")}`;
}

/** Files that the last exchange named which named any. */
export function filesBefore({ history = [] }: Said): readonly string[] {
  for (const { request } of history.slice(-MAX_EXCHANGES).toReversed()) {
    const { files } = readRequest(request);
    if (files.length > 0) return files;
  }
  return [];
}

/** Whether a request goes on from what was said before. */
export function refersBack({ request, history = [] }: Said): boolean {
  return history.length > 0 && REFERS.test(request.slice(0, MAX_REQUEST));
}

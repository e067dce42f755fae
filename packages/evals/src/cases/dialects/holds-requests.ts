import { isFields, textOf } from "../fields.ts";

/** Names under which a request stands. */
export const QUERIES = [
  "query",
  "prompt",
  "input",
  "q",
  "question",
  "text",
  "utterance",
  "user_prompt",
  "request",
];
/** Words to look for, and remarks, stand in lists as well. */
const NO_REQUESTS =
  /^[_$]|^(?:tags|authors?|sources?|references|changelog)$|note|comment|meta|keyword|pattern|concept|term|signal|word/i;

/** Whether a list that nobody knows by its name looks like requests: then somebody has to be told. */
export function holdsRequests(name: string, value: unknown): boolean {
  if (NO_REQUESTS.test(name) || !Array.isArray(value)) return false;
  return value.some(
    (item) =>
      (typeof item === "string" && item.trim().includes(" ")) ||
      (isFields(item) && textOf(item, ...QUERIES) !== undefined),
  );
}

import { editJson } from "@skillwright/core";

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The text with these members in the object at the path, and all others of that object as they were:
 * somebody may have given the server an environment. Undefined where that cannot be done.
 */
export function editedJson(
  text: string,
  path: readonly string[],
  members: Readonly<Record<string, unknown>>,
): string | undefined {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const before = text.slice(mark.length);
  let edited: string | undefined = before;
  for (const [key, value] of Object.entries(members)) {
    if (edited !== undefined) edited = editJson(edited, [...path, key], value);
  }
  return edited === undefined ? undefined : mark + edited;
}

import { editJson, parseJsonc } from "@skillwright/core/internal";

type Entry = Readonly<Record<string, unknown>>;

const BYTE_ORDER_MARK = "\uFEFF";

/** How another kind of server is reached. Everything else, such as an environment, may be meant for ours. */
const TRANSPORT_KEYS = ["url", "serverUrl", "httpUrl", "headers", "type", "transport"];

/**
 * The text with these members in the object at the path, and without members that lead to another
 * server. Everything else stays, comments too. Undefined where that cannot be done.
 */
export async function editedJson(
  text: string,
  path: readonly string[],
  members: Entry,
): Promise<string | undefined> {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  let edited: string | undefined = text.slice(mark.length);
  const parsed = await parseJsonc(edited);
  if (!parsed.ok) return undefined;
  const entry = path.reduce(ownValue, parsed.value);
  const others = TRANSPORT_KEYS.filter(
    (key) => !Object.hasOwn(members, key) && ownValue(entry, key) !== undefined,
  );
  const changes = [...others.map((key) => [key, undefined] as const), ...Object.entries(members)];
  for (const [key, value] of changes) {
    if (edited !== undefined) edited = await editJson(edited, [...path, key], value);
  }
  return edited === undefined ? undefined : mark + edited;
}

function ownValue(content: unknown, key: string): unknown {
  const isHeld = typeof content === "object" && content !== null && Object.hasOwn(content, key);
  return isHeld ? (content as Entry)[key] : undefined;
}

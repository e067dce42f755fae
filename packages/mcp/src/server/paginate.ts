import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { PAGE_SIZE } from "./server-parts.ts";

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

const MAX_CURSOR = 8192;
const PREFIX = "after:";

/**
 * One page of items that are in order of their keys. A cursor says behind which key to go on, so that it
 * stays good while items come and go.
 */
export function paginate<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { cursor, pageSize = PAGE_SIZE }: { readonly cursor?: string; readonly pageSize?: number },
): Page<Item> {
  const start = cursor === undefined ? 0 : firstBehind(items, keyOf, decodeCursor(cursor));
  const page = items.slice(start, start + pageSize);
  const last = page.at(-1);
  if (last === undefined || start + page.length >= items.length) return { items: page };
  return { items: page, nextCursor: encodeCursor(keyOf(last)) };
}

function firstBehind<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  key: string,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(items[middle] as Item) > key) high = middle;
    else low = middle + 1;
  }
  return low;
}

function encodeCursor(key: string): string {
  return Buffer.from(PREFIX + key).toString("base64url");
}

function decodeCursor(cursor: string): string {
  const text = cursor.length > MAX_CURSOR ? "" : Buffer.from(cursor, "base64url").toString();
  if (text.startsWith(PREFIX)) return text.slice(PREFIX.length);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor is not one of this server");
}

import type { HostLimits } from "./host-limits.ts";
import { HostError } from "./mcp-failure.ts";

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

const MAX_CURSOR = 4096;

/** The items of a list, page by page, until it ends or there is more than is taken. */
export async function collectPages(
  { pages, listBytes }: Pick<HostLimits, "pages" | "listBytes">,
  maxItems: number,
  ask: (cursor: string | undefined) => Promise<Page>,
): Promise<{ readonly items: readonly unknown[]; readonly isCut: boolean }> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let bytes = 0;
  for (let count = 0; count < pages; count++) {
    const page = await ask(cursor);
    for (const item of page.items) {
      bytes += JSON.stringify(item)?.length ?? 0;
      if (items.length >= maxItems || bytes > listBytes) return { items, isCut: true };
      items.push(item);
    }
    cursor = page.nextCursor;
    if (cursor === undefined) return { items, isCut: false };
    if (cursor.length > MAX_CURSOR || seen.has(cursor)) {
      throw new HostError("server-excessive", "its list leads back to where it was");
    }
    seen.add(cursor);
  }
  return { items, isCut: true };
}

import type { JSONRPCMessage } from "@modelcontextprotocol/client";

const MAX_DEPTH = 64;

/** A message of the protocol in its outline; what is in it is looked at by who asked for it. */
export function parseMessage(line: string): JSONRPCMessage | undefined {
  if (depthOf(line) > MAX_DEPTH) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const { jsonrpc, method, id } = value as Record<string, unknown>;
    if (jsonrpc !== "2.0") return undefined;
    const isMessage =
      typeof method === "string" || typeof id === "string" || typeof id === "number";
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Deep nesting is cheap to send and dear to walk. Brackets in strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === 0x5c) i++;
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
    if (deepest > MAX_DEPTH) return deepest;
  }
  return deepest;
}

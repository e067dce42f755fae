import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isNestedDeeper } from "@skillwright/core/internal";

const MAX_DEPTH = 64;

/** A message of the protocol in its outline; what is in it is looked at by who asked for it. */
export function parseMessage(line: string): JSONRPCMessage | undefined {
  if (isNestedDeeper(line, MAX_DEPTH)) return undefined;
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

import {
  isJSONRPCNotification,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";

/** Which request a message takes back, if it does that. Such a request gets no answer. */
export function canceledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message)) return undefined;
  if (message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

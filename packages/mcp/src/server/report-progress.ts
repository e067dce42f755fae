import type { ServerContext } from "@modelcontextprotocol/server";

const INTERVAL = 1000;
const MAX_TOKEN = 256;

/** Tells a client that asked for it, each second, how long something takes; returns how to stop. */
export function reportProgress({ mcpReq }: ServerContext, what: string): () => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  // It is sent back each second, so that a long one would be a way to be sent much.
  if (progressToken === undefined || String(progressToken).length > MAX_TOKEN) return () => {};
  let progress = 0;
  const send = () => {
    const message = `${what}, ${progress} s`;
    const params = { progressToken, progress: progress++, message };
    // A client that is gone needs no word.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  send();
  const timer = setInterval(send, INTERVAL);
  return () => clearInterval(timer);
}

import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { reportProgress } from "./index.ts";

it.each([
  [undefined, 0],
  [0, 1],
  ["a", 1],
  ["a".repeat(256), 1],
  // It would be sent back each second.
  ["a".repeat(257), 0],
])(
  "H-02 progress is told to who asks with a token of sensible length (%#)",
  (progressToken, count) => {
    const sent: unknown[] = [];
    const notify = (notification: unknown) => Promise.resolve(void sent.push(notification));
    const mcpReq = { _meta: { progressToken }, notify };
    const stop = reportProgress({ mcpReq } as unknown as ServerContext, "it runs");
    stop();
    expect(sent).toHaveLength(count);
  },
);

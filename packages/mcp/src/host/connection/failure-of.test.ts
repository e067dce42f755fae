import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { failureOf } from "./failure-of.ts";

const SERVER = { label: "docs", secrets: [] };
const NOTHING = { log: "" };

describe("failureOf", () => {
  it("H-02 a server that is late is said to be so, with the time it had", () => {
    const late = new SdkError(SdkErrorCode.RequestTimeout, "Request timed out");
    expect(failureOf(late, SERVER, NOTHING, 1500)).toEqual({
      ok: false,
      code: "server-timeout",
      message: "the MCP server docs: it did not answer within 1.5 s",
    });
    expect(failureOf(late, SERVER, NOTHING).message).toContain("it did not answer in time");
  });

  it("H-02 why a server ended says more than that it is late", () => {
    const late = new SdkError(SdkErrorCode.RequestTimeout, "Request timed out");
    const ended = failureOf(late, SERVER, { problem: "it ended with exit code 3", log: "" }, 1500);
    expect(ended.message).not.toContain("1.5 s");
  });
});

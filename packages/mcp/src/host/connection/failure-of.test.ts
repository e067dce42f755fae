import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { failureOf } from "../index.ts";

const SERVER = { label: "docs", secrets: [] };
const NOTHING = { log: "" };

describe("failureOf", () => {
  it("H-02 a server that is late is said to be so, with the time it had", () => {
    const late = new SdkError(SdkErrorCode.RequestTimeout, "Request timed out");
    expect(failureOf(late, SERVER, NOTHING, { milliseconds: 1500, isOver: false })).toEqual({
      ok: false,
      code: "server-timeout",
      message: "the MCP server docs: it did not answer within 1.5 s",
    });
    expect(failureOf(late, SERVER, NOTHING).message).toContain("it did not answer in time");
  });

  it("H-02 why a server ended says more than that it is late", () => {
    const late = new SdkError(SdkErrorCode.RequestTimeout, "Request timed out");
    const problem = { reason: "it ended with exit code 3" };
    const time = { milliseconds: 1500, isOver: true };
    const { message } = failureOf(late, SERVER, { problem, log: "" }, time);
    expect(message).toBe("the MCP server docs: it ended with exit code 3");
  });
});

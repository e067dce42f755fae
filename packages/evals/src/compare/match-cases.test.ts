import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { isSameRequest } from "./index.ts";

describe("isSameRequest", () => {
  it.each([
    ["Log in", "Log in", true],
    ["Log in", "Log out", false],
    ["Log in with [redacted] now", "Log in with hunter2 now", true],
    ["Log in with hunter2 now", "Log in with [redacted] now", true],
    ["Use [redacted] and [redacted]", "Use one and two", true],
    ["Use [redacted] and [redacted].", "Use one or two.", false],
    ["aa[redacted]aa", "aaa", false],
    ["Log in with [redacted]", "Log out with hunter2", false],
  ])("E-04 %j and %j: %s", (first, second, isSame) => {
    expect(isSameRequest(first, second)).toBe(isSame);
  });

  it("E-04 knows what the redactor of results writes", () => {
    const { redactText } = createRedactor({ env: { LOGIN_PASSWORD: "hunter2-of-somebody" } });
    const request = "Log in with hunter2-of-somebody now";
    expect(redactText(request)).not.toBe(request);
    expect(isSameRequest(redactText(request), request)).toBe(true);
  });
});

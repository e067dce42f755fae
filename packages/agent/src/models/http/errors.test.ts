import { describe, expect, it } from "vitest";
import { retryAfter, statusError } from "../index.ts";

const KEY = 'sk-"secret"/key+0123456789';
const endpoint = {
  url: "https://host.example/v1",
  secrets: [KEY],
  keyVariable: "SOME_KEY",
  clock: () => 0,
};

function errorOf(status: number, body: unknown = "", headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return statusError(status, (name) => headers[name] ?? "", text, endpoint);
}

describe("statusError", () => {
  it.each([
    [401, "unauthorized", false],
    [403, "unauthorized", false],
    [429, "rate-limited", true],
    [503, "overloaded", true],
    [529, "overloaded", true],
    [408, "timed-out", true],
    [504, "timed-out", true],
    [500, "provider-failed", true],
    [502, "provider-failed", true],
    [409, "provider-failed", true],
    [404, "refused-request", false],
    [400, "refused-request", false],
    [422, "refused-request", false],
    [402, "refused-request", false],
    [307, "refused-request", false],
    [418, "refused-request", false],
  ])("M-03 status %i is %s, to be tried again: %s", (status, code, retryable) => {
    expect(errorOf(status)).toMatchObject({ code, retryable, status });
  });

  it("M-03 names the variable of the key", () => {
    expect(errorOf(401).hint).toContain("SOME_KEY");
    expect(errorOf(403).hint).toContain("SOME_KEY");
  });

  it("M-03 a wait is reported only where a retry can help", () => {
    expect(errorOf(429, "", { "retry-after": "3" })).toMatchObject({ retryAfterMs: 3000 });
    expect(errorOf(400, "", { "retry-after": "3" })).not.toHaveProperty("retryAfterMs");
    const spent = errorOf(429, { error: { code: "insufficient_quota" } }, { "retry-after": "3" });
    expect(spent).toMatchObject({ retryable: false, hint: expect.stringContaining("balance") });
  });

  it.each([
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "the request exceeds the available context size, try increasing it",
    "Requested token count exceeds the model's maximum context length",
    "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000",
    "Please reduce the length: context_length_exceeded",
    "Trying to keep the first 5000 tokens when context the overflows.",
  ])("M-03 recognises as too long: %s", (message) => {
    expect(errorOf(400, { error: { message } })).toMatchObject({ code: "context-overflow" });
    expect(errorOf(429, { error: { message } })).toMatchObject({ code: "rate-limited" });
  });

  it.each([
    "max_tokens: must be at least 1",
    "tools.0.name: String should match pattern",
    "temperature is too large",
  ])("M-03 does not take for too long: %s", (message) => {
    expect(errorOf(400, { error: { message } })).toMatchObject({ code: "refused-request" });
  });

  it.each([
    { error: { message: "said so", type: "x" } },
    { type: "error", error: { type: "x", message: "said so" } },
    { error: "said so" },
    { message: "said so" },
    { detail: "said so" },
    { detail: [{ msg: "said so" }] },
    { error: { message: "failed", metadata: { raw: "said so" } } },
    "said so",
  ])("M-03 finds what was said in %j", (body) => {
    expect(errorOf(400, body).message).toContain("said so");
  });

  it("M-03 a page is not shown, control characters are visible, and long texts are cut", () => {
    expect(errorOf(502, "<!DOCTYPE html><p>Bad gateway").message).not.toContain("<");
    expect(errorOf(400, "a\u001B[31m\u202Eb\nc").message).toMatch(
      /: a\\u\{1b\}\[31m\\u\{202e\}b c$/,
    );
    expect(errorOf(400, "x".repeat(100_000)).message.length).toBeLessThan(600);
  });

  it("P-04 no form of the key is in a message, whatever the service repeats", () => {
    const forms = [
      KEY,
      JSON.stringify(KEY),
      encodeURIComponent(KEY),
      Buffer.from(KEY).toString("base64"),
    ];
    for (const status of [400, 401, 403, 404, 429, 500, 302]) {
      for (const form of forms) {
        const body = JSON.stringify({ error: { message: `your key ${form} is bad` } });
        const error = JSON.stringify(errorOf(status, body, { location: `https://${KEY}/` }));
        expect(error).not.toMatch(/secret|c2stInNlY3JldC/);
      }
    }
  });

  it("M-03 a redirection names only the host", () => {
    const { message } = errorOf(302, "", { location: "https://evil.example/?steal=1" });
    expect(message).toContain("evil.example");
    expect(message).not.toContain("steal");
  });
});

const now = Date.parse("2026-01-01T00:00:00Z");

it.each([
  [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": " 0.5 " }, 500],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7000],
  [{ "retry-after": "Wed, 31 Dec 2025 23:59:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-3" }, undefined],
  [{ "retry-after": "1e9" }, undefined],
  [{ "retry-after": "9".repeat(30) }, undefined],
  [{ "retry-after-ms": "x", "retry-after": "1" }, 1000],
  [{}, undefined],
])("M-03 %j means to wait %s ms", (headers, expected) => {
  expect(retryAfter((name) => (headers as Record<string, string>)[name] ?? "", now)).toBe(expected);
});

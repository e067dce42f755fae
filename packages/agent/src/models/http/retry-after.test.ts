import { expect, it } from "vitest";
import { retryAfter } from "./retry-after.ts";

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
  expect(retryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
});

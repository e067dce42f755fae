import { describe, expect, it } from "vitest";
import { checkBaseUrl, endpointUrl, requireBaseUrl } from "../index.ts";

describe("checkBaseUrl", () => {
  it.each([
    "https://host.example/v1",
    "http://127.0.0.1:11434/v1",
    "http://127.9.9.9/v1",
    "http://localhost:1234",
    "http://[::1]:8000/v1",
    "http://2130706433/v1",
  ])("M-03 takes %s", (url) => {
    expect(checkBaseUrl(url)).toMatchObject({ ok: true });
  });

  it.each([
    "http://host.example/v1",
    "http://10.0.0.1/v1",
    "http://0.0.0.0/v1",
    "http://127.0.0.1.evil.example/v1",
    "http://localhost.evil.example/v1",
    "http://evil.example/127.0.0.1",
  ])("M-03 does not send a key in the open to %s, unless it is allowed", (url) => {
    expect(checkBaseUrl(url)).toMatchObject({ ok: false, code: "invalid-base-url" });
    expect(checkBaseUrl(url, { allowPlainHttp: true })).toMatchObject({ ok: true });
  });

  it.each(["", "sk-secret", "ftp://host/v1", "file:///etc/passwd", "https://u:sk-secret@host/v1"])(
    "M-03 refuses %j and does not show it",
    (url) => {
      const result = checkBaseUrl(url, { allowPlainHttp: true });
      expect(result).toMatchObject({ ok: false, code: "invalid-base-url" });
      expect(JSON.stringify(result)).not.toContain("sk-secret");
      expect(() => requireBaseUrl(url, {})).toThrow(TypeError);
    },
  );

  it("M-03 the path goes below the base, and its query stays", () => {
    const base = new URL("https://host.example/api/v1//?version=2#x");
    expect(endpointUrl(base, "messages")).toBe("https://host.example/api/v1/messages?version=2");
  });
});

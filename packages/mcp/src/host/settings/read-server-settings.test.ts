import { describe, expect, it } from "vitest";
import type { McpServerOptions } from "../../index.ts";
import { readServerSettings } from "../index.ts";

const ENV = {
  HOME: "/home/me",
  PATH: "/usr/bin:.:node_modules/.bin::/bin",
  KEY: "secret-key",
  EMPTY: "",
};
const read = (options: McpServerOptions, label = "docs") => readServerSettings(label, options, ENV);

describe("readServerSettings", () => {
  it("X-05 a program has its arguments as they are, a built environment, and the user's folder", () => {
    const options = {
      command: "npx",
      args: ["-y", "a b; rm -rf /", "${KEY}"],
      env: { TOKEN: "Bearer ${KEY}", OTHER: "${UNSET:-plain}" },
    };
    expect(read(options)).toMatchObject({
      kind: "program",
      command: "npx",
      args: ["-y", "a b; rm -rf /", "secret-key"],
      env: {
        HOME: "/home/me",
        PATH: "/usr/bin:/bin",
        TOKEN: "Bearer secret-key",
        OTHER: "plain",
      },
      cwd: "/home/me",
      trust: false,
      secrets: expect.arrayContaining(["secret-key", "Bearer secret-key"]) as unknown,
    });
    const settings = read(options);
    expect("env" in settings && Object.keys(settings.env)).not.toContain("KEY");
  });

  it("R-12 nothing but the user's word is trust", () => {
    expect(read({ command: "a" })).toMatchObject({ trust: false, readOnlyTools: false });
    expect(read({ command: "a", trust: true })).toMatchObject({ trust: true });
  });

  it.each<[string, McpServerOptions, string?]>([
    ["neither", {}],
    ["both", { command: "a", url: "https://example.com" }],
    ["a variable that is not set", { command: "a", env: { T: "${NOPE}" } }],
    ["a variable that is empty", { command: "a", env: { T: "${EMPTY}" } }],
    ["a prototype's name", { command: "${constructor}" }],
    ["a relative command", { command: "./server" }],
    ["a relative folder", { command: "a", cwd: "sub" }],
    ["a zero", { command: "a", args: ["b\0c"] }],
    ["a header with a line break", { url: "https://example.com", headers: { A: "b\r\nC: d" } }],
    ["a header that is none", { url: "https://example.com", headers: { "a b": "c" } }],
    ["a label with two underscores", { command: "a" }, "a__b"],
    ["a label with a slash", { command: "a" }, "../a"],
    ["a label that is too long", { command: "a" }, "a".repeat(33)],
    ["no label", { command: "a" }, ""],
  ])("H-02 is refused: %s", (_, options, label) => {
    expect(read(options, label)).toMatchObject({ ok: false, code: "server-invalid" });
  });
});

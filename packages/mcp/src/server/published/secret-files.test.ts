import { describe, expect, it } from "vitest";
import { isSecretFile } from "../index.ts";

describe("isSecretFile", () => {
  it.each([
    ".env",
    "./.env",
    "scripts/.ENV.local",
    "scripts\\.env",
    ".e\u200Bnv",
    "certs/server.key",
    "a.pem",
    ".ssh/config",
    "x/.docker/./config.json",
    "id_rsa",
  ])("H-02 %j is not served", (path) => {
    expect(isSecretFile(path)).toBe(true);
  });

  it.each([
    "SKILL.md",
    ".env.example",
    "env",
    "docker/config.json",
    "src/key.ts",
    "references/env.md",
  ])("H-02 %j is served", (path) => {
    expect(isSecretFile(path)).toBe(false);
  });
});

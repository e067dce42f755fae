import { expect, it } from "vitest";
import { matchingFile, PROTECTED_FILES, SECRET_FILES } from "../../index.ts";

const isProtected = (path: string) => matchingFile(path.split("/"), PROTECTED_FILES) !== undefined;

it.each([
  ".git",
  ".git/hooks/pre-commit",
  "sub/module/.git/config",
  ".GIT/config",
  ".g\u200cit/config",
  "GIT~1/config",
  ".git./config",
  ".agent/config.json",
  ".agents/skills/a/SKILL.md",
  ".claude/settings.json",
  "home/.bashrc",
  ".bash_profile",
  ".env",
  ".env.local",
  ".ENV.production",
  ".envrc",
  ".npmrc",
  "packages/a/.npmrc",
  ".ssh/config",
  ".vscode/tasks.json",
  ".husky/pre-push",
  ".docker/config.json",
  "skills-lock.json",
  "Microsoft.PowerShell_profile.ps1",
])("X-10 protects %s", (path) => {
  expect(isProtected(path)).toBe(true);
});

it.each([
  "src/main.ts",
  ".gitignore",
  ".github/workflows/ci.yml",
  ".env.example",
  "environment.ts",
  "agent/config.json",
  ".docker/Dockerfile",
  "git/readme.md",
])("X-10 leaves %s to the policy", (path) => {
  expect(isProtected(path)).toBe(false);
});

it("X-10 takes patterns from the working directory on", () => {
  const patterns = ["/out/trash/"];
  expect(matchingFile(["out", "trash", "a"], patterns)).toBe("/out/trash/");
  expect(matchingFile(["sub", "out", "trash"], patterns)).toBeUndefined();
  expect(matchingFile(["out"], patterns)).toBeUndefined();
});

it("X-10 knows what is secret by its name", () => {
  expect(matchingFile(["certs", "server.key"], SECRET_FILES)).toBe("*.key");
  expect(matchingFile(["src", "key.ts"], SECRET_FILES)).toBeUndefined();
});

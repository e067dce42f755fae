import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { matchingFile, SECRET_FILES } from "../../internal/index.ts";
import { secretFilesIn, PROTECTED_FILES } from "../index.ts";

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

const isSecret = (path: string) => matchingFile(path.split("/"), SECRET_FILES) !== undefined;

it.each([
  ".env",
  ".ENV",
  ".env.production",
  ".envrc",
  "deploy/prod.env",
  "server.key",
  "certs/Server.KEY",
  "certs/fullchain.pem",
  ".pgpass",
  ".netrc",
  ".aws/credentials",
  "home/.ssh/config",
  "id_ed25519_sk",
  "keys/id_ecdsa_sk",
  "id_rsa",
  ".g\u200cit-credentials",
  "ｓｅｒｖｅｒ.ｋｅｙ",
  ".docker/config.json",
  ".config/gh/hosts.yml",
  ".cargo/credentials.toml",
  "release.jks",
  "AuthKey.p8",
  "secrets.yaml",
  "client_secret_42.json",
  ".bash_history",
  "terraform.tfstate",
])("P-01 knows that %s is a secret", (path) => {
  expect(isSecret(path)).toBe(true);
});

it.each([
  "src/key.ts",
  "src/environment.ts",
  ".env.example",
  ".env.local.sample",
  "example.env",
  "id_rsa.pub",
  "history.md",
  "secrets.ts",
  "docs/pem.md",
  ".docker/Dockerfile",
  ".config/prettier.json",
])("P-01 knows that %s is not a secret", (path) => {
  expect(isSecret(path)).toBe(false);
});

it("X-10 takes several stars in one pattern", () => {
  expect(matchingFile(["a", "my-secret-1.txt"], ["*secret*.txt"])).toBe("*secret*.txt");
  expect(matchingFile(["secret.md"], ["*secret*.txt"])).toBeUndefined();
  expect(matchingFile(["aba"], ["ab*ba"])).toBeUndefined();
});

it("X-06 finds secrets at any depth and behind links, by name and by real path", () => {
  const root = temporaryFolder({
    ".ENV": "",
    "server.key": "",
    "a/b/c/.pgpass": "",
    "a/.ssh/config": "",
    "real/values.txt": "",
    "vault/token": "",
    "a/notes.txt": "",
    "node_modules/x/test.pem": "",
    "node_modules/x/.env": "",
  });
  symlinkSync("real/values.txt", join(root, ".env.local"));
  symlinkSync("../vault", join(root, "a/.aws"));
  symlinkSync("../node_modules/x/.env", join(root, "a/settings"));
  symlinkSync(".", join(root, ".gnupg"));
  symlinkSync("/etc/passwd", join(root, "id_rsa"));
  symlinkSync("nowhere", join(root, ".netrc"));
  const { paths, isComplete } = secretFilesIn(root);
  expect(isComplete).toBe(true);
  expect(paths.map((path) => relative(root, path)).sort()).toEqual([
    ".ENV",
    "a/.ssh",
    "a/b/c/.pgpass",
    "node_modules/x/.env",
    "real/values.txt",
    "server.key",
    "vault",
  ]);
});

it("X-06 reports when there is more to search than it searches", () => {
  const deep = temporaryFolder({ [`${"a/".repeat(20)}.env`]: "" });
  expect(secretFilesIn(deep)).toEqual({ paths: [], isComplete: false });
  const wide = temporaryFolder();
  for (let i = 0; i < 250; i++) {
    mkdirSync(join(wide, String(i)));
    writeFileSync(join(wide, String(i), ".env"), "");
  }
  expect(secretFilesIn(wide)).toMatchObject({ isComplete: false });
  expect(secretFilesIn(wide).paths).toHaveLength(200);
});

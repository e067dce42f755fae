import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { trustedRootTest } from "./index.ts";

function world() {
  const folder = temporaryFolder({
    "repo/.git/HEAD": "",
    "repo/.agent/skills/x": "",
    "repo/vendor/.git": "gitdir: ../.git/modules/vendor",
    "repo/vendor/skills/x": "",
    "repository/skills/x": "",
  });
  symlinkSync(join(folder, "repo"), join(folder, "link"));
  return (path: string) => join(folder, path);
}

it("R-12 a trusted folder covers the roots in it, and is its real path", () => {
  const at = world();
  for (const name of ["repo", "link", "repo/.agent", "link/.agent/skills"]) {
    const isTrusted = trustedRootTest({ trustedFolders: [at(name)] });
    expect(isTrusted(at("repo/.agent/skills"))).toBe(true);
    expect(isTrusted(at("link/.agent/skills"))).toBe(true);
    expect(isTrusted(at("repository/skills"))).toBe(false);
  }
});

it("R-12 a trusted folder does not cover repositories inside of it", () => {
  const at = world();
  const isTrusted = trustedRootTest({ trustedFolders: [at("repo")] });
  expect(isTrusted(at("repo/vendor/skills"))).toBe(false);
  expect(trustedRootTest({ trustedFolders: [at("")] })(at("repo/.agent/skills"))).toBe(false);
  expect(trustedRootTest({ trustedFolders: [at("repo/vendor")] })(at("repo/vendor/skills"))).toBe(
    true,
  );
});

it("R-12 a trusted root is itself, also by a link, and nothing below it", () => {
  const at = world();
  const isTrusted = trustedRootTest({ trustedRoots: new Set([at("link/.agent")]) });
  expect(isTrusted(at("repo/.agent"))).toBe(true);
  expect(isTrusted(at("repo/.agent/skills"))).toBe(false);
  expect(trustedRootTest({})(at("repo"))).toBe(false);
});

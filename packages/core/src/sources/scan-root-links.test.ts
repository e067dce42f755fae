import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ageTree, skillText, indexedSkills } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { directorySource } from "../index.ts";
import type { FolderIndex } from "../internal/index.ts";
import { scanRoot } from "./index.ts";

/** A root with a skill, and links beside it: name → what it leads to, from the folder of both. */
function linked(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>) {
  const folder = temporaryFolder({ "root/own/SKILL.md": skillText("own"), ...files });
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(join(folder, target), join(folder, "root", name));
  }
  return { folder, root: join(folder, "root") };
}

async function findings(root: string, index?: FolderIndex) {
  const scan = await scanRoot(root, {
    source: "project",
    index,
    now: BigInt(Date.now()) * 1_000_000n,
  });
  const found = scan.diagnostics.map(({ code, file }) => `${code} ${file.slice(root.length + 1)}`);
  return { ...scan, index: scan.index, found: found.toSorted() };
}

it("R-05 names a link to a folder that holds skills, one level or more below", async () => {
  const { root } = linked(
    {
      "near/pdf/SKILL.md": skillText("pdf"),
      "far/a/b/c/SKILL.md": skillText("c"),
      "odd/x/skill.md": skillText("x"),
      "single/SKILL.md": skillText("single"),
      "none/a/b/readme.md": "",
      "only/node_modules/x/SKILL.md": skillText("x"),
      "a-file": "",
    },
    {
      near: "near",
      far: "far",
      odd: "odd",
      single: "single",
      none: "none",
      only: "only",
      file: "a-file",
    },
  );
  const { skills, diagnostics } = await directorySource(root, { label: "project" }).scan({});
  expect(skills.map(({ relativePath }) => relativePath)).toEqual(["own", "single"]);
  const found = diagnostics.map(({ code, file }) => [code, file]);
  expect(found).toEqual(
    ["far", "near", "odd"].map((name) => ["link-not-searched", join(root, name)]),
  );
  expect(diagnostics[1]).toMatchObject({
    severity: "warning",
    message: expect.stringContaining("`near/pdf`") as string,
    hint: expect.stringContaining("as a root") as string,
  });
});

it("R-05 a link that leads nowhere, in a circle, or to what is searched anyway is nothing", async () => {
  const { folder, root } = linked(
    { "root/org/deep/pdf/SKILL.md": skillText("pdf") },
    { gone: "nowhere", self: "root/self", up: "root", inner: "root/org", "up-up": "." },
  );
  symlinkSync(join(folder, "root"), join(root, "org/again"));
  expect((await findings(root)).found).toEqual([]);
});

it("R-05 a link into a part of the root that is not searched is named", async () => {
  const { root } = linked(
    { "root/node_modules/pack/pdf/SKILL.md": skillText("pdf") },
    { pack: "root/node_modules/pack" },
  );
  expect((await findings(root)).found).toEqual(["link-not-searched pack"]);
});

it("R-05 links behind the link are not followed", async () => {
  const { folder, root } = linked(
    { "behind/readme.md": "", "other/pdf/SKILL.md": skillText("pdf") },
    { behind: "behind" },
  );
  symlinkSync(join(folder, "other"), join(folder, "behind/other"));
  expect((await findings(root)).found).toEqual([]);
});

it("R-05 a look behind a link is bounded, and says so when it ends early", async () => {
  const { folder, root } = linked({}, { large: "large" });
  mkdirSync(join(folder, "large"));
  for (let i = 0; i < 300; i++) writeFileSync(join(folder, "large", `${i}.txt`), "");
  expect((await findings(root)).found).toEqual(["scan-limit large"]);
});

it("R-05 looks behind many links are bounded together", async () => {
  const { folder, root } = linked({}, {});
  mkdirSync(join(folder, "many"));
  for (let i = 0; i < 190; i++) writeFileSync(join(folder, "many", `${i}.txt`), "");
  for (let i = 0; i < 60; i++) symlinkSync(join(folder, "many"), join(root, `link-${i}`));
  const { found } = await findings(root);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^scan-limit link-/);
});

it("R-05 R-09 is as true of a scan with an index, and of what changed behind the link", async () => {
  const { folder, root } = linked({ "near/pdf/SKILL.md": skillText("pdf") }, { near: "near" });
  ageTree(root);
  const cold = await findings(root);
  const warm = await findings(root, cold.index);
  expect([warm.found, warm.read, warm.changed]).toEqual([["link-not-searched near"], 0, false]);
  rmSync(join(folder, "near/pdf"), { recursive: true });
  expect((await findings(root, warm.index)).found).toEqual([]);
  writeFileSync(join(folder, "near/SKILL.md"), skillText("near"));
  const now = await findings(root, warm.index);
  expect([now.found, indexedSkills(now.index).has("near")]).toEqual([[], true]);
});

import { readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { isVisibleToModel } from "../internal/index.ts";
import { openSwitchStore } from "./index.ts";

function world() {
  const folder = temporaryFolder({
    "one/skills/pdf/SKILL.md": skillText("pdf"),
    "one/skills/zip/SKILL.md": skillText("zip"),
    "two/skills/pdf/SKILL.md": skillText("pdf"),
  });
  return {
    folder,
    one: join(folder, "one"),
    two: join(folder, "two"),
    state: join(folder, "state"),
  };
}

async function visible(state: string, project: string) {
  const disabled = await (await openSwitchStore(state)).disabled(project);
  const skills = await openSkills({ roots: [join(project, "skills")], disabled });
  return skills.all.filter(isVisibleToModel).map(({ name }) => name);
}

it("R-12 switches a skill off everywhere, and on again", async () => {
  const { one, two, state } = world();
  const store = await openSwitchStore(state);
  expect(await store.setEnabled("pdf", false)).toBe(true);
  expect(await store.setEnabled("pdf", false)).toBe(false);
  expect([await visible(state, one), await visible(state, two)]).toEqual([["zip"], []]);
  expect(await store.setEnabled("pdf", true)).toBe(true);
  expect([await visible(state, one), await visible(state, two)]).toEqual([["pdf", "zip"], ["pdf"]]);
});

it("R-06 R-12 takes names for the same that differ in case or Unicode form only", async () => {
  const { one, state } = world();
  const store = await openSwitchStore(state);
  expect(await store.setEnabled("PDF", false)).toBe(true);
  expect(await store.setEnabled("pdf", false)).toBe(false);
  expect(await store.setEnabled("ｐｄｆ", false)).toBe(false);
  expect(await store.disabled(one)).toEqual(["PDF"]);
  expect(await visible(state, one)).toEqual(["zip"]);
  expect(await store.setEnabled("Pdf", true)).toBe(true);
  expect(await store.disabled(one)).toEqual([]);
});

it("R-12 switches a skill off in one project, by its real path", async () => {
  const { folder, one, two, state } = world();
  symlinkSync(one, join(folder, "link"));
  const store = await openSwitchStore(state);
  expect(await store.setEnabled("pdf", false, join(folder, "link"))).toBe(true);
  expect([await visible(state, one), await visible(state, two)]).toEqual([["zip"], ["pdf"]]);
  expect(await store.setEnabled("pdf", true, one)).toBe(true);
  expect(await visible(state, one)).toEqual(["pdf", "zip"]);
});

it("R-12 a project cannot switch on what is off everywhere", async () => {
  const { one, state } = world();
  const store = await openSwitchStore(state);
  await store.setEnabled("pdf", false);
  expect(await store.setEnabled("pdf", true, one)).toBe(false);
  expect(await visible(state, one)).toEqual(["zip"]);
});

it("R-12 a skill that is off is still listed, and the switch survives its update", async () => {
  const { one } = world();
  const skills = await openSkills({ roots: [join(one, "skills")], disabled: ["PDF"] });
  expect(skills.all.map(({ name, enabled }) => [name, enabled])).toEqual([
    ["pdf", false],
    ["zip", true],
  ]);
  writeTree(one, { "skills/pdf/SKILL.md": skillText("pdf", "New. Use when.") });
  await skills.refresh();
  expect(skills.get("pdf")).toMatchObject({ enabled: false, description: "New. Use when." });
});

it("R-12 an id switches off one of two skills of the same name", async () => {
  const root = temporaryFolder({
    "a/SKILL.md": skillText("same", "One. Use when."),
    "b/SKILL.md": skillText("same", "Two. Use when."),
  });
  const skills = await openSkills({ roots: [root], disabled: ["project:b"] });
  expect(skills.all.map(({ enabled }) => enabled)).toEqual([true, false]);
});

it("R-12 the file is private and a damaged one is an error", async () => {
  const { state } = world();
  await (await openSwitchStore(state)).setEnabled("pdf", false);
  expect(readdirSync(state)).toEqual(["disabled.json"]);
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(statSync(join(state, "disabled.json")).mode & 0o777).toBe(0o600);
  writeTree(state, { "disabled.json": "{" });
  await expect(openSwitchStore(state)).rejects.toThrow(Error);
});

it("R-12 says where each switch holds", async () => {
  const { one, two, state } = world();
  const store = await openSwitchStore(state);
  await store.setEnabled("pdf", false);
  await store.setEnabled("user:zip", false, one);
  expect(await store.switches(one)).toEqual([
    { skill: "pdf" },
    { skill: "user:zip", project: one },
  ]);
  expect(await store.switches(two)).toEqual([{ skill: "pdf" }]);
});

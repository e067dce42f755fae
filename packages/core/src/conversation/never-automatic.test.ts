import { chatOf } from "../../../../test/support/chat-of.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../index.ts";

it("X-07 a skill that names another brings nothing with it", async () => {
  const root = temporaryFolder({
    "pdf/SKILL.md": skillText("pdf", "Merges. Use when.", "metadata:\n  requires: csv skill:csv\n"),
    "csv/SKILL.md": skillText("csv", "Reads. Use when."),
  });
  const skills = await openSkills({ roots: [root] });
  const activation = await chatOf(skills).activate("pdf");
  expect(activation).toMatchObject({ ok: true, name: "pdf" });
  expect(activation.ok && activation.text).not.toContain("Goal of csv");
  expect(
    chatOf(skills)
      .save()
      .ledger.map(({ name }) => name),
  ).toEqual(["pdf"]);
});

it("X-07 nobody hears of a change unless watching was asked for", async () => {
  const root = temporaryFolder({ "pdf/SKILL.md": skillText("pdf", "Merges. Use when.") });
  const heard: string[] = [];
  const quiet = await openSkills({ roots: [root] });
  const watching = await openSkills({ roots: [root], watch: true });
  quiet.onChange(() => heard.push("quiet"));
  const settled = new Promise<void>((resolve) => {
    watching.onChange(() => resolve(void heard.push("watching")));
  });
  writeTree(root, { "csv/SKILL.md": skillText("csv", "Reads. Use when.") });
  await settled;
  await setTimeout(50);
  await watching.close();
  expect([heard, quiet.all.length]).toEqual([["watching"], 1]);
});

it("X-07 settings count from the next start on", async () => {
  const root = temporaryFolder({ "pdf/SKILL.md": skillText("pdf", "Merges. Use when.") });
  writeFileSync(join(root, "pdf/long.md"), "line\n".repeat(1000));
  const open = (maxOutputSizeBytes: number) =>
    openSkills({ roots: [root], configuration: { skillTools: { maxOutputSizeBytes } } });
  const skills = await open(100);
  expect(await chatOf(skills).readFile("pdf", "long.md")).toMatchObject({ ok: false });
  expect(await chatOf(await open(100_000)).readFile("pdf", "long.md")).toMatchObject({ ok: true });
  expect(await chatOf(skills).readFile("pdf", "long.md")).toMatchObject({ ok: false });
});

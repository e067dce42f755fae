import { chatOf } from "../../../../test/support/chat-of.ts";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ageTree, skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { Conversation, OpenSkillsOptions } from "../index.ts";
import { openSkills } from "../index.ts";

const NEEDS = 'metadata:\n  requires: "python>=3.10"\n';

async function open(options: OpenSkillsOptions = {}) {
  const root = temporaryFolder({
    "pdf/SKILL.md": `${skillText("pdf")}Join pages.\n`,
    "needy/SKILL.md": `${skillText("needy", undefined, NEEDS)}Join pages.\n`,
  });
  // Old files have a digest that is remembered.
  ageTree(join(root, "pdf"));
  return openSkills({ roots: [root], ...options });
}

async function deliveries(view: Pick<Conversation, "activate">, name: string, count = 5) {
  const results = await Promise.all(Array.from({ length: count }, () => view.activate(name)));
  return {
    delivered: results.filter((result) => result.ok && result.text.includes("Join pages")).length,
    active: results.filter((result) => result.ok && result.alreadyActive).length,
  };
}

describe("activations at the same time", () => {
  it("D-07 deliver once when the digest is known already", async () => {
    const skills = await open();
    for (let i = 0; i < 3; i++) {
      expect(await deliveries(skills.conversation(), "pdf")).toEqual({ delivered: 1, active: 4 });
    }
  });

  it("D-07 deliver once when there are requirements to check", async () => {
    const skills = await open();
    expect(await deliveries(skills.conversation(), "needy")).toEqual({ delivered: 1, active: 4 });
  });

  it("D-07 two that a host calls by other names are one", async () => {
    const skills = await open();
    const view = skills.conversation();
    const results = await Promise.all(
      ["pdf", "PDF", " pdf ", "pdf@project"].map((name) => view.activate(name)),
    );
    expect(results.filter((result) => result.ok && !result.alreadyActive)).toHaveLength(1);
  });
});

describe("requirements", () => {
  it("D-04 are looked up in the PATH that the host gives, and nothing is started", async () => {
    const programs = temporaryFolder({ python3: "#!/bin/sh\ntouch $(dirname $0)/started\n" });
    chmodSync(join(programs, "python3"), 0o755);
    const skills = await open({ env: { PATH: programs } });
    const activation = await chatOf(skills).activate("needy");
    expect(activation).toMatchObject({
      requirements: [{ requirement: "python>=3.10", met: "unknown" }],
      text: expect.stringContaining("Not checked: python>=3.10 (is installed"),
    });
    const other = skills.conversation({ requirements: { env: { PATH: "" } } });
    expect(await other.activate("needy")).toMatchObject({
      requirements: [{ met: "no", detail: "install python>=3.10" }],
      text: expect.stringContaining("Missing: python>=3.10 (install python>=3.10)"),
    });
    expect(readdirSync(programs)).toEqual(["python3"]);
  });
});

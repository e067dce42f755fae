import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ageTree, skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "./open-skills.ts";
import type { OpenSkillsOptions } from "./open-skills-options.ts";

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

type View = Awaited<ReturnType<typeof open>>;

async function deliveries(view: Pick<View, "activate">, name: string, count = 5) {
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
      expect(await deliveries(skills.view(), "pdf")).toEqual({ delivered: 1, active: 4 });
    }
  });

  it("D-07 deliver once while a requirement is being checked", async () => {
    let asked = 0;
    const skills = await open({
      async versionOf() {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return "3.12.1";
      },
    });
    expect(await deliveries(skills.view(), "needy")).toEqual({ delivered: 1, active: 4 });
    expect(asked).toBe(1);
  });

  it("D-07 two that a host calls by other names are one", async () => {
    const skills = await open();
    const view = skills.view();
    const results = await Promise.all(
      ["pdf", "PDF", " pdf ", "pdf@project"].map((name) => view.activate(name)),
    );
    expect(results.filter((result) => result.ok && !result.alreadyActive)).toHaveLength(1);
  });
});

describe("requirements", () => {
  it("D-04 are checked with what the host tells of versions and variables", async () => {
    const versionOf = async (program: string) => (program === "python" ? "3.9.2" : undefined);
    const skills = await open({ versionOf, env: { PATH: "" } });
    const activation = await skills.activate("needy");
    expect(activation.ok && activation.requirements).toEqual([
      { requirement: "python>=3.10", met: "no", detail: "is 3.9.2" },
    ]);
    expect(activation.ok && activation.text).toContain("Missing: python>=3.10 (is 3.9.2)");
    const failing = skills.view({ requirements: { versionOf: () => Promise.reject(new Error()) } });
    expect(await failing.activate("needy")).toMatchObject({ ok: true });
    const other = skills.view({ requirements: { versionOf: async () => "3.11" } });
    expect(await other.activate("needy")).toMatchObject({ requirements: [{ met: "yes" }] });
  });
});

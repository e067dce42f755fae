import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../index.ts";

/** Skills for one animal each, with requests that name it in words of their own. */
function catalog(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const word = (part: number) => `w${String.fromCharCode(97 + (i % 26))}${i}x${part}`;
    const name = `skill-${i}`;
    files[`${name}/SKILL.md`] = skillText(name, `Handles ${word(0)}. Use for ${word(0)}.`);
    const queries = [0, 1, 2, 3].map((n) => ({
      query: `please ${word(1)} the ${word(0)} and ${word(2 + (n % 2))}`,
      should_trigger: true,
    }));
    files[`${name}/evals/evals.json`] = JSON.stringify({ skill_name: name, evals: queries });
  }
  return files;
}

async function chatOf(files: Record<string, string>, options: object = {}) {
  const root = temporaryFolder();
  writeTree(root, files);
  const skills = await openSkills({ roots: [root], ...options });
  return { root, chat: skills.conversation() };
}

describe("D-14 a request is routed", () => {
  it("with a margin that the catalog's own examples give, which is kept with the index", async () => {
    let bytes: Uint8Array | undefined;
    const searchStore = {
      read: () => bytes,
      write: (_: string, given: Uint8Array) => (bytes = given),
    };
    const { root, chat } = await chatOf(catalog(12), { searchStore });
    const route = await chat.route("could you wa0x1 this");
    expect(route.decision).toBe("activate");
    expect(route.candidates[0]?.name).toBe("skill-0");
    expect(route.matches).toEqual(["wa0x1"]);
    for (let i = 0; i < 12; i++) rmSync(join(root, `skill-${i}/evals`), { recursive: true });
    const again = await openSkills({ roots: [root], searchStore });
    expect(await again.conversation().route("could you wa0x1 this")).toEqual(route);
  });

  it("to no skill where nothing is clear, and only hinted without examples", async () => {
    const { chat } = await chatOf({
      "pdf/SKILL.md": skillText("pdf", "Fills PDF forms. Use for PDF forms."),
      "csv/SKILL.md": skillText("csv", "Cleans tables. Use for CSV tables."),
    });
    expect((await chat.route("fill this form")).decision).toBe("hint");
    expect((await chat.route("what is the weather")).decision).toBe("none");
    expect(await chat.route("")).toMatchObject({ decision: "none", candidates: [] });
  });

  it("never to a skill that models may not call, or that is switched off or not trusted", async () => {
    const hidden = skillText("skill-0", "Handles wa0x0. Use for wa0x0.").replace(
      "---\n",
      "---\ndisable-model-invocation: true\n",
    );
    const files = { ...catalog(12), "skill-0/SKILL.md": hidden };
    const isTrusted = ({ relativePath }: { relativePath: string }) => relativePath !== "skill-2";
    const { chat } = await chatOf(files, { disabled: ["skill-1"], isTrusted });
    for (const request of ["wa0x1 the wa0x0", "wb1x1 the wb1x0", "wc2x1 the wc2x0"]) {
      expect((await chat.route(request)).candidates).toEqual([]);
    }
  });
});

describe("D-13 trigger examples", () => {
  it("come from both dialects and metadata.triggers, and can be held out", async () => {
    const triggers = skillText("third", "Does a thing. Use for things.").replace(
      "---\n",
      "---\nmetadata:\n  triggers: zebra, 斑马照片\n",
    );
    const files = {
      "first/SKILL.md": skillText("first", "Does a thing. Use for things."),
      "first/evals/evals.json":
        '{"evals":[{"prompt":"paint a giraffe"},{"prompt":"an okapi","should_trigger":false}]}',
      "second/SKILL.md": skillText("second", "Does a thing. Use for things."),
      "second/evals/triggers.yaml":
        "skill: second\ncases:\n  - input: feed the hippo\n    expected:\n      skills: [second]\n",
      "third/SKILL.md": triggers,
    };
    const { root, chat } = await chatOf(files);
    const first = async (query: string) => (await chat.search(query))[0]?.name;
    expect(await first("giraffe")).toBe("first");
    expect(await first("okapi")).toBeUndefined();
    expect(await first("hippo")).toBe("second");
    expect(await first("zebra")).toBe("third");
    expect(await first("斑马照片")).toBe("third");
    const held = await openSkills({ roots: [root], examples: false });
    expect(await held.conversation().search("giraffe")).toEqual([]);
  });

  it("are not read through links, and damaged files hold none", async () => {
    const outside = temporaryFolder();
    writeTree(outside, { "evals.json": '[{"query":"giraffe","should_trigger":true}]' });
    const { root } = await chatOf({
      "a/SKILL.md": skillText("a", "Does a thing. Use for things."),
      "b/SKILL.md": skillText("b", "Does a thing. Use for things."),
      "b/evals/evals.json": "{",
    });
    symlinkSync(outside, join(root, "a/evals"));
    const skills = await openSkills({ roots: [root] });
    expect(await skills.conversation().search("giraffe")).toEqual([]);
  });
});

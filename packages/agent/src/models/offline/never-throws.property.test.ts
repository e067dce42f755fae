import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { actionSchema } from "../../actions/action.ts";
import type { ModelView } from "../model.ts";
import { decideOffline } from "./decide-offline.ts";

const script = fc.constantFrom("scripts/run.py", "scripts/a-b.mjs", "scripts/deep/x.sh");

/** Pieces that look like what the model reads, so that arbitrary texts get past the first look. */
const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  script,
  fc.constantFrom(
    "```bash\n",
    "```\n",
    "`",
    "\n",
    "# ",
    "## Usage\n",
    "python3 ",
    "node ",
    "<file>",
    "[--flag",
    "]",
    "{input}",
    "--out=",
    "...",
    "key=value",
    "a|b|c",
    '"',
    "'",
    "“",
    "\\\n",
    " | ",
    " > ",
    "< ",
    "$INPUT",
    "__proto__",
    "constructor",
    "usage: ",
    "run.py ",
    "error: unrecognized arguments: --flag",
    "invalid choice: 'a' (choose from 'b', 'c')",
    "a.csv",
    "数据.csv",
    "列出文件",
    "搜索 ",
    "denied",
    "https://example.org",
    "2024-01-01",
    "5 km to miles",
    "1,500 ",
    "minus 2^10-5 ½ ",
    "\uE000",
    "stdin",
    "and by ",
    "what about ",
    "where amount > 1.2.3 only top 5",
    "und der Ordner ",
    " and then write it to ",
    "folder old and new",
    "对比旧版.txt和新版.txt",
    "called x-y that does z",
    "references/x.md#part",
    "\0",
    "\uD800",
    ": ",
    '[{"name":"x","description":"y"}]',
    "- name: text\n",
  ),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
const name = fc.oneof(
  fc.constantFrom("a-skill", "__proto__", "constructor"),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const action = fc.oneof(
  fc.record({
    action: fc.constant("run_script"),
    skill: fc.record({ name }),
    relative_path: script,
    args: fc.array(text, { maxLength: 3 }),
  }),
  fc.record({
    action: fc.constant("load_resource"),
    skill: fc.record({ name }),
    relative_path: fc.string(),
  }),
  fc.record({
    action: fc.constant("use_tool"),
    tool: fc.constantFrom("search_skills", "read_file", "x"),
  }),
  fc.record({
    action: fc.string(),
    skill: fc.anything(),
    tool: fc.anything(),
    args: fc.anything(),
    relative_path: fc.anything(),
  }),
);
const skill = fc.record(
  {
    name,
    source: fc.string(),
    text,
    scripts: fc.array(script, { maxLength: 3 }),
    files: fc.array(fc.constantFrom("references/x.md", "SKILL.md", "b.txt"), { maxLength: 3 }),
    carried: fc.constant(true as const),
  },
  { requiredKeys: ["name", "source", "text", "scripts", "files"] },
);
const withoutActive = {
  request: text,
  history: fc.array(fc.record({ runId: fc.string(), request: text, answer: text }), {
    maxLength: 3,
  }),
  attachments: fc.array(fc.record({ path: text }), { maxLength: 3 }),
  wanted: fc.array(name, { maxLength: 2 }),
  skills: fc.array(fc.record({ name, description: text, source: fc.string() }), { maxLength: 5 }),
  omittedSkills: fc.nat({ max: 3 }),
  active: fc.constant([]),
  steps: fc.array(fc.record({ action, ok: fc.boolean(), observation: text }), { maxLength: 4 }),
  tools: fc.subarray(["search_skills", "list_directory", "read_file", "search_files"]),
  mustAnswer: fc.boolean(),
};
const idle: fc.Arbitrary<ModelView> = fc.record(withoutActive);
const working = (minLength: number, maxLength: number): fc.Arbitrary<ModelView> =>
  fc.record({ ...withoutActive, active: fc.array(skill, { minLength, maxLength }) });

/** Whatever is decided, it can be done: a valid action, of a script that is there, without a placeholder. */
function expectSound(view: ModelView): void {
  const decision = decideOffline(view);
  expect(actionSchema.safeParse(decision).error).toBeUndefined();
  expect(view.mustAnswer && decision.action !== "final_answer").toBe(false);
  if (decision.action !== "run_script") return;
  const { skill: called, relative_path, args } = decision;
  const owner = view.active.filter((active) => active.name === called.name);
  expect(owner.some(({ scripts }) => scripts.includes(relative_path))).toBe(true);
  const placeholders = ["<file>", "{input}", "$INPUT"].filter(
    (placeholder) => args.includes(placeholder) && !view.request.includes(placeholder),
  );
  expect(placeholders).toEqual([]);
}

describe("offline model on arbitrary views", () => {
  it("M-02 with an active skill never throws, and runs only what it has, never with a placeholder", () => {
    fc.assert(fc.property(working(1, 1), expectSound), { numRuns: numRuns(300) });
  });

  it("M-02 with several active skills the same holds", () => {
    fc.assert(fc.property(working(2, 3), expectSound), { numRuns: numRuns(150) });
  });

  it("M-02 without an active skill never throws, and every decision is a valid one", () => {
    fc.assert(fc.property(idle, expectSound), { numRuns: numRuns(150) });
  });

  it("M-02 the same view gives the same decision", () => {
    fc.assert(
      fc.property(fc.oneof(working(1, 3), idle), (view) => {
        expect(decideOffline(structuredClone(view))).toEqual(decideOffline(view));
      }),
      { numRuns: 100 },
    );
  });

  const hostile: [title: string, unit: string][] = [
    ["quotes", "'\"“"],
    ["brackets", "[<{("],
    ["code marks", "`"],
    ["paths", "a/b.c/"],
    ["dots", "."],
    ["letters", "a"],
    ["colons", "a:"],
    ["numbers", "1.2-"],
    ["groups", "1,000 "],
    ["units", "5 ft "],
    ["conditions", " where a > 1"],
    ["addresses", "a@b."],
    ["usage lines", "```\npython3 scripts/run.py <a> [b] {c}\n```\n"],
    ["inline calls", "`scripts/run.py <a>` "],
    ["headings", "# a\nb\n"],
    ["links", "https://"],
    ["Chinese", "查询搜索的"],
    ["blanks", " "],
  ];
  for (const [title, unit] of hostile) {
    it(`M-02 a megabyte of ${title} is decided on`, () => {
      const large = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const view: ModelView = {
        request: large,
        skills: [{ name: "a", description: large, source: "project" }],
        omittedSkills: 0,
        active: [],
        steps: [],
        tools: ["search_files", "read_file", "list_directory"],
        mustAnswer: false,
      };
      const skill = {
        name: "a",
        source: "project",
        text: large,
        scripts: ["scripts/run.py"],
        files: ["references/x.md"],
      };
      const failed = {
        action: { action: "run_script", skill: { name: "a" }, relative_path: "scripts/run.py" },
        ok: false,
        observation: large,
      };
      for (const changes of [
        {},
        { active: [skill] },
        { active: [skill, skill] },
        { active: [skill], steps: [failed] },
      ]) {
        expect(actionSchema.safeParse(decideOffline({ ...view, ...changes })).success).toBe(true);
      }
    });
  }
});

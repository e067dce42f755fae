import { describe, expect, it } from "vitest";
import type { ActiveSkill, ModelView } from "../model.ts";
import { callsForAttachments, callsForParts, factsFor } from "./calls-for.ts";
import { decideOffline } from "./decide-offline.ts";
import { readRequest } from "./read-request.ts";

const SKILL: ActiveSkill = {
  name: "rulers",
  source: "project",
  text: [
    "```sh",
    "node scripts/measure.mjs <value> <from unit> <to unit> # convert, measure",
    "node scripts/look.mjs <file> # look at, what is in a file",
    "```",
  ].join("\n"),
  scripts: ["scripts/measure.mjs", "scripts/look.mjs"],
  files: [],
};
const PAIRS: ActiveSkill = {
  ...SKILL,
  text: "Compare two files: `node scripts/pair.mjs <left> <right>`",
  scripts: ["scripts/pair.mjs"],
};
const view = (request: string, changes: Partial<ModelView> = {}): ModelView => ({
  request,
  skills: [],
  omittedSkills: 0,
  active: [SKILL],
  steps: [],
  tools: ["read_file"],
  mustAnswer: false,
  ...changes,
});
const parts = (request: string) =>
  callsForParts(SKILL, readRequest(request)).map(({ args }) => args.join(" "));
const attached = (...paths: string[]) => ({ attachments: paths.map((path) => ({ path })) });

/** The calls until the answer, and that. */
function follow(first: ModelView): string[] {
  const done: string[] = [];
  let now = first;
  for (let turn = 0; turn < 8; turn++) {
    const action = decideOffline(now);
    if (action.action === "final_answer") return [...done, action.answer];
    if (action.action === "run_script") done.push(action.args.join(" "));
    else if (action.action === "use_tool") done.push(JSON.stringify(action.input));
    const observation = `printed ${done.length}`;
    now = { ...now, steps: [...now.steps, { action, ok: true, observation }] };
  }
  throw new Error("there was no end");
}

describe("several calls of one skill", () => {
  it("M-02 one for each thing that is asked for", () => {
    expect(parts("convert 5 km to miles and convert 3 kg to lb")).toEqual([
      "5 km miles",
      "3 kg lb",
    ]);
    expect(parts("look at a.txt and then look at b.txt")).toEqual(["a.txt", "b.txt"]);
  });

  it("M-02 none when a part says too little, or has a number that cannot be read", () => {
    expect(parts("convert 5 km to miles")).toEqual([]);
    expect(parts("convert 5 km to miles and be quick")).toEqual([]);
    expect(parts("convert 5-6 km to miles and convert 3 kg to lb")).toEqual([]);
  });

  it("M-02 they are made in turn, and all are in the answer", () => {
    const [first, second, answer] = follow(view("convert 5 km to miles and convert 3 kg to lb"));
    expect([first, second]).toEqual(["5 km miles", "3 kg lb"]);
    expect(answer).toMatch(/printed 1.*printed 2/s);
    expect(answer).not.toContain("Not taken");
  });
});

describe("attachments", () => {
  it("C-01 each of several is looked at, when a call takes one", () => {
    const given = view("what is in it?", attached("a.txt", "b.txt"));
    const calls = callsForAttachments(SKILL, factsFor(SKILL, given), given);
    expect(calls.map(({ args }) => args)).toEqual([["a.txt"], ["b.txt"]]);
    expect(follow(given).slice(0, 2)).toEqual(["a.txt", "b.txt"]);
  });

  it("C-01 two that are compared are one call, and a third one is mentioned", () => {
    const active = [PAIRS];
    const both = view("compare them", { active, ...attached("a.txt", "b.txt") });
    expect(follow(both)[0]).toBe("a.txt b.txt");
    const third = view("compare a.txt and b.txt", { active, ...attached("c.txt") });
    const [call, answer] = follow(third);
    expect(call).toBe("a.txt b.txt");
    expect(answer).toContain("Attached, but not used: c.txt.");
  });

  it("C-01 without a skill each of them is read", () => {
    const [first, second, answer] = follow(
      view("what is in it?", { active: [], ...attached("a.txt", "b.txt") }),
    );
    expect([first, second]).toEqual(['{"path":"a.txt"}', '{"path":"b.txt"}']);
    expect(answer).toBe("a.txt:\n\nprinted 1\n\nb.txt:\n\nprinted 2");
  });

  it("C-01 what was piped in is no file: it is said, and not passed on", () => {
    const [answer = ""] = follow(view("look at the file", attached("stdin")));
    expect(answer).toMatch(/does not say:\n- file.*standard input.*save it as a file/s);
    const [call, more] = follow(view("look at a.txt", attached("stdin")));
    expect(call).toBe("a.txt");
    expect(more).toContain("standard input");
    const none = follow(view("what is in it?", { active: [], ...attached("stdin") }));
    expect(none).toEqual([expect.stringContaining("standard input")]);
  });
});

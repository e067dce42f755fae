import type { SkillRecord } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { skillRecord } from "../../../../../test/support/skill-record.ts";
import { readInput } from "../index.ts";

const ALL = [
  skillRecord("unit-convert", { source: "builtin" }),
  skillRecord("plan", { source: "user" }),
  skillRecord("kept", { userInvocable: false }),
];

const skills = {
  all: ALL,
  get: (name: string): SkillRecord | undefined =>
    ALL.find((skill) => [skill.name, `${skill.name}@${skill.source}`].includes(name.toLowerCase())),
};

describe("what a person typed", () => {
  it.each([
    ["  ", { kind: "nothing" }],
    [" hello\nthere ", { kind: "message", text: "hello\nthere" }],
    ["/help", { kind: "command", name: "help", rest: "" }],
    ["/WHY  pdf ", { kind: "command", name: "why", rest: "pdf" }],
    ["/unit-convert 5 km", { kind: "message", text: "/unit-convert 5 km" }],
    ["/unit-convert@user 5", { kind: "message", text: "/unit-convert@user 5" }],
    ["/plan", { kind: "command", name: "plan", rest: "", hidden: "/plan@user" }],
    ["/plan@user now", { kind: "message", text: "/plan@user now" }],
    ["/etc/hosts is broken", { kind: "message", text: "/etc/hosts is broken" }],
    ["/", { kind: "message", text: "/" }],
    ["/unit-cnvert 5", { kind: "unknown", word: "unit-cnvert", near: ["/unit-convert"] }],
    ["/un", { kind: "unknown", word: "un", near: ["/unit-convert"] }],
    ["/hepl", { kind: "unknown", word: "hepl", near: ["/help"] }],
    ["/kep", { kind: "unknown", word: "kep", near: [] }],
  ])("C-01 A-08 %j is %j", (typed, input) => {
    expect(readInput(typed, skills)).toEqual(input);
  });
});

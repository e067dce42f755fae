import { type ConformanceCase, fileWith, inBothModes } from "./conformance-case.ts";

const row = (id: string, lines: string, rest: Partial<ConformanceCase>): ConformanceCase => ({
  id,
  requirement: "F-04",
  text: fileWith(lines),
  codes: [],
  loaded: true,
  ...rest,
});

type Flag = "disable-model-invocation" | "user-invocable";

const flag = (key: Flag, value: boolean) =>
  key === "user-invocable" ? { userInvocable: value } : { disableModelInvocation: value };

/** A value that is no boolean; `counts` is what it must be taken for. */
const unclear = (key: Flag, written: string, counts: boolean) =>
  inBothModes(
    row(`${key}: ${written || "(nothing)"} counts as ${counts}`, `${key}: ${written}`, {
      codes: ["warning:control-invalid"],
      hint: `${key}: ${counts}`,
      skill: flag(key, counts),
    }),
    "control-invalid",
  );

const runMode = (written: string) =>
  inBothModes(
    row(`run-mode: ${written}`, `run-mode: ${written}`, {
      codes: ["warning:control-invalid"],
      at: [4, 11],
      skill: { runMode: "inline" },
    }),
    "control-invalid",
  );

export const controlCases: readonly ConformanceCase[] = [
  row("version and author", 'version: "1.10"\nauthor: Ada', {
    strict: true,
    skill: { version: "1.10", author: "Ada" },
  }),
  row("a version with two dots is text", "version: 1.2.3", {
    strict: true,
    skill: { version: "1.2.3" },
  }),
  ...inBothModes(
    row("a version that is a number keeps its digits", "version: 1.10", {
      codes: ["warning:field-type"],
      at: [4, 10],
      hint: 'version: "1.10"',
      skill: { version: "1.10" },
    }),
    "field-type",
  ),
  ...inBothModes(
    row("a version that is a date", "version: 2026-11-15", {
      codes: ["warning:value-ambiguous"],
      at: [4, 10],
      hint: 'version: "2026-11-15"',
      skill: { version: "2026-11-15" },
    }),
  ),
  ...inBothModes(
    row("an author that is a mapping", "author:\n  name: Ada", { codes: ["warning:field-type"] }),
    "field-type",
  ),
  row("without controls", "license: MIT", {
    skill: { disableModelInvocation: false, userInvocable: true, runMode: "inline" },
  }),
  row("disable-model-invocation: true", "disable-model-invocation: true", {
    strict: true,
    skill: { disableModelInvocation: true, userInvocable: true },
  }),
  row("disable-model-invocation: false", "disable-model-invocation: false", {
    strict: true,
    skill: { disableModelInvocation: false },
  }),
  row("user-invocable: FALSE", "user-invocable: FALSE", {
    strict: true,
    skill: { userInvocable: false },
  }),
  row("user-invocable: true", "user-invocable: true", {
    strict: true,
    skill: { userInvocable: true },
  }),
  ...unclear("disable-model-invocation", "yes", true),
  ...unclear("disable-model-invocation", '"false"', false),
  ...unclear("disable-model-invocation", "maybe", true),
  ...unclear("disable-model-invocation", "0", true),
  ...unclear("disable-model-invocation", "[false]", true),
  ...unclear("disable-model-invocation", "", true),
  ...unclear("user-invocable", "'true'", true),
  ...unclear("user-invocable", "No", false),
  ...unclear("user-invocable", "off", false),
  ...unclear("user-invocable", "1", false),
  ...unclear("user-invocable", "", false),
  ...unclear("user-invocable", "{a: true}", false),
  row("run-mode: inline", "run-mode: inline", { strict: true, skill: { runMode: "inline" } }),
  row("run-mode: subagent", "run-mode: subagent", { strict: true, skill: { runMode: "subagent" } }),
  ...runMode("fork"),
  ...runMode("true"),
  ...runMode("[subagent]"),
  row("context: fork", "context: fork", {
    strict: true,
    skill: { runMode: "subagent", extra: {} },
  }),
  row("another context", "context: project", {
    codes: ["info:key-unknown"],
    skill: { runMode: "inline", extra: { context: "project" } },
  }),
];

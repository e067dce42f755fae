import { type ConformanceCase, fileWith, inBothModes } from "./conformance-case.ts";

const row = (id: string, lines: string, rest: Partial<ConformanceCase>): ConformanceCase => ({
  id,
  requirement: "F-04",
  text: fileWith(lines),
  codes: [],
  loaded: true,
  ...rest,
});

/** A spelling whose meaning is certain: it is used, with a warning that names the right key. */
const readAs = (line: string, key: string, skill: ConformanceCase["skill"] & object) =>
  inBothModes(
    row(`${line} is read as ${key}`, line, {
      codes: ["warning:key-misspelt"],
      at: [4, 1],
      hint: `\`${key}\``,
      skill: { ...skill, extra: {} },
    }),
    "key-misspelt",
  );

/** A spelling that is only similar: it is kept, not used, with a warning that names the right key. */
const similarTo = (key: string, written: string) =>
  inBothModes(
    row(`${written} is not used, with a hint at ${key}`, `${written}: x`, {
      codes: ["warning:key-misspelt"],
      at: [4, 1],
      hint: `\`${key}\``,
      skill: { extra: { [written]: "x" } },
    }),
    "key-misspelt",
  );

const read = { allowedTools: [{ tool: "Read" }] };

export const keyCases: readonly ConformanceCase[] = [
  ...readAs("user-invokable: false", "user-invocable", { userInvocable: false }),
  ...readAs("userInvocable: false", "user-invocable", { userInvocable: false }),
  ...readAs("user_invocable: false", "user-invocable", { userInvocable: false }),
  ...readAs("allowedTools: Read", "allowed-tools", read),
  ...readAs("allowed_tools: [Read]", "allowed-tools", read),
  ...readAs("Allowed-Tools: Read", "allowed-tools", read),
  ...readAs("allowed tools: Read", "allowed-tools", read),
  ...readAs("allowed-tool: Read", "allowed-tools", read),
  ...readAs("disableModelInvocation: true", "disable-model-invocation", {
    disableModelInvocation: true,
  }),
  ...readAs("disable_model_invocation: true", "disable-model-invocation", {
    disableModelInvocation: true,
  }),
  ...readAs("runMode: subagent", "run-mode", { runMode: "subagent" }),
  ...readAs("License: MIT", "license", { license: "MIT" }),
  ...readAs("meta-data: {a: b}", "metadata", { metadata: { a: "b" } }),
  ...similarTo("license", "licence"),
  ...similarTo("compatibility", "compatability"),
  ...similarTo("author", "autor"),
  ...inBothModes(
    row(
      "a misspelt key beside the right one is ignored",
      "allowed-tools: Read\nallowedTools: Bash",
      {
        codes: ["warning:key-misspelt"],
        at: [5, 1],
        hint: "remove `allowedTools`",
        skill: { ...read, extra: { allowedTools: "Bash" } },
      },
    ),
    "key-misspelt",
  ),
  row("of two misspelt keys the first counts", "allowed_tools: Read\nallowedTools: Bash", {
    codes: ["warning:key-misspelt", "warning:key-misspelt"],
    skill: { ...read, extra: { allowedTools: "Bash" } },
  }),
  row("unknown keys are kept in order", "tags: [a, b]\nmodel: opus\ncategory: 1\nhomepage: null", {
    codes: Array.from({ length: 4 }, () => "info:key-unknown"),
    at: [4, 1],
    skill: { extra: { tags: ["a", "b"], model: "opus", category: 1, homepage: null } },
  }),
  row("unknown keys are refused, as by the reference validator", "model: opus\ncategory: 1", {
    strict: true,
    codes: ["error:key-unknown", "error:key-unknown"],
    at: [4, 1],
    loaded: false,
  }),
  row("a plural is another key", "authors: [Ada, Eve]", {
    codes: ["info:key-unknown"],
    skill: { extra: { authors: ["Ada", "Eve"] } },
  }),
  row("nested unknown keys are kept and warned about", "requires:\n  bins: [git]\n  env: {A: 1}", {
    codes: ["warning:extra-nested"],
    at: [4, 1],
    skill: { extra: { requires: { bins: ["git"], env: { A: 1 } } } },
  }),
  row("nested unknown keys are refused as well", "requires:\n  bins: [git]", {
    strict: true,
    codes: ["error:extra-nested"],
    at: [4, 1],
    loaded: false,
  }),
  row("mappings in a list are nested too", "hooks:\n  - on: start\n    run: x", {
    codes: ["warning:extra-nested"],
    skill: { extra: { hooks: [{ on: "start", run: "x" }] } },
  }),
  row("an empty key", ": x", { codes: ["info:key-unknown"], skill: { extra: { "": "x" } } }),
];
